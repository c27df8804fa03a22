"""Turns for those who write to one file, so that none sees half of what another writes."""

import fcntl
from time import monotonic, sleep

PATIENCE = 2.0  # seconds to wait for a writer that stands still in the middle of its turn


def locked(file: int) -> bool:
    """Lock the file. False where its file system knows no locks, or where a writer keeps it for too long."""
    give_up = None
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            give_up = give_up or monotonic() + PATIENCE
            if monotonic() > give_up:
                return False
            sleep(0.001)
        except OSError:
            return False
        else:
            return True


def kept(file: int) -> bool:
    """Lock the file until it is closed. False where another writer has it, if its file system knows locks."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def unlock(file: int) -> None:
    """End the turn."""
    fcntl.flock(file, fcntl.LOCK_UN)

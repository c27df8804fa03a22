"""A file that a user names, read whole."""

from pathlib import Path

from two_loops.errors import WrongUse

LONGEST = 16 * 2**20  # bytes; no file of questions, replies or cases needs as many


def bytes_of(path: str | Path, what: str, when_missing: str = "") -> bytes:
    """What the file holds. Raises WrongUse where it can't be read or is too long.

    what: names the file in such an error, as in "the questions". when_missing: is added where there is no such file.
    """
    try:
        with Path(path).open("rb") as file:
            raw = file.read(LONGEST + 1)
    except OSError as error:
        more = when_missing if isinstance(error, FileNotFoundError) else ""
        raise WrongUse(f"{what} {path} can't be read: {(error.strerror or str(error)).lower()}{more}") from error
    except ValueError as error:  # of a path that can't be one
        raise WrongUse(f"{what} {str(path)!r} can't be read: {error}") from error
    if len(raw) > LONGEST:
        raise WrongUse(f"{what} {path} can't be read: there are more than {LONGEST} bytes in it")
    return raw

"""One file opened so that it can't block, can't lie outside the folder and is read up to a bound."""

import errno
import os
import stat
from pathlib import Path

MAX_NOTE_BYTES = 8 * 1024 * 1024

# O_NONBLOCK: a pipe put in the place of a note must not make the search wait for a writer.
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_NOFOLLOW | os.O_CLOEXEC
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

_KINDS = {
    stat.S_IFREG: "a file",
    stat.S_IFDIR: "a folder",
    stat.S_IFLNK: "a link",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}

_REASONS = {
    errno.EACCES: "permission denied",
    errno.EPERM: "permission denied",
    errno.ENOENT: "it is gone, or a link to nothing",
    errno.ELOOP: "it is a link that leads in a circle",
    errno.ENAMETOOLONG: "its path is too long",
}

Identity = tuple[int, int]
Bytes = tuple[bytes, bool]


class RefusedError(OSError):
    """A file that is not read although it could be opened; the text says why."""


def reason(error: OSError) -> str:
    """Why a file or folder could not be read, in a few words."""
    if error.errno is None:
        return str(error)
    return _REASONS.get(error.errno) or (error.strerror or "it could not be read").lower()


def identity(status: os.stat_result) -> Identity:
    """What tells one file of the machine from all others: its device and inode."""
    return status.st_dev, status.st_ino


def open_folder(path: str, parent: Identity | None) -> int:
    """A descriptor of the folder, which must lie in the parent that it was found in. Raises ``OSError``."""
    folder = os.open(path, _FOLDER)
    if parent in (None, identity(os.stat("..", dir_fd=folder))):
        return folder
    os.close(folder)
    raise RefusedError("it was moved while the folder was searched")


def open_inner(name: str, folder: int) -> int:
    """A descriptor of a folder that stands in the open folder itself. Raises ``OSError``."""
    _require(stat.S_IFDIR, os.stat(name, dir_fd=folder, follow_symlinks=False))
    return os.open(name, _FOLDER, dir_fd=folder)


def read_file(name: str, folder: int) -> Bytes:
    """The first ``MAX_NOTE_BYTES`` of a file of the open folder, and whether that is all. Raises ``OSError``."""
    # Looked at before it is opened too: to open a device can already change something.
    require_regular(os.stat(name, dir_fd=folder, follow_symlinks=False))
    return _read(os.open(name, _READ, dir_fd=folder))


def read_target(target: str, root: str) -> Bytes:
    """The same for the resolved target of a link, which must lie below the resolved ``root`` once it is open."""
    require_regular(Path(target).lstat())
    descriptor = os.open(target, _READ)
    if _stands_below(descriptor, os.path.realpath(target), root):
        return _read(descriptor)
    os.close(descriptor)
    raise RefusedError("it is a link that leaves the folder")


def _stands_below(descriptor: int, real: str, root: str) -> bool:
    opened = os.fstat(descriptor)
    return Path(real).is_relative_to(root) and os.path.samestat(opened, Path(real).lstat())


def _read(descriptor: int) -> Bytes:
    with open(descriptor, "rb", buffering=0) as stream:
        status = os.fstat(descriptor)
        require_regular(status)
        # One byte more tells a note that fills the bound from one that goes on.
        raw = stream.read(min(status.st_size, MAX_NOTE_BYTES) + 1) or b""
    return raw[:MAX_NOTE_BYTES], len(raw) <= MAX_NOTE_BYTES


def require_regular(status: os.stat_result) -> None:
    """Raise ``RefusedError`` unless it is a file that holds bytes, and no folder, link, pipe or device."""
    _require(stat.S_IFREG, status)


def _require(wanted: int, status: os.stat_result) -> None:
    kind = stat.S_IFMT(status.st_mode)
    if kind != wanted:
        raise RefusedError(f"it is {_KINDS.get(kind, 'something else')}, not {_KINDS[wanted]}")

"""The files of a folder that are notes, each read where it was found, so that no link can lead out in between."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath

from two_loops.search.opening import Identity, RefusedError, identity, open_folder, read_file, read_target

NOTE_ENDINGS = (".txt", ".md")

Bytes = tuple[bytes, bool]
# The path below the root, and the file's first bytes with whether they are all, or what kept them from being read.
Found = tuple[str, Bytes | OSError]


def walk(root: str) -> Iterator[Found]:
    """Every note below the resolved root, folder by folder in the order of names; hidden names are left out."""
    for path, folder in folders(root):
        if isinstance(folder, OSError):
            yield path, folder
        else:
            yield from _notes_of(folder, path, root)


@dataclass(frozen=True)
class Folder:
    """An open folder: its descriptor, which folder of the machine it is, and what is in it, hidden names left out."""

    descriptor: int
    identity: Identity
    entries: Sequence[os.DirEntry[str]]

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self.descriptor)


def folders(root: str) -> Iterator[tuple[str, Folder | OSError]]:
    """The resolved root and every folder below it, in the order of names, or what kept a folder from being opened.

    The path is relative to the root. A folder is open until the next one is asked for; no link is followed.
    """
    waiting: list[tuple[str, Identity | None]] = [("", None)]
    while waiting:
        path, parent = waiting.pop()
        try:
            opened = _opened(f"{root}/{path}".rstrip("/") or "/", parent)
        except OSError as error:
            yield path, error
            continue
        with closing(opened) as folder:
            yield path, folder
            inner = [entry.name for entry in folder.entries if entry.is_dir(follow_symlinks=False)]
        waiting += [(place(path, name), folder.identity) for name in reversed(inner)]


def place(path: str, name: str) -> str:
    """The path below the root of what has this name in the folder with that path."""
    return f"{path}/{name}".lstrip("/")


def _opened(path: str, parent: Identity | None) -> Folder:
    descriptor = open_folder(path, parent)
    try:
        return Folder(descriptor, identity(os.fstat(descriptor)), _entries(descriptor))
    except OSError:
        os.close(descriptor)
        raise


def _entries(folder: int) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted((entry for entry in entries if not entry.name.startswith(".")), key=lambda entry: entry.name)


def _notes_of(folder: Folder, path: str, root: str) -> Iterator[Found]:
    for entry in folder.entries:
        here = place(path, entry.name)
        if entry.is_symlink():
            yield from _linked(here, root)
        elif _is_note(entry.name) and not entry.is_dir(follow_symlinks=False):
            yield here, _attempt(partial(read_file, entry.name, folder.descriptor))


def _linked(path: str, root: str) -> Iterator[Found]:
    """A link is read when it leads to a file of the folder that is not found anyway, and reported when it leads out."""
    try:
        target = os.path.realpath(f"{root}/{path}", strict=True)
    except OSError as error:
        if _is_note(path):
            yield path, error
        return
    if not Path(target).is_relative_to(root):
        if _is_note(path) or Path(target).is_dir():
            yield path, RefusedError("it is a link that leaves the folder")
    elif _is_note(path) and not _is_found(target, root):
        yield path, _attempt(partial(read_target, target, root))


def _is_found(target: str, root: str) -> bool:
    """Whether the walk comes to the resolved target by itself: it is a folder, or a note with no hidden part."""
    parts = PurePath(target).relative_to(root).parts
    return Path(target).is_dir() or (_is_note(target) and not any(part.startswith(".") for part in parts))


def _is_note(name: str) -> bool:
    return name.lower().endswith(NOTE_ENDINGS)


def _attempt(read: Callable[[], Bytes]) -> Bytes | OSError:
    try:
        return read()
    except OSError as error:
        return error

"""The files of a folder that are notes, each read where it was found, so that no link can lead out in between."""

import os
from collections.abc import Callable, Generator, Iterator
from functools import partial
from pathlib import Path, PurePath

from two_loops.search.opening import Identity, RefusedError, identity, open_folder, read_file, read_target

NOTE_ENDINGS = (".txt", ".md")

Bytes = tuple[bytes, bool]
# The path below the root, and the file's first bytes with whether they are all, or what kept them from being read.
Found = tuple[str, Bytes | OSError]


def walk(root: str) -> Iterator[Found]:
    """Every note below the resolved root, folder by folder in the order of names; hidden names are left out."""
    waiting: list[tuple[str, Identity | None]] = [("", None)]
    while waiting:
        path, parent = waiting.pop()
        try:
            inner, here = yield from _opened(path, parent, root)
        except OSError as error:
            yield path, error
        else:
            waiting += [(name, here) for name in reversed(inner)]


def _opened(path: str, parent: Identity | None, root: str) -> Generator[Found, None, tuple[list[str], Identity]]:
    """Yields the notes of one folder and returns the paths of the folders in it, and which folder it is."""
    folder = open_folder(f"{root}/{path}".rstrip("/") or "/", parent)
    try:
        return (yield from _notes_of(folder, path, root)), identity(os.fstat(folder))
    finally:
        os.close(folder)


def _notes_of(folder: int, path: str, root: str) -> Generator[Found, None, list[str]]:
    """Yields the notes in an open folder and returns the paths of the folders in it."""
    inner = []
    for entry in _entries(folder):
        place = f"{path}/{entry.name}".lstrip("/")
        if entry.is_symlink():
            yield from _linked(place, root)
        elif entry.is_dir(follow_symlinks=False):
            inner.append(place)
        elif _is_note(entry.name):
            yield place, _attempt(partial(read_file, entry.name, folder))
    return inner


def _entries(folder: int) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted((entry for entry in entries if not entry.name.startswith(".")), key=lambda entry: entry.name)


def _linked(place: str, root: str) -> Iterator[Found]:
    """A link is read when it leads to a file of the folder that is not found anyway, and reported when it leads out."""
    try:
        target = os.path.realpath(f"{root}/{place}", strict=True)
    except OSError as error:
        if _is_note(place):
            yield place, error
        return
    if not Path(target).is_relative_to(root):
        if _is_note(place) or Path(target).is_dir():
            yield place, RefusedError("it is a link that leaves the folder")
    elif _is_note(place) and not _is_found(target, root):
        yield place, _attempt(partial(read_target, target, root))


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

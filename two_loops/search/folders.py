"""The folders below a root, and what is in each, as it is found: no link is followed."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from two_loops.search.entries import Signature
from two_loops.search.opening import Identity, identity, open_folder

NOTE_ENDINGS = (".txt", ".md")
NOTHING: Mapping[str, Any] = MappingProxyType({})

Signatures = Mapping[str, Signature]

signature_of: Callable[[os.stat_result], Signature] = attrgetter("st_mtime_ns", "st_ctime_ns", "st_size", "st_ino")


@dataclass(frozen=True)
class Folder:
    """An open folder: its descriptor, which folder of the machine it is, and the sorted names in it but hidden ones.

    files, links, folders: of that kind. others: pipes, sockets and devices. Where notes are looked at, they are not
    among the files. before: how notes of the folder were. unchanged: those that are so still. changed: the others,
    with how each is or why that can't be told.
    """

    descriptor: int
    identity: Identity
    before: Signatures
    unchanged: list[str] = field(default_factory=list)
    changed: dict[str, Signature | OSError] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    @property
    def notes(self) -> dict[str, Signature | OSError]:
        """Every file that is a note, with how it is or why that can't be told."""
        return {name: self.before[name] for name in self.unchanged} | self.changed

    @property
    def is_as_before(self) -> bool:
        """Whether the notes are those that there were, each as it was, and there is nothing else but files."""
        others = self.changed or self.links or self.others
        return not others and 0 < len(self.unchanged) == len(self.before)

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self.descriptor)


def folders(
    root: str, *, signed: bool = False, before: Mapping[str, Signatures] = NOTHING
) -> Iterator[tuple[str, Folder | OSError]]:
    """The resolved root and every folder below it, in the order of names, or what kept a folder from being opened.

    signed: look at each note too. before: how the notes were, by folder, which is faster where few have changed.

    The path is relative to the root. A folder is open until the next one is asked for; no link is followed.
    """
    waiting: list[tuple[str, Identity | None]] = [("", None)]
    while waiting:
        path, parent = waiting.pop()
        try:
            opened = _opened(f"{root}/{path}".rstrip("/") or "/", parent, signed, before.get(path, NOTHING))
        except OSError as error:
            yield path, error
            continue
        with closing(opened) as folder:
            yield path, folder
        waiting += [(place(path, name), folder.identity) for name in reversed(folder.folders)]


def place(path: str, name: str) -> str:
    """The path below the root of what has this name in the folder with that path."""
    return f"{path}/{name}".lstrip("/")


def _opened(path: str, parent: Identity | None, signed: bool, before: Signatures) -> Folder:
    descriptor = open_folder(path, parent)
    try:
        folder = Folder(descriptor, identity(os.fstat(descriptor)), before)
        _fill(folder, signed)
    except OSError:
        os.close(descriptor)
        raise
    for names in (folder.files, folder.links, folder.folders, folder.others):
        names.sort()
    return folder


def _fill(folder: Folder, signed: bool) -> None:
    """List what is in the folder. A search does this for every file, and most are notes that are as they were.

    What kind a file is need not be asked of those: no link or folder has the signature of a note.
    """
    before, unchanged = folder.before, folder.unchanged
    with os.scandir(folder.descriptor) as entries:
        for entry in entries:
            name = entry.name
            if name in before and before[name] == _signature(entry):
                unchanged.append(name)
            elif not name.startswith("."):
                _list(entry, folder, signed)


def _list(entry: os.DirEntry[str], folder: Folder, signed: bool) -> None:
    if entry.is_symlink():
        folder.links.append(entry.name)
    elif entry.is_dir():
        folder.folders.append(entry.name)
    elif not entry.is_file():
        folder.others.append(entry.name)
    elif signed and is_note(entry.name):
        folder.changed[entry.name] = _signature(entry)
    else:
        folder.files.append(entry.name)


def _signature(entry: os.DirEntry[str]) -> Signature | OSError:
    try:
        return signature_of(entry.stat(follow_symlinks=False))
    except OSError as error:
        return error


def is_note(name: str) -> bool:
    """Whether the name is that of a note."""
    return name.endswith(NOTE_ENDINGS) or name.lower().endswith(NOTE_ENDINGS)

"""The files of a folder that are notes, each read where it was found, so that no link can lead out in between."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path, PurePath
from stat import S_ISLNK
from types import MappingProxyType
from typing import Any

from two_loops.search.entries import Signature
from two_loops.search.opening import (
    Bytes,
    Identity,
    RefusedError,
    identity,
    open_folder,
    open_inner,
    read_file,
    read_target,
)

NOTE_ENDINGS = (".txt", ".md")
NOTHING: Mapping[str, Any] = MappingProxyType({})

Signatures = Mapping[str, Signature]

signature_of: Callable[[os.stat_result], Signature] = attrgetter("st_mtime_ns", "st_ctime_ns", "st_size", "st_ino")

# From where a note is read: the descriptor of the open folder that it stands in, or what the link to it leads to.
Source = int | str
# The path below the root, how the file is or why that can't be told, and from where it is read.
Found = tuple[str, Signature | OSError, Source]


def walk(root: str) -> Iterator[Found]:
    """Every note below the resolved root, folder by folder in the order of names; hidden names are left out.

    A note's source can be read until the next note is asked for.
    """
    for path, folder in folders(root, signed=True):
        if isinstance(folder, OSError):
            yield path, folder, path
        else:
            yield from notes_of(folder, path, root)


def read(path: str, source: Source, root: str) -> Bytes:
    """The first bytes of a note that was found, with whether they are all. Raises ``OSError``."""
    return read_target(source, root) if isinstance(source, str) else read_file(path.rpartition("/")[2], source)


def read_again(path: str, root: str) -> Bytes:
    """The same for a note below the resolved root that was found before. Raises ``OSError``."""
    *names, name = path.split("/")
    folder = open_folder(root, None)
    try:
        for inner in names:
            outer, folder = folder, open_inner(inner, folder)
            os.close(outer)
        if S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            return read_target(os.path.realpath(f"{root}/{path}", strict=True), root)
        return read_file(name, folder)
    finally:
        os.close(folder)


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


def notes_of(folder: Folder, path: str, root: str) -> Iterator[Found]:
    """The notes in the open folder at the path below the root."""
    before = place(path, "") if path else ""
    for name, signature in sorted(folder.notes.items()):
        yield before + name, signature, folder.descriptor
    for name in filter(is_note, folder.others):
        try:
            yield (
                before + name,
                signature_of(os.stat(name, dir_fd=folder.descriptor, follow_symlinks=False)),
                folder.descriptor,
            )
        except OSError as error:
            yield before + name, error, folder.descriptor
    for name in folder.links:
        yield from _linked(before + name, root)


def _linked(path: str, root: str) -> Iterator[Found]:
    """A link is a note when it leads to a file of the folder that is not found anyway; one that leads out is told."""
    try:
        target = os.path.realpath(f"{root}/{path}", strict=True)
        status = Path(target).lstat()
    except OSError as error:
        if is_note(path):
            yield path, error, path
        return
    if not Path(target).is_relative_to(root):
        if is_note(path) or Path(target).is_dir():
            yield path, RefusedError("it is a link that leaves the folder"), path
    elif is_note(path) and not _is_found(target, root):
        yield path, signature_of(status), target


def _is_found(target: str, root: str) -> bool:
    """Whether the walk comes to the resolved target by itself: it is a folder, or a note with no hidden part."""
    parts = PurePath(target).relative_to(root).parts
    return Path(target).is_dir() or (is_note(target) and not any(part.startswith(".") for part in parts))


def is_note(name: str) -> bool:
    """Whether the name is that of a note."""
    return name.endswith(NOTE_ENDINGS) or name.lower().endswith(NOTE_ENDINGS)

"""The files of a folder that are notes, each read where it was found, so that no link can lead out in between."""

import os
from collections.abc import Iterator
from pathlib import Path, PurePath
from stat import S_ISLNK

from two_loops.search.entries import Signature
from two_loops.search.folders import Folder, folders, is_note, place, signature_of
from two_loops.search.opening import Bytes, RefusedError, open_folder, open_inner, read_file, read_target

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

"""Being told of changes by Linux (inotify), so that a search of a folder in which nothing changed looks at no file.

Each folder is watched, and each note by itself too, as it may be written under another name elsewhere. What is told is
fetched at the moment of the search. Two things are not told: what a program writes through a memory map, and what is
mounted below while it is watched. A network's file system tells nothing of what others do, and links may lead to what
is not watched: where there is any of that, each search looks at every file.
"""

import ctypes
import os
import sys
import weakref
from pathlib import Path
from typing import Any

from two_loops.search.folders import folders, is_note, place
from two_loops.search.mounts import is_local
from two_loops.search.opening import identity

_EVERY_CHANGE = 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400 | 0x800  # all but to open and to read
_AT_ONCE = 1 << 20  # bytes of what is told


class Watch:
    """Tells whether anything below a resolved folder may have changed. Raises ``OSError`` where that can't be told."""

    def __init__(self, root: str) -> None:
        if sys.platform != "linux":
            raise OSError("only Linux tells of changes in this way")
        self._root = root
        self._libc: Any = ctypes.CDLL(None, use_errno=True)
        self._told = self._done(self._libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
        self.close = weakref.finalize(self, os.close, self._told)
        self._folder = identity(Path(root).stat())
        self._complete = False

    def cover(self) -> None:
        """Watch all there is now. What changes from here on is told. Raises ``OSError`` where that is too much."""
        self._folder = identity(Path(self._root).stat())
        self._complete = is_local(self._root)
        self._add("")
        for path, folder in folders(self._root):
            if isinstance(folder, OSError) or folder.links:
                self._complete = False
                continue
            for name in [*folder.folders, *filter(is_note, folder.files)]:  # a folder before it is listed
                self._add(place(path, name))

    def is_quiet(self) -> bool:
        """Whether nothing has changed since the last call, or since all was covered."""
        told = False
        while self._events():
            told = True
        return self._complete and not told and self._folder == identity(Path(self._root).stat())

    def _add(self, path: str) -> None:
        try:
            self._done(self._libc.inotify_add_watch(self._told, os.fsencode(f"{self._root}/{path}"), _EVERY_CHANGE))
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            self._complete = False

    def _events(self) -> bytes:
        try:
            return os.read(self._told, _AT_ONCE)
        except BlockingIOError:
            return b""

    def _done(self, result: int) -> int:
        if result < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        return result

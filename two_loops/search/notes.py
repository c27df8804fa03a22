"""A folder of notes with its index open, for programs that search it again and again."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self

from two_loops.errors import ToolError, WrongUse
from two_loops.search.finding import Findings, find
from two_loops.search.freshness import Fresh
from two_loops.search.making import has_fts5, made, stored
from two_loops.search.query import Term, terms_of
from two_loops.search.results import SearchResults
from two_loops.text import visible

LIMIT = 5
WIDTH = 200
LEAST_WIDTH = 10


class Notes:
    """The notes below a folder, with an index that each search first brings up to date.

    It may be used by several threads, one of which searches at a time.

    index: a directory to keep the index in, for later processes; it then holds the notes' text, for its owner alone.
    By default the index is in memory.
    watch: let Linux tell of changes, where it can, in place of looking at every file at each search.
    on_read: called with the path of each note that is about to be read, as nearly all are at the first search; it may
    be set later, too.

    Raises WrongUse when there is no such folder, or when no index can be kept in the directory.
    """

    def __init__(
        self,
        folder: str | Path,
        index: str | Path | None = None,
        *,
        watch: bool = False,
        on_read: Callable[[str], object] | None = None,
    ) -> None:
        if index == "":
            raise WrongUse("no index can be kept in '': give a directory")
        self._watch = watch
        self.on_read = on_read
        self._folder = absolute(folder)
        self._where = None if index is None else Path(index).absolute()
        if index is not None and not has_fts5():
            raise WrongUse("an index on disk needs a Python whose sqlite has FTS5; without index= it is in memory")
        self._process = os.getpid()
        self._lock = Lock()
        self._fresh: Fresh | None = None
        self._root()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the memory of the index back; a later search makes a new one."""
        with self._turn():
            self._drop()

    def search(self, query: str, limit: int = LIMIT, width: int = WIDTH) -> SearchResults:
        """Do what ``search_notes`` does."""
        findings = self.find(query, limit, width)
        return SearchResults((found.snippet for found in findings.found), findings.not_read)

    def find(self, query: str, limit: int = LIMIT, width: int = WIDTH) -> Findings:
        """Do the same, and tell what was looked for and what the score of each line is made of."""
        root = self._root()
        _check(limit, width)
        terms = terms_of(query)
        if not terms:
            raise ToolError("The query is empty: give two to five keywords.")
        with self._turn():
            try:
                return self._found(terms, root, limit, width)
            except BaseException:
                self._drop()  # it may have stopped in the middle of a change
                raise

    def _found(self, terms: Sequence[Term], root: str, limit: int, width: int) -> Findings:
        if self._where is None:
            return find(terms, self._opened(root), limit, width)
        from two_loops.search import storing

        for _ in range(2):
            try:
                return find(terms, self._opened(root), limit, width)
            except storing.Error as error:
                self._drop()
                if not storing.discarded(self._where, root, error):
                    break
        return find(terms, Fresh(root, made()), limit, width)  # a full disk, say, or a file that is locked for long

    def _turn(self) -> Lock:
        """The lock of this process: in a fork it may be held by a thread that is not there, and the index is shared."""
        if self._process != os.getpid():
            self._process, self._lock, self._fresh = os.getpid(), Lock(), None
        return self._lock

    def _root(self) -> str:
        if not self._folder.is_dir():
            raise WrongUse(f"there is no folder {visible(str(self._folder))!r} to search")
        return os.path.realpath(self._folder)

    def _opened(self, root: str) -> Fresh:
        if self._fresh is None or self._fresh.root != root:
            self._drop()
            index = made() if self._where is None else stored(self._where, root)
            self._fresh = Fresh(root, index, watch=self._watch, on_read=self._reads)
        return self._fresh

    def _reads(self, path: str) -> None:
        if self.on_read is not None:
            self.on_read(path)

    def _drop(self) -> None:
        if self._fresh is not None:
            self._fresh.close()
            self._fresh = None


def absolute(folder: str | Path) -> Path:
    """The absolute path. Raises WrongUse for an empty one, as of a variable that is not set: it is not where one is."""
    if folder == "":
        raise WrongUse("there is no folder '' to search")
    return Path(folder).absolute()


def _check(limit: int, width: int) -> None:
    if limit < 1:
        raise WrongUse(f"limit must be at least 1, not {limit}")
    if width < LEAST_WIDTH:
        raise WrongUse(f"width must be at least {LEAST_WIDTH}, not {width}")

"""A line on a terminal that says how many notes were read, while the index of a large folder is made."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from two_loops.cli.progress import progress
from two_loops.search.tool import opened
from two_loops.wording import counted

FEW = 500  # notes that are read at once, before anybody looks up

Say = Callable[[str], object]


@contextmanager
def reading(*, wanted: bool) -> Iterator[Say]:
    """A listener for notes that are read, which says so where standard error is a terminal and it is wanted."""
    with progress(wanted=wanted) as line:
        yield _Reading(line.say)


@contextmanager
def read_by_tools(folder: Path | None, say: Say) -> Iterator[None]:
    """Say how many notes the search of an agent's tools reads in the folder."""
    if folder is None:
        yield
        return
    notes = opened(folder.absolute())
    notes.on_read = _Reading(say)
    try:
        yield
    finally:
        notes.on_read = None


class _Reading:
    """Counts the notes that it hears of."""

    def __init__(self, say: Say) -> None:
        self._say = say
        self._read = 0

    def __call__(self, _path: str) -> None:
        """Count one."""
        self._read += 1
        if self._read % FEW == 0:
            self._say(f"making an index: {counted(self._read, 'note')} read")

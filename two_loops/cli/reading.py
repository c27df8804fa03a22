"""A line on a terminal that says how many notes were read, while the index of a large folder is made."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.status import Status

from two_loops.cli.screen import status_line
from two_loops.wording import counted

FEW = 500  # notes that are read at once, before anybody looks up


@contextmanager
def reading(*, wanted: bool) -> Iterator[Callable[[str], object] | None]:
    """A listener for notes that are read, where standard error is a terminal and it is wanted."""
    with status_line(wanted=wanted) as status:
        yield None if status is None else _Reading(status)


class _Reading:
    """Counts the notes that it hears of."""

    def __init__(self, status: Status) -> None:
        self._status = status
        self._read = 0

    def __call__(self, _path: str) -> None:
        """Count one."""
        self._read += 1
        if self._read % FEW == 0:
            self._status.update(f"making an index: {counted(self._read, 'note')} read")
            self._status.start()

"""What a search returns."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of a note: lines ``line`` to ``last_line``, counted from 1 as an editor does, of ``file``.

    ``file`` is relative to the notes' folder, ``/``-separated, with control and invisible characters escaped.
    """

    file: str
    line: int
    last_line: int
    snippet: str


@dataclass(frozen=True, slots=True)
class NotRead:
    """A note that was not searched, or not to its end, and why; ``file`` is written as in ``Snippet``."""

    file: str
    reason: str


class SearchResults(list[Snippet]):
    """Snippets, best first, and beside them the notes that could not be read."""

    def __init__(self, snippets: Iterable[Snippet] = (), not_read: Iterable[NotRead] = ()) -> None:
        super().__init__(snippets)
        self.not_read = tuple(not_read)

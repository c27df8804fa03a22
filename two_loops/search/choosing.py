"""The snippets that are shown: the best lines of the best notes, each read again from its note."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from two_loops.search.ranking import Ranked
from two_loops.search.results import Snippet
from two_loops.search.snippets import shown
from two_loops.text import visible

MOST_PER_NOTE = 3
FURTHER_LINE = 0.8


@dataclass(frozen=True, slots=True)
class Found:
    """A snippet, the line that it was chosen for, and what its score counts: less for each further one of a note."""

    snippet: Snippet
    line: Ranked
    weight: float

    @property
    def score(self) -> float:
        """What the snippet is worth among all."""
        return self.weight * self.line.score


def chosen(
    notes: Iterable[Sequence[Ranked]],
    lines_of: Mapping[str, Sequence[str]],
    words: Mapping[str, float],
    limit: int,
    width: int,
) -> list[Found]:
    """The best snippets of the notes, at most ``MOST_PER_NOTE`` of each.

    notes: the ranked lines of each, best first. lines_of: from a note's path to its lines; a note without is left out.
    words: what each is worth in a long line.
    """
    snippets = (
        islice(_snippets_of(ranked, lines_of[ranked[0].path], words, width), MOST_PER_NOTE)
        for ranked in notes
        if ranked[0].path in lines_of
    )
    return sorted(chain.from_iterable(snippets), key=_order)[:limit]


def _order(found: Found) -> tuple[float, str, int]:
    """Better ones first, equals by name and line."""
    return -found.score, found.snippet.file, found.snippet.line


def _snippets_of(
    ranked: Iterable[Ranked], lines: Sequence[str], words: Mapping[str, float], width: int
) -> Iterator[Found]:
    """The note's snippets; a line that a better one shows has none of its own."""
    taken: set[int] = set()
    weight = 1.0
    for line in ranked:
        if line.line not in taken:
            text, last = shown(lines, line.line, line.start, words, width, taken)
            if line.heading and last == line.line and last + 1 in taken:
                continue  # what it heads is shown already
            taken.update(range(line.line, last + 1))
            yield Found(Snippet(visible(line.path), line.line + 1, last + 1, text), line, weight)
            weight *= FURTHER_LINE

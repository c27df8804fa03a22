"""The lines that answer best: each by its chunk, by the words that it holds, how they stand, and those beside it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log

from two_loops.search.analysing import words_in
from two_loops.search.entries import IN_TITLE, Counts, Entry, characters
from two_loops.search.expanding import Wanted
from two_loops.search.nearness import Neighbours

SATURATION = 1.2  # BM25's k1
BY_LENGTH = 0.75  # BM25's b

# What each part of a line's score counts. A part is 1 where it is as good as it can be.
OF_CHUNK = 6.0
OWN = 1.5
OF_HEADING = 0.7  # in place of OWN: what a heading names, the lines below it tell
TOGETHER = 0.6
BESIDE = 0.5
TOO_LONG = 0.1  # for each doubling, roughly, of the words of a line
SHORT_LINE = 20  # words
LONGEST_TITLE = 6  # words of a note's first line that is no sentence

# From the number of a wanted term to how well it is held: 1 as it was written, less in another form.
Held = dict[int, float]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A line that answers, counted from 0, with what its score is made of; ``start`` as in ``Entry``.

    chunk: the BM25 of its chunk. own, beside: the share of the wanted words that the line holds, and that only the
    lines next to it hold. together: the share of those that stand in the line as they do in the query.
    length: what is taken off a long line. heading: what follows the line says more.
    """

    path: str
    line: int
    start: int
    chunk: float
    own: float
    together: float
    beside: float
    length: float
    heading: bool

    @property
    def score(self) -> float:
        """The sum of its parts."""
        return self.chunk + self.own + self.together + self.beside - self.length


def ranked(entries: Iterable[Entry], wanted: Sequence[Wanted], counts: Counts) -> list[list[Ranked]]:
    """The lines of the chunks that hold a telling word, by note: the note with the best line first, and so its lines.

    Of a note that holds such words only in its name or its title, the first line there is.
    """
    scoring = _Scoring(wanted, counts)
    notes: dict[str, list[Ranked]] = defaultdict(list)
    named: dict[str, Ranked] = {}
    for entry in sorted(entries, key=lambda entry: (entry.path, entry.line, entry.start)):
        first, *others = scoring.lines(entry)
        notes[entry.path] += [line for line in (first, *others) if line.own]
        named.setdefault(entry.path, first)
    best = [sorted(lines or [named[path]], key=_order) for path, lines in notes.items()]
    return sorted(best, key=lambda lines: _order(lines[0]))


def _order(line: Ranked) -> tuple[float, str, int, int]:
    """Better lines first, equals by name and place."""
    return -line.score, line.path, line.line, line.start


class _Scoring:
    """Scores the lines of chunks for the terms wanted."""

    def __init__(self, wanted: Sequence[Wanted], counts: Counts) -> None:
        self._usual = counts.usual
        self._rarity = [term.rarity for term in wanted]
        self._whole = sum(self._rarity)
        self._telling = {number for number, term in enumerate(wanted) if term.telling}
        self._neighbours = Neighbours(wanted)
        self._words: dict[str, list[tuple[int, float]]] = defaultdict(list)
        self._written = [(number, term) for number, term in enumerate(wanted) if term.is_written]
        for number, term in enumerate(wanted):
            for word, weight in term.words.items():
                self._words[word].append((number, weight))

    def lines(self, entry: Entry) -> Iterator[Ranked]:
        """The chunk's first line that is not blank, and each other one that holds a telling word.

        What a line holds counts as its own only where a telling word is among it. A heading gains nothing
        from the lines beside it.
        """
        often = [0.0] * len(self._rarity)
        self._held(entry.title, words_in(entry.title), often, IN_TITLE)
        lines = entry.text.split("\n")
        words = [words_in(line) for line in lines]
        known = self._words.keys()
        held = [
            self._held(line, inside, often, 1.0) if self._written or not known.isdisjoint(inside) else {}
            for line, inside in zip(lines, words, strict=True)
        ]
        chunk = OF_CHUNK * self._chunk(often, characters(entry))
        first = next((number for number, line in enumerate(lines) if line.strip()), 0)
        title = first if entry.line == 0 and len(words[first]) <= LONGEST_TITLE else -1
        for number, own in enumerate(held):
            if (telling := self._telling.intersection(own)) or number == first:
                heading = lines[number].startswith("#") or number == title
                around = (held[by] for by in (number - 1, number + 1) if 0 <= by < len(held) and not heading)
                beside = BESIDE * self._share(_beside(own, around))
                length = TOO_LONG * log(1 + len(words[number]) / SHORT_LINE)
                share = (OF_HEADING if heading else OWN) * self._share(own) if telling else 0.0
                near = self._neighbours.together(words[number]) if len(telling) > 1 else 0.0
                place = (entry.path, entry.line + number, entry.start)
                yield Ranked(*place, chunk, share, TOGETHER * near / self._whole, beside, length, heading)

    def _held(self, line: str, words: Sequence[str], often: list[float], weight: float) -> Held:
        """How well the line of these words holds each term that it holds; adds to how often the chunk does."""
        held: Held = {}
        matches = [(number, 1.0) for number, term in self._written if term.is_in(line)]
        matches += [match for word in filter(self._words.__contains__, words) for match in self._words[word]]
        for number, how in matches:
            often[number] += weight * how
            held[number] = max(how, held.get(number, 0.0))
        return held

    def _chunk(self, often: Sequence[float], length: int) -> float:
        """The chunk's BM25, of what it could be at most."""
        slowness = SATURATION * (1 - BY_LENGTH + BY_LENGTH * length / self._usual)
        return (
            sum(rarity * times / (times + slowness) for rarity, times in zip(self._rarity, often, strict=True))
            / self._whole
        )

    def _share(self, held: Held) -> float:
        return sum(self._rarity[number] * how for number, how in held.items()) / self._whole


def _beside(own: Held, around: Iterable[Held]) -> Held:
    """What the lines around hold better than the line itself, by how much."""
    beside: Held = {}
    for held in around:
        for number, how in held.items():
            beside[number] = max(beside.get(number, 0.0), how - own.get(number, 0.0))
    return beside

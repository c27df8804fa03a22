"""The best notes first, and in each the best lines."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

from two_loops.search.hits import Lines
from two_loops.search.matching import Match
from two_loops.search.reading import Note
from two_loops.search.words import Term

# A line's own words count 1 together; these are the shares of what stands around them.
BESIDE = 0.35
IN_NOTE = 0.8
IN_TITLE = 0.3
IN_NAME = 0.3
SATURATION = 0.6

Rarity = dict[Term, float]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A match, with its matching lines from best to worst and their scores; ``terms`` tells how rare each term is."""

    match: Match
    lines: list[tuple[float, int]]
    terms: Rarity

    def order(self) -> tuple[float, str]:
        return -self.lines[0][0], self.match.note.file


def rank(matches: Sequence[Match], notes: Sequence[Note]) -> list[Ranked]:
    """The matches from best to worst: rare words before common ones, whole before parts, equals by name and line."""
    in_lines = _shares(_rarity([(t, len(lines)) for m in matches for t, lines in m.hits.items()], _line_count(notes)))
    in_notes = _shares(_rarity([(t, 1) for m in matches for t in {*m.hits, *m.named}], len(notes)))
    usual = sum(len(note.text) for note in notes) / max(len(notes), 1)
    ranked = [Ranked(match, _scored(match, in_lines, in_notes, usual), in_lines) for match in matches]
    return sorted(ranked, key=Ranked.order)


def _line_count(notes: Iterable[Note]) -> int:
    return sum(note.text.count("\n") + 1 for note in notes)


def _rarity(held: Iterable[tuple[Term, int]], of: int) -> Rarity:
    """BM25's idf of each term."""
    counts: dict[Term, int] = {}
    for term, count in held:
        counts[term] = counts.get(term, 0) + count
    return {term: log(1 + (of - count + 0.5) / (count + 0.5)) for term, count in counts.items()}


def _shares(rarity: Rarity) -> Rarity:
    total = sum(rarity.values())
    return {term: value / total for term, value in rarity.items()}


def _scored(match: Match, in_lines: Rarity, in_notes: Rarity, usual: float) -> list[tuple[float, int]]:
    title = _title_of(match.note)
    around = _of_note(match, in_notes, usual, title)
    own = _own(match, in_lines) or {title: 0.0}
    beside = _beside(match, in_lines, own)
    scored = [(around + score + BESIDE * beside.get(line, 0.0), line) for line, score in own.items()]
    return sorted(scored, key=lambda pair: (-pair[0], pair[1]))


def _title_of(note: Note) -> int:
    return note.text.count("\n", 0, len(note.text) - len(note.text.lstrip()))


def _own(match: Match, in_lines: Rarity) -> Lines:
    """What the terms that a line holds are worth."""
    own: Lines = {}
    for term, lines in match.hits.items():
        for line, strength in lines.items():
            own[line] = own.get(line, 0.0) + in_lines[term] * strength
    return own


def _beside(match: Match, in_lines: Rarity, own: Lines) -> Lines:
    """What the terms are worth that only the line before or after holds."""
    beside: Lines = {}
    for term, lines in match.hits.items():
        reached = {near for line in lines for near in (line - 1, line + 1) if near in own and near not in lines}
        for line in reached:
            strength = max(lines.get(line - 1, 0.0), lines.get(line + 1, 0.0))
            beside[line] = beside.get(line, 0.0) + in_lines[term] * strength
    return beside


def _of_note(match: Match, in_notes: Rarity, usual: float, title: int) -> float:
    """What the note as a whole is worth: its terms with BM25's saturation, its title and its name."""
    length = 0.3 + 0.7 * len(match.note.text) / max(usual, 1)
    score = IN_NAME * sum(in_notes[term] for term in match.named)
    for term, lines in match.hits.items():
        often = sum(lines.values())
        held = IN_NOTE * max(lines.values()) * often / (often + SATURATION * length)
        score += in_notes[term] * (held + IN_TITLE * lines.get(title, 0.0))
    return score

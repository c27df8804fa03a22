"""Which notes hold which terms of a query."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from two_loops.search.forgiving import is_forgivable, nearest, vocabulary
from two_loops.search.hits import Hits, Lines, find_hits, holds_word
from two_loops.search.reading import Note
from two_loops.search.words import Term, fold

FORGIVEN = 0.6
MANY_NOTES = 20


@dataclass(frozen=True, slots=True)
class Match:
    """A note that holds terms of the query in its lines, in its name (``named``), or in both."""

    note: Note
    hits: Hits
    named: frozenset[Term]

    def lines(self) -> set[int]:
        """The lines, from 0, that hold any term."""
        return {line for lines in self.hits.values() for line in lines}


def match_notes(terms: Sequence[Term], notes: Sequence[Note]) -> list[Match]:
    """The notes that hold any of the terms; a word that no note holds is forgiven one edit.

    Where any word is held as written, a forgiven one only adds to lines that match without it.
    """
    terms = _telling(terms, notes)
    named = _named(terms, notes)
    matches = [Match(note, find_hits(terms, note.folded), names) for note, names in zip(notes, named, strict=True)]
    held = {term for match in matches for term in (*match.hits, *match.named)}
    lost = [term for term in terms if term not in held and is_forgivable(term)]
    if lost:
        matches = _forgive(lost, matches, anywhere=not held)
    return [match for match in matches if match.hits or match.named]


def _telling(terms: Sequence[Term], notes: Sequence[Note]) -> Sequence[Term]:
    """In a larger folder the terms without those that most notes hold, as long as a rarer one is left."""
    if len(notes) < MANY_NOTES:
        return terms
    counts = {term: sum(holds_word(term, note.folded) for note in notes) for term in terms}
    rarer = [term for term, count in counts.items() if count <= len(notes) / 2]
    return rarer if any(counts[term] for term in rarer) else terms


def _named(terms: Iterable[Term], notes: Sequence[Note]) -> list[frozenset[Term]]:
    """The terms in each note's name, without those that most names hold: they tell nothing of a note."""
    names = [fold(str(PurePosixPath(note.file).with_suffix(""))) for note in notes]
    counts = {term: sum(holds_word(term, name) for name in names) for term in terms}
    telling = [term for term, count in counts.items() if 0 < count <= max(1, len(notes) // 2)]
    return [frozenset(term for term in telling if holds_word(term, name)) for name in names]


def _forgive(lost: Iterable[Term], matches: Sequence[Match], anywhere: bool) -> list[Match]:
    known = vocabulary(match.note.folded for match in matches if anywhere or match.hits)
    near = [word for term in lost for word in nearest(term, known)]
    return [_with_near(match, near, anywhere) for match in matches] if near else list(matches)


def _with_near(match: Match, near: Iterable[Term], anywhere: bool) -> Match:
    """The match with the near words that it holds, weaker than words as they were written."""
    allowed = None if anywhere else match.lines()
    found = {term: _weakened(lines, allowed) for term, lines in find_hits(near, match.note.folded).items()}
    return Match(match.note, {**{term: lines for term, lines in found.items() if lines}, **match.hits}, match.named)


def _weakened(lines: Lines, allowed: set[int] | None) -> Lines:
    return {line: FORGIVEN * how for line, how in lines.items() if allowed is None or line in allowed}

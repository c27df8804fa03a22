"""Which lines of a note hold which terms."""

from collections.abc import Iterable

from two_loops.search.words import Term, is_word_char

WHOLE = 1.0
INSIDE_A_WORD = 0.5
MAX_LINES = 20_000
SHORTEST_INSIDE = 3

# Line numbers, counted from 0, each with how well the line holds the term.
Lines = dict[int, float]
Hits = dict[Term, Lines]


def find_hits(terms: Iterable[Term], folded: str) -> Hits:
    """The terms that the folded text holds, each with its lines, at most ``MAX_LINES`` of them."""
    found = ((term, lines_with(term, folded)) for term in terms if term.text in folded)
    return {term: lines for term, lines in found if lines}


def lines_with(term: Term, folded: str) -> Lines:
    """The lines that hold the term: whole, or inside a longer word when it is long enough to mean something there."""
    lines: Lines = {}
    line, counted = 0, 0
    at = folded.find(term.text)
    while at >= 0 and len(lines) < MAX_LINES:
        line, counted = line + folded.count("\n", counted, at), at
        strength = strength_at(term, folded, at)
        if strength > lines.get(line, 0.0):
            lines[line] = strength
        after = folded.find("\n", at) if strength == WHOLE else at + len(term.text)
        at = folded.find(term.text, after) if after >= 0 else -1
    return lines


def strength_at(term: Term, folded: str, at: int) -> float:
    """How well the text holds the term at this place, where its characters stand; 0 when that says nothing."""
    end = at + len(term.text)
    goes_on = (at > 0 and is_word_char(folded[at - 1])) or (end < len(folded) and is_word_char(folded[end]))
    if not (term.words and goes_on):
        return WHOLE
    return INSIDE_A_WORD if len(term.text) >= SHORTEST_INSIDE or not term.text.isascii() else 0.0


def holds_word(term: Term, folded: str) -> bool:
    """Whether the folded text holds the term as a whole."""
    at = folded.find(term.text)
    while at >= 0 and strength_at(term, folded, at) != WHOLE:
        at = folded.find(term.text, at + len(term.text))
    return at >= 0

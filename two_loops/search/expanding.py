"""What counts as a term of the query in these notes: the word, its other forms, and near words for an unknown one."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from math import log

from two_loops.search.analysing import stands_in, words_in
from two_loops.search.asking import asks
from two_loops.search.forgiving import inside, is_forgivable, one_edit_away, two_edits_away
from two_loops.search.forms import stem
from two_loops.search.making import AnyIndex
from two_loops.search.query import Term

FORM = 0.6
BEGUN = 0.3
MISSPELT = 0.8
INSIDE = 0.6
TWICE_MISSPELT = 0.5
ASKING = 0.5  # of the rarity of a word that asks

SHORTEST_WITH_FORMS = 4
SHORTEST_BEGUN = 3
MOST_FORMS = 400  # words of the same beginning that are looked at
MOST_BEGUN = 12
MOST_NEAR = 40
FEW_CHUNKS = 20
COMMON = 0.35  # of the chunks


@dataclass(frozen=True, slots=True)
class Wanted:
    """A term, the words that count as it with how much each does, and how rare it is in the notes.

    telling: chunks are looked for by it; a word that asks or that many chunks hold only helps to choose among them.
    """

    term: Term
    words: Mapping[str, float]
    rarity: float
    telling: bool

    @property
    def is_written(self) -> bool:
        """Whether a line must hold the term as it is written, in place of words that count as it."""
        return self.term.kind in ("code", "literal")

    def is_in(self, line: str) -> bool:
        """Whether the analysed line holds it as it is written."""
        text = self.term.text
        return text in line and (self.term.kind == "literal" or stands_in(text, line))


def wanted(terms: Iterable[Term], index: AnyIndex) -> list[Wanted]:
    """The terms that the notes hold in any form; a literal is looked for as it is."""
    chunks = index.counts().chunks
    held = [(term, words, min(_holding(term, words, index), chunks)) for term, words in _expanded(terms, index)]
    rarer = [term for term, _, holding in held if holding <= COMMON * chunks and _may_tell(term)]
    telling = rarer if rarer and chunks > FEW_CHUNKS else [term for term, _, _ in held]
    return [
        Wanted(term, words, (ASKING if asks(term.text) else 1.0) * rarity(holding, chunks), term in telling)
        for term, words, holding in held
    ]


def _may_tell(term: Term) -> bool:
    return term.kind != "code" and not asks(term.text)


def rarity(holding: int, chunks: int) -> float:
    """BM25's idf of what so many of the chunks hold."""
    return log(1 + (chunks - holding + 0.5) / (holding + 0.5))


def _expanded(terms: Iterable[Term], index: AnyIndex) -> list[tuple[Term, dict[str, float]]]:
    expanded = [(term, _counting_as(term, index)) for term in terms]
    return [(term, words) for term, words in expanded if words]


def _counting_as(term: Term, index: AnyIndex) -> dict[str, float]:
    """The words of the notes that count as the term, with how much; none where nothing does."""
    if term.kind == "literal":
        return {term.text: 1.0}
    if term.kind == "code":
        return {term.text: 1.0} if all(map(index.holding, words_in(term.text))) else {}
    if term.kind == "pair":
        return {term.text: 1.0} if index.holding(term.text) else {}
    root = stem(term.text)
    alike = _alike(term.text, root, index)
    forms = {word: FORM for word in alike if stem(word) == root}
    if index.holding(term.text):
        return {**dict.fromkeys(_begun(term.text, alike, index), BEGUN), **forms, term.text: 1.0}
    return forms or ({} if asks(term.text) else _near(term.text, alike, index))


def _alike(word: str, root: str, index: AnyIndex) -> Collection[str]:
    """The words that begin as the word's root does, when it is long enough to have other forms."""
    if len(word) < SHORTEST_WITH_FORMS:
        return ()
    return index.beginning(root[: max(SHORTEST_BEGUN, len(root) - 1)], MOST_FORMS)


def _begun(word: str, alike: Collection[str], index: AnyIndex) -> Iterable[str]:
    """The words that begin with the word, when it is long enough to mean something there."""
    if 0 < len(alike) < MOST_FORMS:  # those that begin with the word are all among them
        return islice((other for other in alike if other.startswith(word)), MOST_BEGUN)
    return index.beginning(word, MOST_BEGUN) if len(word) >= SHORTEST_BEGUN or not word.isascii() else ()


def _near(word: str, alike: Collection[str], index: AnyIndex) -> dict[str, float]:
    """The words that an unknown one may stand for or be a part of, of the nearest kind that there is."""
    vocabulary = index.vocabulary()
    slips = one_edit_away(word, vocabulary) if is_forgivable(word) else []
    nearest = dict.fromkeys([*_begun(word, alike, index), *slips], MISSPELT)
    nearest = nearest or dict.fromkeys(inside(word, vocabulary), INSIDE)
    if not nearest and is_forgivable(word):
        nearest = dict.fromkeys(two_edits_away(word, vocabulary), TWICE_MISSPELT)
    held = sorted((other for other in nearest if index.holding(other)), key=lambda other: (-nearest[other], other))
    return {other: nearest[other] for other in held[:MOST_NEAR]}


def _holding(term: Term, words: Iterable[str], index: AnyIndex) -> int:
    """How many chunks hold what counts as the term, at most."""
    if term.kind == "code":
        return min(map(index.holding, words_in(term.text)))
    return sum(map(index.holding, words))

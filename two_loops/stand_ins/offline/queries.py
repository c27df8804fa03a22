"""What to search for next: the question's own words first, then others where those found too little."""

from collections.abc import Iterator, Sequence

from two_loops.stand_ins.offline.agreement import found_nowhere
from two_loops.stand_ins.offline.answer import answering
from two_loops.stand_ins.offline.calendar import MONTHS
from two_loops.stand_ins.offline.distrust import is_secret
from two_loops.stand_ins.offline.evidence import Line
from two_loops.stand_ins.offline.question import Question
from two_loops.stand_ins.offline.vocabulary import also
from two_loops.stand_ins.offline.words import Word

_MOST_SEARCHES = 4
_MOST_KEYWORDS = 5
_OPENING_SEARCHES = 3
_MONTHS_AT_ONCE = 3


def next_queries(question: Question, lines: Sequence[Line], made: Sequence[str]) -> list[str]:
    """The searches worth making now, none twice: one, or several at once for a broad question; none when done."""
    before = {query.casefold() for query in made}
    words = [word for word in question.words if not is_secret(word.typed)]
    planned = dict.fromkeys(_plan(question, words, lines) if words else [])
    new = [query for query in planned if query.casefold() not in before]
    opening = [query for query in new if question.broad and query in _opening(question, words)]
    return (opening or new[:1])[: max(0, _MOST_SEARCHES - len(made))]


def _plan(question: Question, words: list[Word], lines: Sequence[Line]) -> Iterator[str]:
    yield from _opening(question, words)
    lost = sorted(found_nowhere(words, lines) & set(question.specific), key=lambda word: (-len(word.plain), word))
    yield from (word.typed for word in lost)
    if answering(question, lines):
        return
    yield from map(_in_other_words, lost)
    if not lost:
        yield from (word.typed for word in words)


def _opening(question: Question, words: list[Word]) -> list[str]:
    own = [word.typed for word in words][:_MOST_KEYWORDS]
    if question.months:
        return [*_with_months(own, question.months), " ".join(own)][:_OPENING_SEARCHES]
    if not question.broad:
        return [" ".join(own)]
    wider = list(dict.fromkeys([*own, *(other for word in words for other in also(word.plain))]))
    return _chunks(wider, _MOST_KEYWORDS)[:_OPENING_SEARCHES]


def _with_months(own: list[str], months: Sequence[int]) -> list[str]:
    """The question's words with the nearest months, a few at a time."""
    names = _chunks([MONTHS[month - 1] for month in months], _MONTHS_AT_ONCE)[: _OPENING_SEARCHES - 1]
    return [" ".join([*own[: _MOST_KEYWORDS - _MONTHS_AT_ONCE], chunk]) for chunk in names]


def _in_other_words(word: Word) -> str:
    others = also(word.plain) or (_other_number(word.plain),)
    return " ".join(others[:_MOST_KEYWORDS])


def _other_number(plain: str) -> str:
    """The plural of a singular, roughly, and the other way round."""
    if plain.endswith("s") and not plain.endswith("ss"):
        return plain[:-1]
    return plain + ("es" if plain.endswith(("s", "x", "z", "ch", "sh")) else "s")


def _chunks(words: list[str], size: int) -> list[str]:
    return [" ".join(words[start : start + size]) for start in range(0, len(words), size)]

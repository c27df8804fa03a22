"""Each sentence of an answer held against what the run's tools showed."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict

from two_loops.values.backing.dates import Found, dates, years
from two_loops.values.backing.numbers import is_ordinal, numbers, outside, spelled_out
from two_loops.values.backing.quotations import names, quotations, without_quotations, words
from two_loops.values.backing.sentences import sentences
from two_loops.values.backing.sources import Source, sources
from two_loops.values.prose import without_citations


class Backing(BaseModel):
    """One sentence of an answer, without its citations.

    sources: what was shown that shares a number, a date, a name or a quotation with it. unsupported: its numbers, dates
    and quotations that stand nowhere in what was shown. That something stands there does not make the sentence true.
    """

    model_config = ConfigDict(frozen=True)

    sentence: str
    sources: list[Source]
    unsupported: list[str]


def backed(answer: str, files: Iterable[str], messages: Sequence[dict[str, Any]]) -> list[Backing]:
    """What backs the sentences of an answer. files: those that it may cite. messages: the history of its run.

    Numbers are compared by their value, dates by day, month and year in English, quotations by their words. Numbers
    that the answer spells out, and names, are looked for but never listed as unsupported.
    """
    shown = sources(messages)
    return [_backing(sentence, shown) for sentence in sentences(without_citations(answer, files))]


class _Item(NamedTuple):
    """Something that can be checked. checked: it is listed where no source holds it."""

    text: str
    held_by: Callable[[Source], bool]
    checked: bool = True


def _backing(sentence: str, shown: Sequence[Source]) -> Backing:
    items = _items(sentence)
    return Backing(
        sentence=sentence,
        sources=[source for source in shown if any(item.held_by(source) for item in items)],
        unsupported=[item.text for item in items if item.checked and not any(map(item.held_by, shown))],
    )


def _items(sentence: str) -> list[_Item]:
    rest = without_quotations(sentence)
    days = dates(rest)
    figures = [*outside(numbers(rest), days), *years(rest)]
    return [
        *(_Item(f'"{text}"', _holding_words(text)) for text in quotations(sentence)),
        *(_Item(day.text, _holding_date(day)) for day in days),
        *(_Item(number.text, _holding_number(_readings(number, rest))) for number in figures),
        *(_Item(reading, _holding_number(frozenset({reading})), checked=False) for reading in spelled_out(rest)),
        *(_Item(name, _holding_words(name), checked=False) for name in names(rest)),
    ]


def _readings(number: Found, text: str) -> frozenset[str]:
    return number.readings | {f"day {number.text}"} if is_ordinal(number, text) else number.readings


def _holding_words(text: str) -> Callable[[Source], bool]:
    wanted = words(text)
    return lambda source: wanted in source.words


def _holding_date(date: Found) -> Callable[[Source], bool]:
    return lambda source: not date.readings.isdisjoint(source.dates)


def _holding_number(readings: frozenset[str]) -> Callable[[Source], bool]:
    return lambda source: not readings.isdisjoint(source.numbers | source.dates)

"""The numbers of a text, in figures, and what each can mean."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from two_loops.values.backing.dates import Found, places

_NUMBER = re.compile(r"\d+(?:[.,:'’]\d+)*")  # noqa: RUF001 - a mark between thousands
_THOUSANDS = re.compile(r"\d{1,3}(?:([.,'’])\d{3})(?:\1\d{3})*")  # noqa: RUF001
_THOUSANDS_AND_DECIMALS = re.compile(r"(\d{1,3}(?:([.,'’])\d{3})(?:\2\d{3})*)(?!\2)[.,](\d+)")  # noqa: RUF001
_DECIMAL = re.compile(r"\d+[.,]\d+")
_TIME = re.compile(r"(\d{1,2})[:.](\d\d)")
_ORDINAL = re.compile(r"(?:st|nd|rd|th)\b")
_AFTER_NOON = re.compile(r"\s?p\.?m\b", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+")
_LONGEST = 40  # digits; what is longer is compared as it stands

_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_TENS = ("ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SPELLED = {word: str(number) for number, word in enumerate(_ONES, 1)} | {
    word: str(10 * number) for number, word in enumerate(_TENS, 1)
}


def numbers(text: str) -> list[Found]:
    """The numbers that are written in figures, in order."""
    return [
        Found(match.start(), match.end(), match.group(), frozenset(_readings(match)))
        for match in _NUMBER.finditer(text)
    ]


def outside(figures: Sequence[Found], days: Sequence[Found]) -> list[Found]:
    """The numbers that are no part of a date."""
    taken = places(days)
    return [number for number in figures if number.start not in taken]


def is_ordinal(number: Found, text: str) -> bool:
    """Whether the number is one like 1st, which may be the day of a month."""
    return bool(_ORDINAL.match(text, number.end))


def spelled_out(text: str) -> set[str]:
    """The readings of the numbers that a text spells out, as "four percent" does."""
    return {_SPELLED[word] for word in _WORD.findall(text.lower()) if word in _SPELLED}


def _readings(match: re.Match[str]) -> Iterator[str]:
    """1,187 may be 1187 or a decimal number, 1,187.50 is 1187.5, 8.40 may be a time, and 8:40 pm is 20:40."""
    number = match.group()
    if len(number) > _LONGEST:
        yield number
        return
    if _THOUSANDS.fullmatch(number):
        yield _plain(re.sub(r"\D", "", number))
    if both := _THOUSANDS_AND_DECIMALS.fullmatch(number):
        whole = re.sub(r"\D", "", both[1])
        yield _plain(f"{whole}.{both[3]}")
        return
    if time := _TIME.fullmatch(number):
        later = 12 if _AFTER_NOON.match(match.string, match.end()) and int(time[1]) < 12 else 0
        yield f"{int(time[1]) + later}:{time[2]}"
    if _DECIMAL.fullmatch(number):
        yield _plain(number.replace(",", "."))
    elif number.isdecimal():
        yield _plain(number)
    else:
        yield number


def _plain(number: str) -> str:
    """The number without zeros that say nothing."""
    return f"{Decimal(number):f}".rstrip("0").rstrip(".") if "." in number else str(Decimal(number))

"""The dates of an English text: days with their month, months and weekdays alone."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_DAYS, _IN_A_YEAR = 31, 12
_YEAR = 4  # digits

_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" if name != "september" else "sep(?:t(?:ember)?)?" for name in MONTHS)
_DAY = r"(?P<{}>\d{{1,2}})(?:st|nd|rd|th)?"
_DATE = re.compile(
    rf"\b(?P<year>\d{{4}})-(?P<iso_month>\d\d)-(?P<iso_day>\d\d)\b"
    rf"|\b{_DAY.format('day')}\.?\s+(?:of\s+)?(?P<month>{_MONTH})\b"
    rf"|\b(?P<first_month>{_MONTH})\.?\s+{_DAY.format('later_day')}\b(?![:.,]\d)"
    r"|(?<![\d/.,:])(?P<one>\d{1,2})/(?P<other>\d{1,2})(?:/(?P<slashed_year>\d{4}|\d\d))?(?![\d/])"
    r"|(?<![\d/.,:])(?P<dotted_day>\d{1,2})\.(?P<dotted_month>\d{1,2})\.(?P<dotted_year>\d{4}|\d\d)\b"
    rf"|\b(?P<weekday>{'|'.join(WEEKDAYS)})s?\b",
    re.IGNORECASE,
)
_ALONE = re.compile(rf"\b(?:{'|'.join(name.capitalize() for name in MONTHS)})\b")


_WORDS = frozenset({"May", "March", "August"})


class Found(NamedTuple):
    """A piece of a text. readings: what it can mean, each as a text that equals that of another spelling of it."""

    start: int
    end: int
    text: str
    readings: frozenset[str]


def dates(text: str) -> list[Found]:
    """The dates of a text, in order. 12/03 is read as a day of either month.

    Words that are months and something else, too, are months where the text does not begin with them.
    """
    days = [found for match in _DATE.finditer(text) if (found := _found(match)).readings]
    taken, beginning = places(days), len(text) - len(text.lstrip("\"'“ "))
    alone = [
        Found(match.start(), match.end(), match.group(), frozenset({f"month {_number(match.group())}"}))
        for match in _ALONE.finditer(text)
        if match.start() not in taken and not (match.group() in _WORDS and match.start() == beginning)
    ]
    return sorted([*days, *alone])


def years(text: str) -> list[Found]:
    """The years, of four digits, that stand inside of dates such as 2024-03-12 and 12.03.2024."""
    return [
        Found(*match.span(part), match[part], frozenset({match[part]}))
        for match in _DATE.finditer(text)
        for part in ("year", "slashed_year", "dotted_year")
        if match[part] and len(match[part]) == _YEAR
    ]


def places(found: Sequence[Found]) -> set[int]:
    """The places of the text that these take up."""
    return {at for piece in found for at in range(piece.start, piece.end)}


def told_by(found: Found) -> frozenset[str]:
    """What a date of a source tells: a day of a month tells that month too, and that day of any month."""
    pairs = [reading.split("-") for reading in found.readings if "-" in reading]
    return found.readings | {told for day, month in pairs for told in (f"day {day}", f"month {month}")}


def _found(match: re.Match[str]) -> Found:
    return Found(match.start(), match.end(), match.group(), frozenset(_readings(match)))


def _readings(match: re.Match[str]) -> Iterator[str]:
    part = match.groupdict()
    if part["weekday"]:
        yield part["weekday"].lower()
    for day, month in (("iso_day", "iso_month"), ("dotted_day", "dotted_month"), ("one", "other"), ("other", "one")):
        if part[day] and int(part[day]) <= _DAYS and 1 <= int(part[month]) <= _IN_A_YEAR:
            yield f"{int(part[day])}-{int(part[month])}"
    for day, month in (("day", "month"), ("later_day", "first_month")):
        if part[day] and int(part[day]) <= _DAYS:
            yield f"{int(part[day])}-{_number(part[month])}"


def _number(month: str) -> int:
    return next(number for number, name in enumerate(MONTHS, 1) if name.startswith(month.lower()[:3]))

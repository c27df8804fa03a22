"""Months and dates in English text, without any idea of today."""

import re

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_SHORT = [month[:3] for month in MONTHS]
# Names count only with their capital: "may" and "march" are ordinary words.
_NAMED = re.compile(rf"\b({'|'.join(MONTHS)}|{'|'.join(_SHORT)}|Sept)\b")
_NUMBERED = re.compile(r"\b\d{4}-(0[1-9]|1[0-2])-\d\d\b")
_PERIOD = re.compile(
    r"\b(?P<side>before|by|until|till|after|since|from)\s+(?:the\s+)?(?:(?:beginning|start|end)\s+of\s+)?"
    rf"(?P<day>\d{{1,2}}\w*\s+)?(?:of\s+)?(?P<month>{'|'.join(MONTHS)})\b",
    re.IGNORECASE,
)

A_DATE = re.compile(
    rf"{_NAMED.pattern}|{_NUMBERED.pattern}|\b\d{{1,2}}[/.:]\d{{1,2}}\b|\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"
)
"""Something in a line that may tell a date, a day or a time."""


def months_in(line: str) -> set[int]:
    """The months (1-12) that ``line`` names."""
    named = {_SHORT.index(name[:3]) + 1 for name in _NAMED.findall(line)}
    return named | {int(number) for number in _NUMBERED.findall(line)}


def months_before_or_after(question: str) -> tuple[tuple[int, ...], str]:
    """The months of a calendar year that "before July" and the like leave, nearest first, and the rest of the question.

    The named month itself belongs to them except before or after the whole of it. Without such words: no months.
    """
    if not (period := _PERIOD.search(question)):
        return (), question
    month = _SHORT.index(period["month"][:3].capitalize()) + 1
    side = period["side"].lower()
    whole = not period["day"] and side in ("before", "after")
    earlier = range(month - whole, 0, -1)
    later = range(month + whole, 13)
    months = tuple(earlier if side in ("before", "by", "until", "till") else later)
    return months, question[: period.start()] + " " + question[period.end() :]

"""An answer in sentences."""

import re

from two_loops.values.backing.dates import MONTHS

_CLOSING = "\"'”’»)"  # noqa: RUF001 - marks that models write
_OPENING = "\"'“„‘«(["  # noqa: RUF001
_MONTH = "|".join(month.capitalize() for month in MONTHS)
# A sentence ends where the next one begins with a capital; "12. March" does not.
_END = re.compile(
    rf"(?:(?<=[.!?])|(?<=[.!?][{re.escape(_CLOSING)}]))(?!(?<=\d\.)\s+(?:{_MONTH}))\s+"
    rf"(?=[{re.escape(_OPENING)}]*[^\W\d_a-z])"
)
_MARK = re.compile(r"\s*(?:[-*+•#>]+\s+|\(?\d{1,3}[.)]\s+)*")


def sentences(text: str) -> list[str]:
    """The sentences of a text, without the marks and numbers of lists."""
    lines = (line[_mark(line) :] for line in text.splitlines())
    parts = (part.strip() for line in lines for part in _END.split(line))
    return [part for part in parts if any(char.isalnum() for char in part)]


def _mark(line: str) -> int:
    """Where a line begins behind its mark."""
    mark = _MARK.match(line)
    return mark.end() if mark else 0

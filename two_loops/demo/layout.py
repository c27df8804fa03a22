"""The lines of two agents on one screen: side by side, or once where they are the same."""

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import zip_longest
from textwrap import wrap

from two_loops.demo.telling import Line

WIDE = 110  # columns from which on two agents stand side by side
_LABEL = 11  # columns of a label, with the blank behind it
_INDENT = 2
LONGEST_PROSE = 100  # columns; longer lines are hard to read

SAME, OTHER = " = ", " ≠ "

Pair = tuple[Line | None, Line | None]


def laid_out(names: Sequence[str], one: Sequence[Line], other: Sequence[Line], width: int | None) -> list[str]:
    """What two agents of these names did, as lines of a screen.

    width: columns of the terminal; None where there is none, and then nothing is wrapped.
    """
    if width is not None and width >= WIDE:
        return list(_side_by_side(names, _pairs(one, other), width))
    return list(_stacked(names, _pairs(one, other), width))


def _pairs(left: Sequence[Line], right: Sequence[Line]) -> Iterator[Pair]:
    """The lines two by two; where one side has a line more, the lines after it still meet their equals."""
    for _, first, last, start, end in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        yield from zip_longest(left[first:last], right[start:end])


def _side_by_side(names: Sequence[str], pairs: Iterator[Pair], width: int) -> Iterator[str]:
    column = (width - len(SAME)) // 2
    yield f"{names[0]:{column}}{' ' * len(SAME)}{names[1]}"
    for left, right in pairs:
        mark = SAME if left == right else OTHER
        for beginning, end in zip_longest(_rows(left, column), _rows(right, column), fillvalue=""):
            yield f"{beginning:{column}}{mark}{end}".rstrip()


def _stacked(names: Sequence[str], pairs: Iterator[Pair], width: int | None) -> Iterator[str]:
    margin = max(map(len, (*names, "both")))
    for left, right in pairs:
        told = [("both", left)] if left == right else [(names[0], left), (names[1], right)]
        for name, line in told:
            yield from (f"{name:{margin}} | {row}" for row in _rows(line, width and width - margin - 3))


def _rows(line: Line | None, width: int | None) -> list[str]:
    if line is None:
        return []
    beginning = "" if line.label is None else " " * _INDENT + f"{line.label:{_LABEL}}"
    if width is None:
        return [beginning + line.text]
    room = max(width, 2 * (_INDENT + _LABEL))
    after = " " * len(beginning)
    return wrap(line.text, room, initial_indent=beginning, subsequent_indent=after, break_on_hyphens=False)


def prose(text: str, width: int | None) -> str:
    """A paragraph, wrapped where there is a terminal."""
    return text if width is None else "\n".join(wrap(text, max(20, min(width, LONGEST_PROSE))))

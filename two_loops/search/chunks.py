"""A note's text cut into chunks, the unit that is indexed and found."""

from collections.abc import Iterator
from typing import NamedTuple

LONGEST = 1200  # characters of several lines together
LONGEST_LINE = 2400  # characters of a line that is not cut itself
OVERLAP = 50  # characters, where a line is cut in the middle of a word


class Chunk(NamedTuple):
    """Whole lines, the first of them line ``line`` of the note, or a piece of a long one; both count from 0.

    start: where in its line the piece begins.
    """

    line: int
    start: int
    text: str


def chunks_of(text: str) -> list[Chunk]:
    """The chunks of a text that hold more than space, in order; of a text of nothing but space, its first line."""
    chunks = [chunk for chunk in _cut(text) if chunk.text.strip()]
    return chunks or [Chunk(0, 0, "")]


def _cut(text: str) -> Iterator[Chunk]:
    if len(text) <= LONGEST:
        yield Chunk(0, 0, text)
        return
    held: list[str] = []
    first = length = 0
    for number, line in enumerate(text.split("\n")):
        if held and length + len(line) > LONGEST:
            yield Chunk(first, 0, "\n".join(held))
            held = []
        if not held:
            first, length = number, 0
        if len(line) > LONGEST_LINE:
            yield from _pieces(line, number)
        else:
            held.append(line)
            length += len(line) + 1
    if held:
        yield Chunk(first, 0, "\n".join(held))


def _pieces(line: str, number: int) -> Iterator[Chunk]:
    start = 0
    while start < len(line):
        end = min(start + LONGEST, len(line))
        space = line.rfind(" ", start + 1, end) if end < len(line) else end
        yield Chunk(number, start, line[start : space if space > 0 else end])
        start = space if space > 0 else end - OVERLAP

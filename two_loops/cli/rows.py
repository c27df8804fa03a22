"""Rows in aligned columns."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import TypeVar

from rich.cells import cell_len

T = TypeVar("T")


def table(
    header: tuple[str, ...], cells: Callable[[T], tuple[str, ...]], items: Sequence[T], *, left: int
) -> Iterator[str]:
    """The rows in aligned columns, the first ``left`` of them words and the others numbers."""
    widths = [cell_len(title) for title in header]
    for item in items:
        widths = [max(width, cell_len(cell)) for width, cell in zip(widths, cells(item), strict=True)]
    for row in chain([header], map(cells, items)):
        gaps = [" " * (width - cell_len(cell)) for width, cell in zip(widths, row, strict=True)]
        pairs = [(cell, gap) if n < left else (gap, cell) for n, (cell, gap) in enumerate(zip(row, gaps, strict=True))]
        yield "  ".join(map("".join, pairs)).rstrip()

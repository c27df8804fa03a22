"""What the tools of a run showed to the model, piece by piece."""

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ConfigDict

from two_loops.values.backing.dates import dates, told_by, years
from two_loops.values.backing.numbers import numbers, outside, spelled_out
from two_loops.values.backing.quotations import words
from two_loops.wording import place

PLACE = frozenset({"file", "line", "last_line"})


class Source(BaseModel):
    """A piece of a tool's result. place: the file and its lines, or the tool's name. text: what was shown of it."""

    model_config = ConfigDict(frozen=True)

    place: str
    text: str

    @cached_property
    def words(self) -> str:
        """Its words, for a quotation or a name to be found among."""
        return words(self.text)

    @cached_property
    def dates(self) -> frozenset[str]:
        """What its dates tell."""
        return frozenset(reading for date in dates(self.text) for reading in told_by(date))

    @cached_property
    def numbers(self) -> frozenset[str]:
        """What its numbers can mean, those in words too, but for the days of dates."""
        figures = [*outside(numbers(self.text), dates(self.text)), *years(self.text)]
        return frozenset(reading for number in figures for reading in number.readings) | spelled_out(self.text)


def sources(messages: Sequence[dict[str, Any]]) -> list[Source]:
    """What the results in a history show, each piece once; failed calls show nothing."""
    tools = {block["id"]: block["name"] for block in _blocks(messages, "tool_use")}
    results = (block for block in _blocks(messages, "tool_result") if not block.get("is_error"))
    pieces = (piece for block in results for piece in _pieces(tools[block["tool_use_id"]], str(block["content"])))
    return list(dict.fromkeys(pieces))


def _blocks(messages: Sequence[dict[str, Any]], kind: str) -> Iterator[dict[str, Any]]:
    for message in messages:
        content = message["content"]
        yield from (block for block in content if isinstance(content, list) and block.get("type") == kind)


def _pieces(tool: str, content: str) -> Iterator[Source]:
    """The parts of a result that name a file and a line, or else the whole of it."""
    try:
        value = json.loads(content)
    except ValueError:
        value = content
    items = value if isinstance(value, list) else [value]
    placed = [item for item in items if isinstance(item, dict) and isinstance(item.get("file"), str)]
    yield from (_placed(item) for item in placed)
    if not placed:
        yield Source(place=tool, text=content)


def _placed(item: dict[str, Any]) -> Source:
    line, last = (item.get(end) if isinstance(item.get(end), int) else None for end in ("line", "last_line"))
    texts = [value for name, value in item.items() if name not in PLACE and isinstance(value, str)]
    return Source(place=place(item["file"], line, last), text="\n".join(texts))

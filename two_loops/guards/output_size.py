"""A cap on what one tool result may hold, whatever the tool; a result that was cut says so."""

from itertools import accumulate
from typing import Any

from two_loops.values.output import Output, as_json

NAME = "output_size"
LONGEST = 50_000  # characters of the JSON text that is sent
LONGEST_ERROR = 2000  # characters of an error result


def capped(output: Output) -> Output:
    """The result, cut where it is too long: a list to its first items, anything else to the beginning of its text.

    What is cut away counts as not shown; of a result that is neither list nor text nothing is left to count.
    """
    if len(output.text) <= LONGEST:
        return output
    if isinstance(output.data, list):
        return _first_items(output)
    if isinstance(output.data, str):
        return Output(output.value, _beginning(output.data, "characters"))
    return Output(None, _beginning(output.text, "characters of JSON"))


def capped_error(text: str) -> str:
    """The text of an error result, cut where it is too long."""
    if len(text) <= LONGEST_ERROR:
        return text
    return f"{text[:LONGEST_ERROR]}… (cut: {LONGEST_ERROR} of {len(text)} characters shown)"


def _first_items(output: Output) -> Output:
    kept = _fitting(output.data)
    value = output.value[:kept] if isinstance(output.value, (list, tuple)) else None
    return Output(value, [*output.data[:kept], f"(cut: {kept} of {len(output.data)} items shown)"])


def _fitting(items: list[Any]) -> int:
    """How many items from the start fit under the cap."""
    sizes = (len(as_json(item)) + len(", ") for item in items)
    return sum(1 for size in accumulate(sizes) if size <= LONGEST)


def _beginning(text: str, unit: str) -> str:
    kept = LONGEST
    while (excess := len(as_json(text[:kept])) - LONGEST) > 0:
        kept -= max(1, excess // 6)  # an escaped character takes up to six
    return f"{text[:kept]}… (cut: {kept} of {len(text)} {unit} shown)"

"""Where two values differ, in words."""

import json
from collections.abc import Iterable
from typing import Any

SHOWN = 200  # characters of each of the two
as_text = json.JSONEncoder(sort_keys=True, default=str).encode


def difference(made: Any, expected: Any) -> str | None:
    """The first place in which two values differ as JSON, in which 1, 1.0 and true are three; None where they don't."""
    made, expected = as_text(made), as_text(expected)
    return None if made == expected else _place("", json.loads(made), json.loads(expected))


def _place(path: str, made: Any, expected: Any) -> str | None:
    if type(made) is type(expected) is dict and made.keys() == expected.keys():
        return _first((f"{path}.{key}", value, expected[key]) for key, value in made.items())
    if type(made) is type(expected) is list and len(made) == len(expected):
        return _first((f"{path}[{n}]", *both) for n, both in enumerate(zip(made, expected, strict=True)))
    return None if as_text(made) == as_text(expected) else f"{path or 'it'} is {_short(made)}, not {_short(expected)}"


def _first(parts: Iterable[tuple[str, Any, Any]]) -> str | None:
    return next((told for part in parts if (told := _place(*part))), None)


def _short(value: Any) -> str:
    text = as_text(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}… ({len(text)} characters)"

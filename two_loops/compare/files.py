"""Questions and scripts, read from files that somebody else wrote."""

import json
from collections.abc import Mapping
from typing import Any

from two_loops.errors import WrongUse
from two_loops.files import bytes_of
from two_loops.stand_ins.script import message

# What a block of a reply must hold as text, by its type; blocks of other types are sent as they are.
TEXTS: Mapping[str, tuple[str, ...]] = {
    "text": ("text",),
    "tool_use": ("id", "name"),
    "thinking": ("thinking", "signature"),
}


def questions_in(path: str) -> list[str]:
    """The questions of a file, one a line; blank lines and comments (#) are none. Raises WrongUse without any."""
    lines = [line.strip() for line in _text_of(path, "the questions").removeprefix("\ufeff").split("\n")]
    if found := [line for line in lines if line and not line.startswith("#")]:
        return found
    raise WrongUse(f"the questions {path} can't be used: there is no question in it")


def script_in(path: str) -> list[dict[str, Any]]:
    """The replies of a script: a JSON list of messages as the Messages API sends them.

    Each has its ``content`` and ``stop_reason``; what else a message holds may be left out. Raises WrongUse where the
    file can't be read or is no such list.
    """
    text = _text_of(path, "the script")
    try:
        replies = _replies(_parsed(text))
    except WrongUse as error:
        raise WrongUse(f"the script {path} can't be used: {error}") from error
    return replies


def _text_of(path: str, what: str) -> str:
    try:
        return bytes_of(path, what).decode()
    except UnicodeDecodeError as error:
        raise WrongUse(f"{what} {path!r} can't be read: {error}") from error


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_refused)
    except WrongUse:
        raise
    except ValueError as error:  # a number of thousands of digits is one too
        raise WrongUse(f"it is no JSON: {error}") from error
    except RecursionError as error:
        raise WrongUse("it is nested too deep") from error


def _refused(word: str) -> None:
    raise WrongUse(f"it is no JSON: {word} is no number there")


def _replies(value: Any) -> list[dict[str, Any]]:
    _require(isinstance(value, list), "it is no list of replies")
    _require(value != [], "the list has no reply")
    return [_reply(f"reply {number}", reply) for number, reply in enumerate(value, 1)]


def _reply(name: str, value: Any) -> dict[str, Any]:
    _require(isinstance(value, dict), f"{name} is no object")
    _require(isinstance(value.get("content"), list), f"{name} has no list as its content")
    _require(isinstance(value.get("stop_reason"), str), f"{name} has no text as its stop_reason")
    for number, block in enumerate(value["content"], 1):
        _check_block(f"{name}, block {number}", block)
    return message(**value)


def _check_block(name: str, block: Any) -> None:
    _require(isinstance(block, dict) and isinstance(block.get("type"), str), f"{name} has no type")
    for key in TEXTS.get(block["type"], ()):
        _require(isinstance(block.get(key), str), f"{name} has no text as its {key}")


def _require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise WrongUse(otherwise)

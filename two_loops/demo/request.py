"""What is new in a request, in short."""

import json
from collections.abc import Iterator
from typing import Any

from two_loops.wording import counted

SHOWN = 70  # characters of a snippet


def sent(request: dict[str, Any]) -> str:
    """How long the history is, what came to it last, and whether tools are forbidden."""
    messages = request["messages"]
    choice = f", tool_choice: {request['tool_choice']['type']}" if "tool_choice" in request else ""
    new = "the question" if len(messages) == 1 else "the last reply, then"
    return f"{counted(len(messages), 'message')}{choice}; new: {new}"


def last_message(request: dict[str, Any], planted: str | None) -> Iterator[str]:
    """The last message, a line for each part of it; a snippet that holds what was planted is shown whole."""
    content = request["messages"][-1]["content"]
    for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
        if block["type"] == "text":
            yield quoted(block["text"])
        elif block["type"] != "tool_result":
            yield block["type"]
        elif block.get("is_error"):
            yield f"tool_result for {block['tool_use_id']}, an error: {quoted(block['content'])}"
        else:
            yield f"tool_result for {block['tool_use_id']}, a string that holds JSON:"
            yield from (_in_short(snippet, planted) for snippet in json.loads(block["content"]))


def places(value: Any, text: str, path: str = "") -> Iterator[str]:
    """Where a text stands in a request: the path to each string that holds it, through strings that are JSON too."""
    if isinstance(value, str) and text in value:
        inside = list(_places_in_json(value, text, path))
        yield from inside or [path]
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from places(item, text, f"{path}.{name}".lstrip("."))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from places(item, text, f"{path}[{number}]")


def _places_in_json(value: str, text: str, path: str) -> Iterator[str]:
    try:
        held = json.loads(value)
    except ValueError:
        return
    if isinstance(held, (dict, list)):
        yield from places(held, text, f"{path} -> JSON ")


def quoted(text: str) -> str:
    """The text as a JSON string, which nothing in it can end."""
    return json.dumps(text, ensure_ascii=False)


def _in_short(snippet: dict[str, Any], planted: str | None) -> str:
    text = snippet["snippet"]
    whole = len(text) <= SHOWN or (planted is not None and planted in text)
    return json.dumps(snippet | {"snippet": text if whole else f"{text[:SHOWN]}…"}, ensure_ascii=False)

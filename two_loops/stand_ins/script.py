"""The words of a script: messages as the API would send them, in one call each."""

from typing import Any

MODEL = "claude-haiku-5-5"


def says(text: str, **fields: Any) -> dict[str, Any]:
    """A reply that ends the turn with a text."""
    return message([{"type": "text", "text": text}], **fields)


def calls(*tool_uses: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A reply that asks for tool calls."""
    return message(list(tool_uses), stop_reason="tool_use", **fields)


def tool_use(name: str, identity: str = "toolu_1", **arguments: Any) -> dict[str, Any]:
    """One call, to be given to ``calls``."""
    return {"type": "tool_use", "id": identity, "name": name, "input": arguments}


def message(content: list[Any], *, stop_reason: str | None = "end_turn", **fields: Any) -> dict[str, Any]:
    """Any reply; ``fields`` replace or add to the message's own."""
    whole = {
        "id": "msg_scripted",
        "type": "message",
        "role": "assistant",
        "model": MODEL,
        "content": content,
        "stop_reason": stop_reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 500, "output_tokens": 60},
    }
    return whole | fields

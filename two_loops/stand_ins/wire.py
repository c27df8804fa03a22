"""A Messages API message as an HTTP response, whole or as a stream of server-sent events."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx2

PIECES = 8  # events in which a longer text comes
PIECE = 20  # characters that are worth an event


def response(message: dict[str, Any], *, streamed: bool) -> "httpx2.Response":
    """The response with status 200 that carries the message."""
    import httpx2

    if not streamed:
        return httpx2.Response(200, content=_json(message), headers={"content-type": "application/json"})
    body = b"".join(b"event: %s\ndata: %s\n\n" % (event["type"].encode(), _json(event)) for event in events(message))
    return httpx2.Response(200, content=body, headers={"content-type": "text/event-stream"})


def error(status: int, kind: str, text: str) -> "httpx2.Response":
    """An error response as the API words it."""
    import httpx2

    return httpx2.Response(status, json={"type": "error", "error": {"type": kind, "message": text}})


def events(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The stream events that add up to the message."""
    usage, content = message.get("usage"), message["content"]
    whole = isinstance(content, list)  # what is no list is sent as it is
    start = message | {"content": [] if whole else content, "stop_reason": None, "stop_sequence": None}
    yield {"type": "message_start", "message": start}
    for index, block in enumerate(content if whole else []):
        yield from _block_events(index, block)
    delta = {"stop_reason": message.get("stop_reason"), "stop_sequence": message.get("stop_sequence")}
    yield {"type": "message_delta", "delta": delta, "usage": usage}
    yield {"type": "message_stop"}


def _block_events(index: int, block: Any) -> Iterator[dict[str, Any]]:
    emptied, deltas = block, []
    if not isinstance(block, dict):
        pass
    elif block.get("type") == "text":
        emptied = block | {"text": ""}
        deltas = [{"type": "text_delta", "text": piece} for piece in _pieces(block["text"])]
    elif block.get("type") == "tool_use" and "input" in block:
        emptied = block | {"input": {}}
        written = _pieces(json.dumps(block["input"]))
        deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in written]
    elif block.get("type") == "thinking":
        emptied = block | {"thinking": "", "signature": ""}
        deltas = [
            {"type": "thinking_delta", "thinking": block["thinking"]},
            {"type": "signature_delta", "signature": block["signature"]},
        ]
    yield {"type": "content_block_start", "index": index, "content_block": emptied}
    for delta in deltas:
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


def _pieces(text: Any) -> list[Any]:
    if not isinstance(text, str):
        return [text]
    size = max(PIECE, -(-len(text) // PIECES))
    return [text[start : start + size] for start in range(0, len(text), size)]


def _json(value: Any) -> bytes:
    return json.dumps(value).encode("ascii")

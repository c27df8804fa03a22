"""A Messages API message as an HTTP response, whole or as a stream of server-sent events."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import httpx2


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
    usage = message.get("usage")
    start = message | {"content": [], "stop_reason": None, "stop_sequence": None}
    yield {"type": "message_start", "message": start}
    for index, block in enumerate(message["content"]):
        yield from _block_events(index, block)
    delta = {"stop_reason": message.get("stop_reason"), "stop_sequence": message.get("stop_sequence")}
    yield {"type": "message_delta", "delta": delta, "usage": usage}
    yield {"type": "message_stop"}


def _block_events(index: int, block: dict[str, Any]) -> Iterator[dict[str, Any]]:
    emptied, deltas = block, []
    if block.get("type") == "text":
        emptied, deltas = block | {"text": ""}, [{"type": "text_delta", "text": block["text"]}]
    elif block.get("type") == "tool_use" and "input" in block:
        partial = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        emptied, deltas = block | {"input": {}}, [partial]
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


def _json(value: Any) -> bytes:
    return json.dumps(value).encode("ascii")

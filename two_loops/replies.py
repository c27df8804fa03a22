"""From the SDK's message to our plain ``Reply``, and what an answer that is no message becomes."""

import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from two_loops.errors import UnusableReply
from two_loops.text import well_formed
from two_loops.values.call import Call
from two_loops.values.reply import Reply
from two_loops.values.usage import Usage

COUNTS = tuple(vars(Usage()))
_AS_JSON = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
MOST_TOKENS = 10**12  # more than any reply can have used
DEEPEST = 100  # levels of JSON inside one block: more than any tool needs, well below where serialisers give up


def unreadable() -> tuple[type[BaseException], ...]:
    """What the SDK raises, besides its own errors, where a server answers something other than a message."""
    import httpx2

    return (
        httpx2.HTTPError,
        ValueError,
        TypeError,
        AttributeError,
        AssertionError,
        LookupError,
        RecursionError,
        StopIteration,
        StopAsyncIteration,
        UserWarning,
    )


@contextmanager
def receiving(passes: Callable[[BaseException], bool]) -> Iterator[None]:
    """Around one request and the reading of its reply: what can't be used raises UnusableReply, with its cause.

    The SDK's own errors, which tell of a failed request, pass unchanged; so do those for which ``passes`` says so.
    """
    try:
        yield
    except unreadable() as error:
        if passes(error):
            raise
        raise UnusableReply("the server's answer can't be used as a message") from error


def read(message: Any) -> Reply:
    """The message as a Reply. Raises ValueError, TypeError or AttributeError where it is not a whole message."""
    _require(message.role == "assistant", "the role is not assistant")
    _require(isinstance(message.stop_reason, str), "there is no stop reason")
    received = [block.model_dump(exclude_unset=True, warnings=False) for block in message.content]
    carried = received if _is_carried(received) else [_carried(block) for block in received]
    for block in carried:
        _check_block(block)
    content = [block for block in carried if block["type"] != "text" or block["text"].strip()]
    return Reply(
        content=content,
        intact=content == received,
        calls=tuple(_call(block) for block in content if block["type"] == "tool_use"),
        text="".join(block["text"] for block in carried if block["type"] == "text"),
        stop_reason=well_formed(message.stop_reason),
        model=well_formed(message.model) if isinstance(message.model, str) else "",
        container=_container(message),
        request_id=getattr(message, "_request_id", None),
        **_metering(message.usage),
    )


def _require(condition: bool, otherwise: str) -> None:
    if not condition:
        raise ValueError(otherwise)


def _is_carried(content: list[Any]) -> bool:
    """Whether a request can carry the content as it is, as nearly all are; what is doubtful is not, and looked at."""
    try:
        text = _AS_JSON(content)
        text.encode()
    except (ValueError, TypeError, RecursionError):
        return False
    return text.count("[") + text.count("{") <= DEEPEST


def _carried(value: Any, depth: int = 0) -> Any:
    """The same JSON value in a form that the next request can carry: lone surrogates replaced, nothing else changed."""
    if depth > DEEPEST:
        raise ValueError(f"a block is nested more than {DEEPEST} levels deep")
    if isinstance(value, str):
        return well_formed(value)
    if isinstance(value, list):
        return [_carried(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {well_formed(key): _carried(item, depth + 1) for key, item in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("a number is not finite, which JSON has no word for")
    return value


def _check_block(block: dict[str, Any]) -> None:
    kind = block.get("type")
    _require(isinstance(kind, str), "a block has no type")
    for key in {"text": ("text",), "tool_use": ("id", "name")}.get(str(kind), ()):
        _require(isinstance(block.get(key), str), f"a {kind} block has no {key}")


def _call(block: dict[str, Any]) -> Call:
    return Call(tool=block["name"], input=block.get("input"), id=block["id"], toolset_name=block.get("toolset_name"))


def _container(message: Any) -> str | None:
    container = getattr(message, "container", None)
    if container is None:
        return None
    identity = container.id  # without one the tool runner can't go on
    return identity if isinstance(identity, str) else None


def _metering(usage: Any) -> dict[str, Any]:
    """Token counts that a hostile or careless server can't turn negative or into text; unknown ones count as 0."""
    hour = getattr(getattr(usage, "cache_creation", None), "ephemeral_1h_input_tokens", None)
    counted = {name: _count(getattr(usage, name, None)) for name in COUNTS}
    counts = Usage(**{name: count or 0 for name, count in counted.items()})
    return {
        "usage": counts,
        "metered": counted["input_tokens"] is not None and counted["output_tokens"] is not None,
        "cache_creation_1h": min(_count(hour) or 0, counts.cache_creation_input_tokens),
    }


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_TOKENS else None

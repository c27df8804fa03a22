"""One reply of the model, as plain values."""

from dataclasses import dataclass
from typing import Any

from two_loops.values.call import Call
from two_loops.values.usage import Usage


@dataclass(frozen=True)
class Reply:
    """What a run needs of a Messages API message.

    content: the blocks as received, plain JSON values, ready to be sent back.
    intact: False where ``content`` differs from what was received, for no request can carry it: lone surrogates are
    replaced, and blank text blocks, which the API refuses, are left out.
    calls: the ``tool_use`` blocks, in order.
    text: the text blocks, joined.
    usage: the token counts; ``metered`` is False where the server did not report them.
    cache_creation_1h: the part of the cache writes that is kept, and priced, for an hour.
    container: the id of a server-side container that the next request must name again.
    """

    content: list[dict[str, Any]]
    intact: bool
    calls: tuple[Call, ...]
    text: str
    stop_reason: str
    model: str
    usage: Usage
    metered: bool
    cache_creation_1h: int
    container: str | None
    request_id: str | None

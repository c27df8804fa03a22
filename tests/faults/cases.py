"""The table of faults: what the server does in place of a good reply, and what the caller must get for it."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import anthropic
import httpx2

from tests.both.guard_cases import ANSWER, find
from tests.faults import acts
from tests.faults.acts import Act, page, status, stream, streamed
from two_loops import UnusableReply, scripted_client
from two_loops.stand_ins import wire
from two_loops.stand_ins.script import MODEL, message, says

LONG = 10.0  # seconds: no good reply ever takes as much
SHORT = httpx2.Timeout(LONG, read=0.5)  # of a client that gives up while the server is silent
TRIES = 3  # requests that the SDK makes of one, with the two retries that are its default


@dataclass(frozen=True, kw_only=True)
class Fault:
    """What the server does, and the exception that must follow.

    plain, streamed: the exception's exact type, where the reply was to come whole or as a stream; None where the
    fault can't happen. tries: how many requests the server sees, all of them with this fault. max_retries: of the
    client; where it is above 0 and ``tries`` is 1, the SDK must not try again.
    """

    name: str
    does: Act
    plain: type[Exception] | None
    streamed: type[Exception] | None
    tries: int = 1
    max_retries: int = TRIES - 1
    timeout: float | httpx2.Timeout = LONG

    @property
    def seen(self) -> int:
        """How many requests the server sees of it."""
        return 0 if self.does.kind == "refuse" else self.tries

    def expected(self, *, as_stream: bool) -> type[Exception] | None:
        """What a way to ask must raise."""
        return self.streamed if as_stream else self.plain

    def __str__(self) -> str:
        return self.name


def refused_request(code: int, error: type[Exception]) -> Fault:
    """A status that no second try can mend."""
    return Fault(name=f"status {code}", does=status(code), plain=error, streamed=error)


def failed_request(code: int, error: type[Exception], **headers: object) -> Fault:
    """A status that may be another one at the next try; the wait before it is short."""
    does = status(code, **(headers or {"retry_after_ms": 1}))
    return Fault(name=f"status {code}", does=does, plain=error, streamed=error, tries=TRIES)


def lost(
    name: str,
    does: Act,
    plain: type[Exception],
    streamed: type[Exception],
    timeout: float | httpx2.Timeout = LONG,
) -> Fault:
    """A connection that fails; a second try would come after half a second only, so there is none here."""
    return Fault(name=name, does=does, plain=plain, streamed=streamed, max_retries=0, timeout=timeout)


def unusable(name: str, does: Act) -> Fault:
    """An answer with status 200 that is no message, however it was asked for."""
    return Fault(name=name, does=does, plain=UnusableReply, streamed=UnusableReply)


def unusable_stream(name: str, does: Act, error: type[Exception] = UnusableReply) -> Fault:
    """A stream that adds up to no message."""
    return Fault(name=name, does=does, plain=None, streamed=error)


def event_ends(whole: dict[str, Any]) -> list[int]:
    """Where each event of a streamed message ends, in bytes from the start."""
    text = streamed(whole)
    return [at + 2 for at in range(len(text)) if text.startswith(b"\n\n", at)]


def cuts(what: str, whole: dict[str, Any]) -> Iterator[Fault]:
    """The stream of a message ends before an event, or within it."""
    ends = [0, *event_ends(whole)]
    kinds = [f"{event['type']} (event {place})" for place, event in enumerate(wire.events(whole), 1)]
    for kind, (start, end) in zip(kinds, pairwise(ends), strict=True):
        yield unusable_stream(f"{what} cut before its {kind}", acts.cut(whole, start))
        yield unusable_stream(f"{what} cut before its {kind}, in chunks", acts.cut_chunks(whole, start))
        yield unusable_stream(f"{what} cut within its {kind}", acts.cut(whole, (start + end) // 2))


def edited(edit: Callable[[list[Any]], object]) -> Act:
    """The stream of an answer, its list of events changed in place."""
    events: list[Any] = list(wire.events(ANSWER))
    edit(events)
    return stream(*events)


def broken_call() -> Act:
    """The stream of a call whose input is no JSON."""
    events = list(wire.events(find("b")))
    events[2]["delta"]["partial_json"] = '{"query": ]'
    return stream(*events)


def raised_by_the_sdk(status: int) -> type[Exception]:
    """What a bare client raises for a status."""
    with scripted_client([httpx2.Response(status, json={})]) as client:
        try:
            client.messages.create(model=MODEL, max_tokens=1, messages=[])
        except anthropic.APIStatusError as error:
            return type(error)
    raise AssertionError(f"status {status} is no error")


UNMETERED = {name: value for name, value in says("Not in the notes").items() if name != "usage"}
OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
BROKEN = b'event: content_block_delta\ndata: {"type": "content_block_delta", "ind\n\n'

STATUSES = [
    refused_request(400, anthropic.BadRequestError),
    refused_request(401, anthropic.AuthenticationError),
    refused_request(403, anthropic.PermissionDeniedError),
    refused_request(404, anthropic.NotFoundError),
    refused_request(413, anthropic.RequestTooLargeError),
    refused_request(422, anthropic.UnprocessableEntityError),
    failed_request(409, anthropic.ConflictError),
    failed_request(429, anthropic.RateLimitError, retry_after=0.001),
    failed_request(500, anthropic.InternalServerError),
    failed_request(503, raised_by_the_sdk(503)),  # releases differ in its name
    failed_request(529, anthropic.OverloadedError),
]

RESET = lost("a reset connection", acts.reset(), anthropic.APIConnectionError, anthropic.APIConnectionError)

CONNECTIONS = [
    RESET,
    lost("a refused connection", acts.refuse(), anthropic.APIConnectionError, anthropic.APIConnectionError),
    lost("a reset within the body", acts.reset_within(ANSWER), anthropic.APIConnectionError, UnusableReply),
    lost("no answer at all", acts.silence(), anthropic.APITimeoutError, anthropic.APITimeoutError, SHORT),
    lost("half an answer", acts.silence_within(ANSWER), anthropic.APITimeoutError, UnusableReply, SHORT),
    lost("a body shorter than its length", acts.short(ANSWER), anthropic.APIConnectionError, UnusableReply),
]

BODIES = [
    unusable("broken JSON", page(b'{"id": "msg_1", "content": [')),
    unusable("an empty body", page(b"")),
    unusable("an HTML page", page(b"<html>Welcome</html>", "text/html")),
    unusable("an error with status 200", page(b'{"type": "error", "error": {"type": "api_error", "message": "no"}}')),
    unusable("null content", page(json.dumps(message([]) | {"content": None}).encode())),
]

STREAMS = [
    unusable_stream("a stream without events", stream()),
    unusable_stream("a stream without usage", acts.reply(UNMETERED)),
    unusable_stream("a stream of pings", stream({"type": "ping"}, {"type": "ping"})),
    unusable_stream("an error event at once", stream(OVERLOADED), anthropic.APIStatusError),
    unusable_stream(
        "an error event within", edited(lambda events: events.insert(3, OVERLOADED)), anthropic.APIStatusError
    ),
    unusable_stream(
        "an error event before the end", edited(lambda events: events.insert(-1, OVERLOADED)), anthropic.APIStatusError
    ),
    unusable_stream("a stream of null content", edited(lambda events: events[0]["message"].update(content=None))),
    unusable_stream("broken JSON in an event", edited(lambda events: events.insert(2, BROKEN))),
    unusable_stream("broken JSON in a call", broken_call()),
    unusable_stream("a stream without its first event", edited(lambda events: events.pop(0))),
    unusable_stream("a stream without a block's start", edited(lambda events: events.pop(1))),
    *cuts("an answer", ANSWER),
    *cuts("a call", find("b")),
]

FAULTS = [*STATUSES, *CONNECTIONS, *BODIES, *STREAMS]
# Faults that a second try mends: those that the SDK tries again. The wait after a lost connection is its own.
PASSING = [*(fault for fault in STATUSES if fault.tries == TRIES), RESET]

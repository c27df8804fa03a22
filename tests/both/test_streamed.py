"""Streamed replies: their text as it comes, and what a stream that is cut off is worth."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.both.guard_cases import ANSWER, find
from tests.both.trial import Conversation, Trial, run
from tests.both.ways import WAYS, Way
from two_loops import UnusableReply
from two_loops.stand_ins import wire
from two_loops.stand_ins.script import calls, says, tool_use
from two_loops.values.events import Event, TextDelta

LONG = "On 12 March the boiler was serviced by Ortiz Heating, as the notes say [boiler.txt:2]."


@pytest.fixture(params=[name for name, way in WAYS.items() if way.streamed])
def streamed(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Conversation], Trial]:
    """Runs a conversation in each streamed way."""
    way: Way = WAYS[request.param]
    return lambda conversation: run(way, conversation, tmp_path)


def test_the_text_is_told_as_it_comes(streamed: Callable[[Conversation], Trial]) -> None:
    opening = {"type": "text", "text": "Let me look that up in the notes."}
    replies = [calls(opening, tool_use("find", query="a")), says(LONG)]

    made = streamed(Conversation(name="text", replies=replies))

    told = [(event["step"], event["text"]) for event in made.events if event["event"] == "text_delta"]
    assert "".join(text for step, text in told if step == 1) == opening["text"]
    assert "".join(text for step, text in told if step == 2) == LONG
    assert len(told) > 4
    assert [event["event"] for event in made.events if event["event"] != "text_delta"] == [
        line["event"] for line in made.log
    ]
    positions = [event["event"] for event in made.events]
    assert positions.index("model_request") < positions.index("text_delta") < positions.index("model_call")


def test_only_what_was_asked_for_is_streamed(way: Way, tmp_path: Path) -> None:
    made = run(way, Conversation(name="asked", replies=[find("a"), ANSWER]), tmp_path)

    assert [request.get("stream") for request in made.requests] == [True if way.streamed else None] * 2
    assert ("text_delta" in [event["event"] for event in made.events]) is way.streamed


@pytest.mark.parametrize("error", [KeyError("a"), ValueError("b"), TypeError("c"), UserWarning("d")])
def test_what_on_event_raises_at_a_piece_of_text_is_not_the_servers_fault(
    error: Exception, streamed: Callable[[Conversation], Trial]
) -> None:
    def on_event(event: Event) -> None:
        if isinstance(event, TextDelta):
            raise error

    made = streamed(Conversation(name="raises", replies=[find("a"), says(LONG)], options={"on_event": on_event}))

    assert made.error is error
    assert made.outcome.steps == 1
    assert made.story[-1] == f"error failed {type(error).__name__}"


def sent(message: dict[str, Any], events: int) -> httpx2.Response:
    """The first events of a message's stream, and then nothing, as if that were all."""
    body = [f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in wire.events(message)]
    return httpx2.Response(200, text="".join(body[:events]), headers={"content-type": "text/event-stream"})


ENDS = [len(list(wire.events(reply))) for reply in (says(LONG), find("a"))]


@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.parametrize(
    ("reply", "events"),
    [(reply, events) for reply, end in zip(("answer", "call"), ENDS, strict=True) for events in range(end)],
)
def test_a_stream_that_was_cut_off_is_no_answer(
    reply: str, events: int, turn: int, streamed: Callable[[Conversation], Trial]
) -> None:
    message = says(LONG) if reply == "answer" else find("b")
    replies = [find("a"), lambda _: sent(message, events)][2 - turn :]

    made = streamed(Conversation(name="cut", replies=[*replies, ANSWER]))

    assert type(made.error) is UnusableReply
    assert len(made.requests) == turn
    assert made.ran == ['find {"query": "a"}'] * (turn - 1)
    assert made.outcome.answer is None
    assert made.outcome.tokens_in == 500 * (turn - 1)


def stream_of(*events: Any) -> Callable[[object], httpx2.Response]:
    """A stream of any events."""
    body = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    return lambda _: httpx2.Response(200, text=body, headers={"content-type": "text/event-stream"})


def test_half_an_input_is_no_call(streamed: Callable[[Conversation], Trial]) -> None:
    """The SDK makes ``{"n": 1}`` of it, and the tool would run with fewer arguments than the model wrote."""
    events = list(wire.events(calls(tool_use("count", n=1, exact=True))))
    events[2]["delta"]["partial_json"], events[3]["delta"]["partial_json"] = '{"n": 1, ', '"exact": tr'

    made = streamed(Conversation(name="half", replies=[stream_of(*events), ANSWER]))

    assert type(made.error) is UnusableReply
    assert made.ran == []


def test_half_an_input_where_no_call_runs_is_no_fault(streamed: Callable[[Conversation], Trial]) -> None:
    events = list(wire.events(calls(tool_use("count", n=1)) | {"stop_reason": "max_tokens"}))
    events[2]["delta"]["partial_json"] = '{"n": '

    made = streamed(Conversation(name="cut", replies=[stream_of(*events)]))

    assert made.error is None
    assert made.outcome.status == "max_tokens"


FAULT = {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}
PING = {"type": "ping"}


@pytest.mark.parametrize("after", [[FAULT], [PING], [PING, FAULT]], ids=str)
def test_what_goes_wrong_after_the_end_costs_nothing(
    after: list[Any], streamed: Callable[[Conversation], Trial]
) -> None:
    events = wire.events(says("Not in the notes"))

    made = streamed(Conversation(name="after", replies=[stream_of(*events, *after)]))

    assert made.error is None
    assert made.outcome.status == "not_in_notes"


def test_what_is_said_after_the_end_makes_it_none(streamed: Callable[[Conversation], Trial]) -> None:
    events = list(wire.events(says("Not in the notes")))
    more = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": " [boiler.txt]"}}

    for odd in ([*events, more], [events[-1], *events[:-1]]):
        made = streamed(Conversation(name="odd", replies=[stream_of(*odd)]))
        assert type(made.error) is UnusableReply


def test_the_text_that_is_told_is_the_text_of_the_answer(streamed: Callable[[Conversation], Trial]) -> None:
    events = list(wire.events(says("\ud83d Not in the notes")))
    events[1]["content_block"]["text"] = "Well: "

    made = streamed(Conversation(name="told", replies=[stream_of(*events)]))

    told = [event["text"] for event in made.events if event["event"] == "text_delta"]
    assert "".join(told) == "Well: \ufffd Not in the notes" == made.outcome.answer


def test_more_tokens_than_the_sdk_asks_for_in_one_go(streamed: Callable[[Conversation], Trial]) -> None:
    made = streamed(Conversation(name="many", replies=[says("Not in the notes")], options={"max_tokens": 21_334}))

    assert made.outcome.status == "not_in_notes"

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


def test_more_tokens_than_the_sdk_asks_for_in_one_go(streamed: Callable[[Conversation], Trial]) -> None:
    made = streamed(Conversation(name="many", replies=[says("Not in the notes")], options={"max_tokens": 21_334}))

    assert made.outcome.status == "not_in_notes"

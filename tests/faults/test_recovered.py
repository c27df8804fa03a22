"""A fault that is over at the next try costs nobody an answer, and no call runs twice."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.both.guard_cases import ANSWER, find
from tests.both.ways import WAYS, Way
from tests.faults.acts import Act, cut, cut_chunks, reply, streamed
from tests.faults.cases import PASSING, UNMETERED, Fault
from tests.faults.conftest import Attempt

Cut = Callable[[dict[str, Any], int], Act]
STORY = [
    "question",
    "model_request",
    "model_call tool_use",
    "tool_call find",
    "model_request",
    "model_call end_turn",
    "result ok",
]


@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.parametrize("fault", PASSING, ids=str)
@pytest.mark.parametrize("way", WAYS.values(), ids=str)
def test_a_fault_that_passes(way: Way, fault: Fault, turn: int, attempt: Attempt) -> None:
    script = [reply(find("a")), reply(ANSWER)]
    script.insert(turn - 1, fault.does)

    made = attempt(way, *script, max_retries=1)

    assert made.error is None
    assert made.outcome.status == "ok"
    assert made.ran == ['find {"query": "a"}']
    assert len(made.requests) == 3
    assert made.requests[turn - 1] == made.requests[turn]
    assert (made.outcome.steps, made.outcome.tokens_in, made.outcome.cost_usd) == (2, 1000, 0.00016)
    assert made.story == STORY


@pytest.mark.parametrize("way", [way for way in WAYS.values() if not way.streamed], ids=str)
def test_an_answer_that_does_not_say_what_it_used_has_no_price(way: Way, attempt: Attempt) -> None:
    made = attempt(way, reply(find("a")), reply(UNMETERED))

    assert made.error is None
    assert made.outcome.status == "not_in_notes"
    assert (made.outcome.steps, made.outcome.tokens_in, made.outcome.cost_usd) == (2, 500, None)
    assert made.ran == ['find {"query": "a"}']
    assert made.story == [*STORY[:-1], "result not_in_notes"]


@pytest.mark.parametrize("way", [way for way in WAYS.values() if way.streamed], ids=str)
@pytest.mark.parametrize("cut", [cut, cut_chunks])
def test_a_whole_stream_needs_no_announced_end(cut: Cut, way: Way, attempt: Attempt) -> None:
    """What the connection does after the last event, as to leave out its last chunk, costs nothing."""
    script = [cut(message, len(streamed(message))) for message in (find("a"), ANSWER)]

    made = attempt(way, *script)

    assert made.error is None
    assert made.ran == ['find {"query": "a"}']
    assert made.story == STORY

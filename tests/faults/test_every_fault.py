"""Whatever the server does, at the first turn or later: the right exception, no call twice, nothing lost, all told."""

import pytest

from tests.both.guard_cases import find
from tests.both.ways import WAYS, Way
from tests.faults.acts import reply
from tests.faults.cases import FAULTS, Fault
from tests.faults.conftest import Attempt
from two_loops import UnusableReply

PRICE = 0.00008  # US dollars: 500 tokens in, 60 out
TRIED = [
    (way, fault, error)
    for fault in FAULTS
    for way in WAYS.values()
    if (error := fault.expected(as_stream=way.streamed))
]


@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.parametrize(("way", "fault", "error"), TRIED, ids=[f"{fault} - {way}" for way, fault, _ in TRIED])
def test_a_fault(way: Way, fault: Fault, error: type[Exception], turn: int, attempt: Attempt) -> None:
    before = turn - 1
    good = [reply(find("a"))] * before

    made = attempt(way, *good, *[fault.does] * fault.tries, max_retries=fault.max_retries, timeout=fault.timeout)

    assert type(made.error) is error
    assert (made.error.__cause__ is not None) or error is not UnusableReply
    assert len(made.requests) == before + fault.seen
    assert made.requests[before:] == made.requests[before:][:1] * fault.seen
    assert made.ran == ['find {"query": "a"}'] * before
    spent = {"steps": before, "tokens_in": 500 * before, "tokens_out": 60 * before, "cost_usd": PRICE * before}
    partial = made.outcome.model_dump()
    assert partial["status"] == "failed"
    assert {name: partial[name] for name in spent} == spent
    assert [message["role"] for message in partial["messages"]] == ["user", *["assistant", "user"] * before]
    assert made.story == [
        "question",
        "model_request",
        *["model_call tool_use", "tool_call find", "model_request"] * before,
        f"error failed {error.__name__}",
    ]
    assert {name: made.log[-1][name] for name in spent} == spent
    assert made.log[-1]["tool_calls"] == before

"""How the bare runner goes on and ends; and what runner_agent does instead."""

from collections.abc import Callable

import anthropic
import pytest

from tests.both.conversations import TEXT, paused
from tests.both.guard_cases import ANSWER, find
from tests.both.trial import Trial
from tests.differences.bare import Bare
from tests.differences.facts import Difference
from two_loops import Limits
from two_loops.stand_ins import wire
from two_loops.stand_ins.script import calls, message, tool_use

Make = Callable[..., Bare]
Ask = Callable[..., Trial]


def test_max_iterations_ends_silently(fact: Difference, bare: Make, ours: Ask) -> None:
    it = bare(find("a"), find("b"), ANSWER, max_iterations=2)
    final = it.runner.until_done()
    made = ours(find("a"), find("b"), ANSWER, limits=Limits(max_steps=2))

    seen = f"stop_reason {final.stop_reason}, {len(it.ran)} calls ran, results of {len(it.results)} sent"
    assert seen == fact.evidence
    assert made.requests[1]["tool_choice"] == {"type": "none"}
    assert made.ran == ['find {"query": "a"}']
    assert made.outcome.status == "step_limit"


def test_until_done_after_an_error(fact: Difference, bare: Make, ours: Ask) -> None:
    down = wire.error(500, "api_error", "no")
    it = bare(find("a"), down)
    with pytest.raises(anthropic.InternalServerError) as raised:
        it.runner.until_done()
    final = it.runner.until_done()
    made = ours(find("a"), down)

    assert f"{raised.typename}, then a message with stop_reason {final.stop_reason}" == fact.evidence
    assert len(it.requests) == 2
    assert type(made.error) is anthropic.InternalServerError
    assert (made.result, made.outcome.answer, len(made.outcome.messages)) == (None, None, 3)


def test_break_only_suspends(fact: Difference, bare: Make, ours: Ask) -> None:
    it = bare(find("a"), ANSWER)
    for _ in it.runner:
        break
    seen = f"{len(it.requests)} request and {len(it.ran)} calls at the break"
    it.runner.until_done()
    made = ours(find("a", "b"), ANSWER, limits=Limits(max_tool_calls=1))

    assert f"{seen}, {len(it.requests)} requests and {len(it.ran)} call after until_done()" == fact.evidence
    assert (len(made.requests), made.ran, made.outcome.status) == (1, [], "tool_call_limit")


def test_append_messages_runs_tools_twice(fact: Difference, bare: Make, ours: Ask) -> None:
    it = bare(find("a"), ANSWER)
    for reply in it.runner:
        if results := it.runner.generate_tool_call_response():
            it.runner.append_messages(reply, results)
    made = ours(calls(tool_use("nope"), tool_use("find", "toolu_2", query="a")), ANSWER)

    assert it.ran == ['find {"query": "a"}'] * 2
    assert f"{len(set(it.ran))} call ran {len(it.ran)} times" == fact.evidence
    assert made.ran == ['find {"query": "a"}']
    assert len(made.requests) == 2


def test_eager_tools_of_a_reply_that_fails(fact: Difference, bare: Make, ours: Ask) -> None:
    seen, ran = [], []
    for reason in ("max_tokens", "refusal"):
        reply = message(find("a", "b")["content"], stop_reason=reason)
        it = bare(reply, stream=True, run_tools_eagerly=True)
        for stream in it.runner:
            stream.get_final_message()
        seen.append(f"{reason}: {len(it.ran)} of 2 calls ran")
        made = ours(reply)
        ran.append((made.outcome.status, made.ran))

    assert ", ".join(seen) == fact.evidence
    assert ran == [("max_tokens", []), ("refusal", [])]


def test_pauses_without_end(fact: Difference, bare: Make, ours: Ask) -> None:
    pauses = [paused(TEXT)] * 12
    it = bare(*pauses, ANSWER)
    it.runner.until_done()
    made = ours(*pauses, ANSWER)

    assert f"{len(it.requests)} requests for 12 pauses and an answer" == fact.evidence
    assert (len(made.requests), made.outcome.status) == (6, "step_limit")


def test_tool_use_without_calls(fact: Difference, bare: Make, ours: Ask) -> None:
    it = bare(calls(), ANSWER)
    final = it.runner.until_done()
    made = ours(calls(), ANSWER)

    seen = f"{len(it.requests)} request, stop_reason {final.stop_reason}, {len(final.content)} blocks"
    assert seen == fact.evidence
    assert (made.outcome.status, made.outcome.answered, len(made.requests)) == ("unexpected_stop", False, 1)

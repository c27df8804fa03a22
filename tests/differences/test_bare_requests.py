"""What the bare runner sends, keeps and counts; and what runner_agent does instead."""

from collections.abc import Callable
from typing import Any

import anthropic
import httpx2
import pytest
from opentelemetry.trace import INVALID_SPAN_CONTEXT, NonRecordingSpan, NoOpTracer, NoOpTracerProvider, Span, Tracer

from tests.both.bench import Bench
from tests.both.conversations import NOTHING
from tests.both.guard_cases import ANSWER, find
from tests.both.trial import Trial
from tests.both.ways import AGENTS
from tests.differences.bare import Bare
from tests.differences.facts import Difference
from two_loops import Limits, UnusableReply, scripted_client
from two_loops.guards.steps import ANSWER_NOW
from two_loops.stand_ins import wire
from two_loops.stand_ins.script import MODEL, calls, tool_use

Make = Callable[..., Bare]
Ask = Callable[..., Trial]


def test_threads_by_default(fact: Difference, bare: Make, ours: Ask) -> None:
    threaded, whole = bare(find("a"), ANSWER), bare(find("a"), ANSWER, thread=False)
    threaded.runner.until_done()
    whole.runner.until_done()
    made = ours(find("a"), ANSWER)

    assert f"second request: {', '.join(threaded.requests[1])}" == fact.evidence
    assert threaded.requests[0]["thread"] == {"type": "create"}
    assert threaded.requests[1]["thread"] == {"type": "continue", "previous_message_id": "msg_scripted"}
    assert [turn["role"] for turn in threaded.requests[1]["messages"]] == ["user"]
    assert list(whole.requests[1]) == ["max_tokens", "messages", "model", "system", "tools"]
    for sent in (whole.requests[1], made.requests[1]):
        assert [turn["role"] for turn in sent["messages"]] == ["user", "assistant", "user"]
    assert [request.keys() & {"thread"} for request in made.requests] == [set(), set()]


def without_threads(body: dict[str, Any]) -> Any:
    """A server that checks its requests and knows no threads."""
    told = "thread: Extra inputs are not permitted"
    return wire.error(400, "invalid_request_error", told) if "thread" in body else NOTHING


def test_a_server_may_refuse_threads(fact: Difference, bare: Make, ours: Ask) -> None:
    it = bare(without_threads, without_threads)
    with pytest.raises(anthropic.BadRequestError) as raised:
        it.runner.until_done()
    made = ours(without_threads)

    assert f"{raised.typename} after {len(it.requests)} request" == fact.evidence
    assert made.outcome.status == "not_in_notes"


def test_history_is_private(fact: Difference, bare: Make, ours: Ask) -> None:
    it = bare(find("a"), ANSWER, thread=False)
    it.runner.until_done()
    made = ours(find("a"), ANSWER)

    kept = [name for name in dir(it.runner) if name[0] != "_" and not callable(getattr(it.runner, name))]
    sent = len(it.requests[1]["messages"])
    seen = f"{sent} messages sent, {len(it.messages)} in the caller's list, {kept or 'no attribute'} for the rest"
    assert seen == fact.evidence
    assert made.outcome.messages == [
        *made.requests[1]["messages"],
        {"role": "assistant", "content": ANSWER["content"]},
    ]


def test_append_messages_drops_the_reply(fact: Difference, bare: Make, ours: Ask) -> None:
    it = bare(find("a"), ANSWER, thread=False)
    for reply in it.runner:
        if reply.stop_reason == "tool_use":
            it.runner.append_messages({"role": "user", "content": "Be quick."})
    made = ours(find("a"), ANSWER, limits=Limits(max_steps=2))

    sent = ", ".join(repr(turn["content"]) for turn in it.requests[1]["messages"])
    assert f"second request: {sent}; {len(it.ran)} call ran" == fact.evidence
    _asked, replied, told = made.requests[1]["messages"]
    assert replied == {"role": "assistant", "content": find("a")["content"]}
    assert [block["type"] for block in told["content"]] == ["tool_result", "text"]
    assert told["content"][1] == ANSWER_NOW


def test_a_lone_surrogate_ends_the_run(fact: Difference, bare: Make, ours: Ask) -> None:
    odd = calls({"type": "text", "text": "\udfff"}, tool_use("find", query="a"))
    it = bare(odd, ANSWER, thread=False)
    with pytest.raises(UnicodeEncodeError) as raised:
        it.runner.until_done()
    made = ours(odd, ANSWER)

    seen = f"{raised.typename} after {len(it.requests)} request and {len(it.ran)} call"
    assert seen == fact.evidence
    assert made.requests[1]["messages"][1]["content"][0] == {"type": "text", "text": "\ufffd"}
    assert made.outcome.status == "ok"


def test_a_page_in_place_of_a_message(fact: Difference, bare: Make, ours: Ask) -> None:
    page = httpx2.Response(200, html="<h1>Sign in</h1>")
    it = bare(page)
    with pytest.raises(AttributeError) as raised:
        it.runner.until_done()
    with scripted_client([page]) as client:
        by_hand: object = client.messages.create(model=MODEL, max_tokens=9, messages=it.messages)
    made = ours(page)

    assert f"{raised.typename}: {raised.value}" == fact.evidence
    assert by_hand == "<h1>Sign in</h1>"
    assert type(made.error) is UnusableReply
    assert (made.outcome.status, made.outcome.steps) == ("failed", 0)


def test_no_total_of_tokens(fact: Difference, bare: Make, ours: Ask) -> None:
    it = bare(find("a"), ANSWER)
    final = it.runner.until_done()
    made = ours(find("a"), ANSWER).outcome

    assert f"final message: {final.usage.input_tokens} of {made.tokens_in} input tokens" == fact.evidence
    assert not hasattr(it.runner, "usage")
    assert (made.usage.input_tokens, made.tokens_out, made.cost_usd) == (1000, 120, 0.00016)


class Spans(NoOpTracer, NoOpTracerProvider):
    """An OpenTelemetry provider that keeps the names of the spans that were started."""

    def __init__(self) -> None:
        self.started: list[str] = []

    def get_tracer(self, *_args: Any, **_kwargs: Any) -> Tracer:
        return self

    def start_span(self, name: str, *_args: Any, **_kwargs: Any) -> Span:
        self.started.append(name)
        return NonRecordingSpan(INVALID_SPAN_CONTEXT)


def test_spans_of_its_own(fact: Difference, bare: Make) -> None:
    traced = {}
    for agent, ask in AGENTS.items():
        spans = Spans()
        with scripted_client([find("a"), ANSWER], open_telemetry={"tracer_provider": spans}) as client:
            ask("When?", toolset=Bench().toolset(), client=client, log_path=None)
        traced[agent] = spans.started
    spans = Spans()
    bare(find("a"), ANSWER, client_options={"open_telemetry": {"tracer_provider": spans}}).runner.until_done()

    assert traced["manual"] == ["anthropic.messages.create"] * 2
    assert traced["runner"] == spans.started
    assert ", ".join(name for name in spans.started if name not in traced["manual"]) == fact.evidence
    assert spans.started.count("anthropic.messages.create") == 2

"""When something breaks, the server, the log or the caller's own code: nothing is lost, and the log tells it."""

import json
import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import pytest

from tests.both.conversations import CALL, HOSTILE
from tests.both.guard_cases import ANSWER, find
from tests.both.trial import Conversation, Trial, run
from tests.both.ways import AGENTS, Way
from two_loops import Approved, Call, Limits, Result, UnusableReply, scripted_client
from two_loops.compare.comparing import comparable
from two_loops.stand_ins.script import calls, message, tool_use
from two_loops.values.events import Event, ModelRequested, TextDelta

Ask = Callable[..., Result]
Try = Callable[[Conversation], Trial]


def page(content: bytes, kind: str = "application/json") -> Callable[[object], httpx2.Response]:
    """An answer with status 200 that is no message."""
    return lambda _: httpx2.Response(200, content=content, headers={"content-type": kind})


def nested(levels: int) -> dict[str, Any]:
    """An object in an object in an object."""
    value: dict[str, Any] = {}
    for _ in range(levels):
        value = {"a": value}
    return value


UNUSABLE: dict[str, Any] = {
    "broken JSON": page(b'{"id": "msg_1", "content": ['),
    "nothing": page(b""),
    "an HTML page": page(b"<html>Welcome</html>", "text/html"),
    "a list": page(b"[1, 2]"),
    "a string": page(b'"hello"'),
    "an empty object": page(b"{}"),
    "an error with status 200": page(b'{"type": "error", "error": {"type": "api_error", "message": "no"}}'),
    "null content": message([]) | {"content": None},
    "content that is text": message([]) | {"content": "hello"},
    "content of numbers": message([1]),
    "a block without a type": message([{"text": "hello"}]),
    "a text that is a number": message([{"type": "text", "text": 5}]),
    "a call without an id": message([{"type": "tool_use", "name": "find", "input": {}}], stop_reason="tool_use"),
    "a call without a name": message([{"type": "tool_use", "id": "toolu_1", "input": {}}], stop_reason="tool_use"),
    "a null stop reason": message([], stop_reason=None),
    "a stop reason that is a number": message([]) | {"stop_reason": 7},
    "a container that is a number": message([{"type": "text", "text": "hello"}]) | {"container": 3},
    "the role of a user": message([]) | {"role": "user"},
    "a number that JSON does not know": page(json.dumps(calls(tool_use("find", query=float("nan")))).encode()),
    "an input nested too deeply": calls(tool_use("find", query=nested(200))),
}


@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.parametrize("fault", UNUSABLE)
def test_an_answer_that_is_no_message(fault: str, turn: int, trial: Try) -> None:
    replies = [find("a"), UNUSABLE[fault]][2 - turn :]

    made = trial(Conversation(name=fault, replies=replies))

    assert type(made.error) is UnusableReply
    assert made.error.__cause__ is not None
    assert len(made.requests) == turn
    assert made.ran == ['find {"query": "a"}'] * (turn - 1)
    assert made.outcome.steps == turn - 1
    assert made.outcome.tokens_in == 500 * (turn - 1)
    assert made.story[-1] == "error failed UnusableReply"
    assert [line["event"] for line in made.log].count("error") == 1


API_FAULTS = {
    400: anthropic.BadRequestError,
    401: anthropic.AuthenticationError,
    429: anthropic.RateLimitError,
    500: anthropic.InternalServerError,
}


@pytest.mark.parametrize("turn", [1, 2])
@pytest.mark.parametrize("status", API_FAULTS)
def test_a_failure_of_the_api(status: int, turn: int, trial: Try) -> None:
    fault = httpx2.Response(status, json={"type": "error", "error": {"type": "api_error", "message": "no"}})

    made = trial(Conversation(name="fault", replies=[find("a"), fault][2 - turn :]))

    assert type(made.error) is API_FAULTS[status]
    assert made.ran == ['find {"query": "a"}'] * (turn - 1)
    assert made.outcome.cost_usd == [0, 0.00008][turn - 1]
    assert made.outcome.status == "failed"
    assert made.log[-1]["cost_usd"] == made.outcome.cost_usd
    assert made.story[-1] == f"error failed {API_FAULTS[status].__name__}"


def test_a_connection_that_breaks(trial: Try) -> None:
    made = trial(Conversation(name="fault", replies=[find("a"), httpx2.ConnectError("refused")]))

    assert type(made.error) is anthropic.APIConnectionError
    assert made.story[-1] == "error failed APIConnectionError"


class Mine(Exception):
    """An exception of the caller's own."""


def raising_at(nth: int) -> tuple[Callable[[Event], None], list[Event]]:
    """An ``on_event`` that raises at the nth event, and the events that it saw."""
    seen: list[Event] = []

    def on_event(event: Event) -> None:
        if isinstance(event, TextDelta):  # which the log does not have
            return
        seen.append(event)
        if len(seen) == nth:
            raise Mine(event.event)

    return on_event, seen


@pytest.mark.parametrize("nth", range(1, 11))
def test_what_on_event_raises_reaches_the_caller(nth: int, trial: Try) -> None:
    on_event, seen = raising_at(nth)
    two = calls(tool_use("find", "toolu_1", query="a"), tool_use("nope", "toolu_2"), tool_use("count", "toolu_3", n=1))

    made = trial(Conversation(name="raises", replies=[two, ANSWER], options={"on_event": on_event}))

    assert type(made.error) is Mine
    assert str(made.error) == seen[-1].event
    assert len(seen) == nth
    assert [line["event"] for line in made.log][:nth] == [event.event for event in seen]
    told_together = ["tool_call nope refused"] * (nth == 5)  # a refusal and its call are in the log before anyone hears
    assert made.story[nth:] == [*told_together, *["error failed Mine"] * (nth < 10)]
    assert made.ran == [
        *['find {"query": "a"}'] * (nth > 3),
        *['count {"n": 1, "word": "a", "exact": false}'] * (nth > 6),
    ]
    assert isinstance(made.outcome, Result)


@pytest.mark.parametrize("nth", range(1, 11))
def test_what_on_event_raises_leaves_the_same_behind(nth: int, tmp_path: Path) -> None:
    two = calls(tool_use("find", "toolu_1", query="a"), tool_use("find", "toolu_2"), tool_use("count", "toolu_3", n=1))

    def left(way: Way) -> Trial:
        options = {"on_event": raising_at(nth)[0]}
        return run(way, Conversation(name="raises", replies=[two, ANSWER], options=options), tmp_path)

    manual, runner = map(left, AGENTS.values())

    assert runner.requests == manual.requests
    assert comparable(runner.log) == comparable(manual.log)
    assert comparable(runner.outcome.model_dump()) == comparable(manual.outcome.model_dump())


def test_what_on_event_raises_during_an_odd_reply_is_the_same(trial: Try) -> None:
    on_event, _ = raising_at(4)

    made = trial(Conversation(name="raises", replies=[find("a", "b"), ANSWER], options={"on_event": on_event}))

    results = made.outcome.messages[-1]["content"]
    assert made.ran == ['find {"query": "a"}']
    assert [block["tool_use_id"] for block in results] == ["toolu_1", "toolu_2"]


def test_ctrl_c_inside_a_tool(trial: Try) -> None:
    replies = [calls(CALL, tool_use("fail", "toolu_2", kind="Ctrl-C"), tool_use("find", "toolu_3", query="b")), ANSWER]

    made = trial(Conversation(name="ctrl-c", replies=replies))

    assert type(made.error) is KeyboardInterrupt
    assert made.ran == ['find {"query": "a"}', 'fail {"kind": "Ctrl-C"}']
    assert made.outcome.status == "interrupted"
    assert made.story[-1] == "error interrupted KeyboardInterrupt"
    assert [block.get("is_error", False) for block in made.outcome.messages[-1]["content"]] == [False, True, True]


def test_a_tool_failure_is_told_to_the_log_alone(trial: Try) -> None:
    made = trial(Conversation(name="secret", replies=[calls(tool_use("fail", kind="RuntimeError")), ANSWER]))

    (call,) = [line for line in made.log if line["event"] == "tool_call"]
    assert call["detail"] == "RuntimeError('the password is swordfish')"
    assert "swordfish" not in json.dumps(made.requests)


@contextmanager
def no_file_grows_beyond(size: int) -> Iterator[None]:
    """As on a full disk: a write beyond the size fails."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_disk_that_fills_up_costs_no_answer(ask: Ask, tmp_path: Path, trial: Try) -> None:
    log = tmp_path / "log.jsonl"
    whole = trial(Conversation(name="whole", replies=[find("a"), ANSWER]))
    first_lines = sum(len(json.dumps(line)) + 1 for line in whole.log[:2])

    with scripted_client([find("a"), ANSWER]) as client, no_file_grows_beyond(first_lines + 100):
        from tests.both.bench import Bench

        result = ask("When?", toolset=Bench().toolset(), client=client, log_path=log)

    assert result.status == "ok"
    assert [warning.split(":")[0] for warning in result.warnings] == ["the log is not complete"]
    lines = log.read_text().split("\n")
    assert [json.loads(line)["event"] for line in lines[:2]] == ["question", "model_request"]


def test_a_disk_that_is_full_from_the_start_costs_no_money(ask: Ask, tmp_path: Path) -> None:
    from tests.both.bench import Bench

    with (
        scripted_client([ANSWER]) as client,
        no_file_grows_beyond(50),
        pytest.raises(ValueError, match="the log can't be"),
    ):
        ask("When?", toolset=Bench().toolset(), client=client, log_path=tmp_path / "log.jsonl")

    assert client.requests == []


def test_the_clock_stands_still_while_a_person_is_asked(trial: Try) -> None:
    import time

    def slow_yes(call: Call) -> Approved:
        time.sleep(1.05)
        return Approved()

    conversation = Conversation(
        name="slow yes",
        replies=[calls(tool_use("erase", path="x")), find("a"), ANSWER],
        limits=Limits(max_seconds=1),
        options={"approve": slow_yes},
    )

    made = trial(conversation)

    assert made.outcome.status == "ok"
    assert made.outcome.duration_s < 1


def test_a_log_without_content_holds_no_word_of_it(trial: Try) -> None:
    secrets = ["zebra", "Serviced", "boiler.txt", "swordfish", "rm -rf", "erased", "quagga", "okapi", "tapir"]
    replies = [
        calls(
            tool_use("find", "toolu_1", query="zebra"),
            tool_use(HOSTILE, "toolu_2", quagga=1),
            tool_use("count", "toolu_3", okapi=1),
            tool_use("fail", "toolu_4", kind="RuntimeError"),
            tool_use("erase", "toolu_5", path="tapir"),
        ),
        message([{"type": "text", "text": "zebra [boiler.txt]"}]),
    ]

    def tapir(call: Call) -> Approved:
        raise ValueError("tapir")

    made = trial(Conversation(name="quiet", replies=replies, options={"log_content": False, "approve": tapir}))

    assert made.outcome.status == "ok"
    written = json.dumps(made.log)
    assert [secret for secret in secrets if secret in written] == []
    assert [line["tool"] for line in made.log if line["event"] == "tool_call"] == [
        "find",
        None,
        "count",
        "fail",
        "erase",
    ]
    assert "zebra" in json.dumps(made.events)


def test_a_failure_without_content_keeps_its_words_out_of_the_log(trial: Try) -> None:
    fault = httpx2.Response(400, json={"type": "error", "error": {"type": "api_error", "message": "zebra"}})

    made = trial(Conversation(name="quiet", replies=[fault], options={"log_content": False}))

    assert "zebra" in str(made.error)
    assert "zebra" not in json.dumps(made.log)


def test_no_key_reaches_the_log(ask: Ask, tmp_path: Path) -> None:
    from tests.both.bench import Bench

    key, other = "key-" + os.urandom(16).hex(), "sk-ant-api03-AbC_1-2"
    fault = httpx2.Response(401, json={"type": "error", "error": {"message": f"bad key {key}"}})
    replies = [calls(tool_use("find", query=f"{key} {other}")), fault]

    with scripted_client(replies, api_key=key) as client, pytest.raises(anthropic.AuthenticationError):
        ask("When?", toolset=Bench().toolset(), client=client, log_path=tmp_path / "log.jsonl")

    written = (tmp_path / "log.jsonl").read_text()
    assert key not in written
    assert other not in written
    assert written.count("[secret]") >= 3


def test_a_request_to_answer_now_that_never_went_out_is_taken_back(trial: Try) -> None:
    limits = Limits(max_steps=2, max_total_tokens=560)

    made = trial(Conversation(name="both limits", replies=[find("a"), ANSWER], limits=limits))

    assert made.outcome.status == "token_limit"
    assert [block["type"] for block in made.outcome.messages[-1]["content"]] == ["tool_result"]


def test_an_error_after_the_request_carries_what_was_spent(trial: Try) -> None:
    def fail_late(event: Event) -> None:
        if isinstance(event, ModelRequested) and event.step == 2:
            raise Mine

    made = trial(Conversation(name="late", replies=[find("a"), ANSWER], options={"on_event": fail_late}))

    assert made.outcome.steps == 1
    assert comparable(made.log[-1])["tokens_in"] == 500

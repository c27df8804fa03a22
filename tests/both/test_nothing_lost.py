"""Strangers' objects and strangers' code: whatever they do, what was paid for is not lost, and the log has its end."""

import decimal
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import pytest

from tests.both.bench import Bench
from tests.both.guard_cases import ANSWER, find
from tests.both.trial import Conversation, Trial, run
from tests.both.ways import AGENTS, Way
from two_loops import Approved, Call, Denied, Result, Tool, Toolset, scripted_client, tool
from two_loops.compare.comparing import comparable
from two_loops.stand_ins.script import calls, says, tool_use
from two_loops.values.events import Event, GuardActed, RunFailed, ToolCalled
from two_loops.values.evidence import Named, Shown

Ask = Callable[..., Result]
Try = Callable[[Conversation], Trial]


class Unspeakable(Exception):
    """Neither its text nor its representation can be had."""

    def __str__(self) -> str:
        raise RuntimeError("no words")

    __repr__ = __str__


class Sealed(Exception):
    """Takes no result along."""

    @property
    def partial(self) -> str:
        """What nobody can set."""
        return "mine"


@pytest.mark.parametrize("error", [Unspeakable(), Sealed("sealed"), StopIteration("over")])
@pytest.mark.parametrize("event", ["question", "model_request", "model_call", "tool_call", "result"])
def test_any_exception_of_on_event_reaches_the_caller_as_it_is(
    event: str, error: Exception, way: Way, trial: Try
) -> None:
    def on_event(heard: Event) -> None:
        if heard.event == event:
            raise error

    made = trial(Conversation(name="odd", replies=[find("a"), ANSWER], options={"on_event": on_event}))

    stopped = way.waits and isinstance(error, StopIteration)  # which no coroutine can raise
    assert error is (made.error.__cause__ if stopped and made.error else made.error)
    assert [line["event"] for line in made.log].count("error") == (event != "result")
    assert [line["event"] for line in made.log].count("result") == (event == "result")


def test_an_error_while_an_error_is_told_carries_the_result_too(trial: Try) -> None:
    def on_event(event: Event) -> None:
        if isinstance(event, RunFailed):
            raise KeyError("mine")

    fault = httpx2.Response(400, json={"error": {"message": "no"}})
    made = trial(Conversation(name="two", replies=[find("a"), fault], options={"on_event": on_event}))

    assert type(made.error) is KeyError
    assert type(made.error.__context__) is anthropic.BadRequestError
    assert made.outcome.steps == 1
    assert made.story[-1] == "error failed BadRequestError"


def one_tool(function: Callable[..., Any], **declared: Any) -> Toolset:
    """A toolset of one tool."""
    return Toolset(name="one", system="Use it.", tools=(tool(function, risky=False, name="use", **declared),))


def asked(ask: Ask, toolset: Toolset, *replies: Any, **options: Any) -> Result:
    """The result of a conversation with a toolset of its own."""
    with scripted_client(replies) as client:
        return ask("When?", toolset=toolset, client=client, **{"log_path": None} | options)


def failing() -> None:
    """Fail without words."""
    raise Unspeakable


def fine() -> list[str]:
    """Return something."""
    return ["fine"]


@pytest.mark.parametrize(
    ("function", "declared", "told"),
    [
        (failing, {}, "The tool failed with Unspeakable."),
        (fine, {"evidence": lambda found: found}, "The tool failed with TypeError."),
        (fine, {"evidence": lambda found: [Shown(Path("a.txt"))]}, "The tool failed with TypeError."),  # type: ignore[arg-type]
        (fine, {"evidence": lambda found: [Shown("a.txt", "2")]}, "The tool failed with TypeError."),  # type: ignore[arg-type]
        (fine, {"evidence": lambda found: [Named(5)]}, "The tool failed with TypeError."),  # type: ignore[arg-type]
        (fine, {"evidence": lambda found: 5}, "The tool failed with TypeError."),
        (fine, {"warnings": lambda found: 5}, "The tool failed with TypeError."),
    ],
)
def test_a_tool_that_is_declared_wrongly_is_a_tool_that_fails(
    function: Callable[..., Any], declared: dict[str, Any], told: str, ask: Ask
) -> None:
    result = asked(ask, one_tool(function, **declared), calls(tool_use("use")), says("Not in the notes"))

    assert result.status == "not_in_notes"
    assert result.messages[2]["content"][0]["content"].startswith(told)


def test_evidence_and_warnings_that_no_json_can_hold_are_escaped(ask: Ask) -> None:
    declared = {"evidence": lambda found: [Shown("a\udcff.txt", 1)], "warnings": lambda found: ["b\udcff", 7]}

    result = asked(ask, one_tool(fine, **declared), calls(tool_use("use")), says("Yes [a\\udcff.txt:1]"))

    assert json.loads(result.model_dump_json())["files_seen"] == ["a\\udcff.txt"]
    assert result.tool_calls[0].files_found == ["a\\udcff.txt"]
    assert result.warnings == ["b\\udcff", "7"]
    assert result.status == "ok"


class Grudge:
    """A reason that can't be told, and something to close."""

    def __str__(self) -> str:
        raise RuntimeError

    def close(self) -> None:
        """Refuse."""
        raise RuntimeError


def unspeakable(call: Call) -> Approved:
    """An asker that fails without words."""
    raise Unspeakable


@pytest.mark.parametrize(
    "approve",
    [unspeakable, lambda call: Denied(Grudge()), lambda call: Grudge(), lambda call: Denied(None)],  # type: ignore[arg-type]
)
def test_an_asker_of_any_kind_is_a_no(approve: Any, trial: Try) -> None:
    replies = [calls(tool_use("erase", path="x")), says("Not in the notes")]

    made = trial(Conversation(name="odd", replies=replies, options={"approve": approve}))

    assert made.outcome.status == "not_in_notes"
    assert made.ran == []
    assert made.answers[0].startswith("! The user denied this call")
    assert "None" not in made.answers[0]


def opening(*, at_exit: Callable[[], object], swallow: bool = False) -> Toolset:
    """A toolset whose opening fails at its exit, or swallows what happened inside."""

    @contextmanager
    def opened() -> Iterator[tuple[Tool, ...]]:
        try:
            yield (tool(fine, risky=False),)
        except Exception:
            if not swallow:
                raise
        at_exit()

    return Toolset(name="opened", system="Use it.", opening=opened)


def test_what_fails_while_a_toolset_is_closed_carries_the_result(ask: Ask) -> None:
    def fail() -> None:
        raise OSError("can't close")

    with pytest.raises(OSError, match="can't close") as raised:
        asked(ask, opening(at_exit=fail), says("Not in the notes"))

    assert raised.value.partial.status == "not_in_notes"  # type: ignore[attr-defined]


def test_a_toolset_can_not_swallow_an_error(ask: Ask) -> None:
    fault = httpx2.Response(400, json={"error": {"message": "no"}})

    with pytest.raises(anthropic.BadRequestError):
        asked(ask, opening(at_exit=list, swallow=True), fault)


def test_a_judge_that_is_wrong_loses_nothing(ask: Ask, tmp_path: Path) -> None:
    def judge(text: str, evidence: object) -> Any:
        return "ok", ["a.txt"]

    toolset = Toolset(name="judged", system="Use it.", judge=judge)

    with pytest.raises(ValueError, match="citations") as raised:
        asked(ask, toolset, says("Hello"), log_path=tmp_path / "log.jsonl")

    assert raised.value.partial.steps == 1  # type: ignore[attr-defined]
    assert json.loads((tmp_path / "log.jsonl").read_text().splitlines()[-1])["event"] == "error"


def test_a_log_that_can_not_be_closed_is_a_warning(ask: Ask, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"

    def close_all() -> str:
        """Close what is open on the log."""
        for entry in Path("/proc/self/fd").iterdir():
            if entry.resolve() == log:
                os.close(int(entry.name))
        return "closed"

    result = asked(ask, one_tool(close_all), calls(tool_use("use")), says("Not in the notes"), log_path=log)

    assert result.status == "not_in_notes"
    assert result.warnings == ["the log is not complete: Bad file descriptor"]


def test_the_programs_own_decimals_change_no_price(trial: Try) -> None:
    usage = {"input_tokens": 123_457, "output_tokens": 1}
    replies = [find("a", usage=usage), find("b"), ANSWER]
    plain = trial(Conversation(name="plain", replies=replies)).outcome.cost_usd

    with decimal.localcontext(decimal.Context(prec=3, traps=[decimal.Inexact])):
        odd = trial(Conversation(name="odd", replies=replies)).outcome.cost_usd

    assert odd == plain == (123_457 * 0.5 + 2.5 + 2 * 80) / 1e6


def test_a_listener_that_edits_what_it_hears_changes_nothing(tmp_path: Path) -> None:
    def edit(event: Event) -> None:
        if isinstance(event, ToolCalled):
            event.input.update(query="[redacted]")

    def left(way: Way) -> Trial:
        return run(way, Conversation(name="e", replies=[find("a"), ANSWER], options={"on_event": edit}), tmp_path)

    manual, runner = map(left, AGENTS.values())

    assert "[redacted]" not in json.dumps(manual.requests)
    assert runner.requests == manual.requests
    assert manual.outcome.tool_calls[0].input == {"query": "a"}


def test_a_listener_that_fails_at_a_stop_leaves_the_same_behind(tmp_path: Path) -> None:
    def fail(event: Event) -> None:
        if isinstance(event, GuardActed) and event.outcome == "stopped":
            raise KeyError

    def left(way: Way) -> Trial:
        return run(way, Conversation(name="f", replies=[find(*"aaaaaaaa")], options={"on_event": fail}), tmp_path)

    manual, runner = map(left, AGENTS.values())

    assert comparable(runner.outcome.model_dump()) == comparable(manual.outcome.model_dump())
    assert manual.answers[-1] == "! Not run: the run was stopped (repeated_call)."


def test_every_refusal_is_capped(trial: Try) -> None:
    many: dict[str, Any] = {f"k{number}": 1 for number in range(50_000)}
    name = type("N" * 300_000, (Exception,), {})

    def fail() -> None:
        """Fail."""
        raise name

    made = trial(
        Conversation(name="many", replies=[calls(tool_use("find", "toolu_1", **many)), says("Not in the notes")])
    )
    assert len(made.answers[0]) < 2100
    assert "characters shown)" in made.answers[0]

    toolset = one_tool(fail)
    for ask in AGENTS.values():
        result = asked(ask, toolset, calls(tool_use("use")), says("Not in the notes"))
        assert len(result.messages[2]["content"][0]["content"]) < 2100


def test_token_counts_that_can_not_be_are_not_reported(trial: Try) -> None:
    made = trial(
        Conversation(name="huge", replies=[find("a", usage={"input_tokens": 10**400, "output_tokens": 1}), ANSWER])
    )

    assert made.outcome.cost_usd is None
    assert made.outcome.tokens_in == 500


def test_details_in_the_log_are_cut(ask: Ask, tmp_path: Path) -> None:
    def fail() -> None:
        """Fail at length."""
        raise ValueError("z" * 100_000)

    asked(ask, one_tool(fail), calls(tool_use("use")), says("Not in the notes"), log_path=tmp_path / "log.jsonl")

    assert (tmp_path / "log.jsonl").stat().st_size < 10_000


def test_a_key_in_the_headers_never_reaches_the_log(ask: Ask, tmp_path: Path) -> None:
    key = "hdr-" + os.urandom(16).hex()
    with scripted_client(
        [calls(tool_use("find", query=key)), ANSWER], default_headers={"Authorization": f"Bearer {key}"}
    ) as client:
        ask("When?", toolset=Bench().toolset(), client=client, log_path=tmp_path / "log.jsonl")

    assert key not in (tmp_path / "log.jsonl").read_text()


def test_a_request_to_answer_that_went_out_stays_in_the_history(trial: Try) -> None:
    from two_loops import Limits

    fault = httpx2.Response(400, json={"error": {"message": "no"}})

    made = trial(Conversation(name="late", replies=[find("a"), fault], limits=Limits(max_steps=2)))

    assert made.outcome.messages[-1] == made.requests[-1]["messages"][-1]
    assert made.outcome.messages[-1]["content"][-1]["type"] == "text"

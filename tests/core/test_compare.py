"""Two runs held against each other: what may differ, what does, and where first."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

import manual_agent
import runner_agent
from tests.both.bench import Bench
from tests.both.guard_cases import ANSWER, find
from two_loops import Limits, Result, Tool, Toolset, UnusableReply, WrongUse
from two_loops.compare.comparing import ABSENT, OWN, Place, comparable, counts, differences, first_places, same
from two_loops.compare.modes import MODES, PLAIN
from two_loops.compare.playing import Playing, Ran, Recording, play
from two_loops.compare.watching import watched
from two_loops.stand_ins.script import calls, says, tool_use
from two_loops.values.events import QuestionAsked

AGENTS = (manual_agent, runner_agent)


def played(ask: Any, *replies: Any, **options: Any) -> Playing:
    """One run over scripted replies, with the tools of the bench."""
    recording = Recording()
    with PLAIN.opened(replies, on_request=recording.sent) as client:
        given: dict[str, Any] = {"toolset": Bench().toolset(), "client": client, "log_path": None}
        return play(ask, "When?", recording, **given | options)


def test_the_fields_in_which_agents_may_differ() -> None:
    record = {"at": 1, "run_id": 2, "agent": 3, "duration_s": 4, "request_id": 5, "input": {"agent": "x", "at": 1}}

    assert {"at", "run_id", "agent", "duration_s", "request_id"} == OWN
    assert comparable([record, "text"]) == [{"input": {"agent": "x", "at": 1}}, "text"]


def test_two_agents_do_the_same() -> None:
    manual, runner = (played(agent.ask, find("a"), ANSWER) for agent in AGENTS)

    assert (differences(manual, runner), first_places(manual, runner)) == ([], [])
    assert counts(manual) == counts(runner) == {"requests": 2, "calls": 1, "events": 7}
    assert manual.ran == runner.ran == [Ran("find", {"query": "a"})]


def test_what_happened_stands_in_its_order() -> None:
    made = played(manual_agent.ask, find("a"), ANSWER)

    assert [getattr(moment, "event", type(moment).__name__) for moment in made.moments] == [
        "question",
        "model_request",
        "Sent",
        "model_call",
        "Ran",
        "tool_call",
        "model_request",
        "Sent",
        "model_call",
        "result",
    ]


def test_the_first_places_are_of_the_question_and_of_a_turn() -> None:
    patient = played(manual_agent.ask, find("a"), find("b"), ANSWER)
    hasty = played(runner_agent.ask, find("a"), find("b"), ANSWER, limits=Limits(max_steps=2, answer_at_limit=False))

    assert differences(patient, hasty) == ["requests", "calls", "events", "results"]
    assert first_places(patient, hasty) == [
        Place(0, "question", "limits.max_steps", 6, 2),
        Place(2, "", "", "call", "guard"),
    ]


def test_a_reply_of_other_words_differs_where_it_says_them() -> None:
    one, other = played(manual_agent.ask, says("Hello")), played(runner_agent.ask, says("Hello you"))

    assert differences(one, other) == ["events", "results"]
    assert first_places(one, other) == [Place(2, "result", "answer", "Hello", "Hello you")]


def test_what_one_run_alone_did_is_absent_in_the_other() -> None:
    one, other = played(manual_agent.ask, find("a"), ANSWER), played(runner_agent.ask, ANSWER)

    assert first_places(one, other) == [Place(1, "model_call", "stop_reason", "tool_use", "end_turn")]
    assert first_places(Playing(one.result, None, []), Playing(one.result, None, one.moments[:1])) == [
        Place(0, "", "", "Result", "question"),
    ]
    assert same(ABSENT, None) is False


def test_the_order_counts_where_all_else_is_equal() -> None:
    made = played(manual_agent.ask, find("a"), ANSWER)
    swapped = [*made.moments[:4], made.moments[5], made.moments[4], *made.moments[6:]]

    other = replace(made, moments=swapped)

    assert differences(made, other) == ["order"]
    assert first_places(made, other) == [Place(1, "", "", "call", "tool_call")]


def test_values_are_the_same_as_json() -> None:
    assert same({"a": 1, "b": (1, 2)}, {"b": [1, 2], "a": 1})
    assert not same(1, True)
    assert not same({"a": None}, {})


def test_an_exception_that_ends_a_run_is_compared_too() -> None:
    broken = {"content": None}
    manual, runner = (played(agent.ask, find("a"), says("") | broken) for agent in AGENTS)
    other = played(manual_agent.ask, find("a"))

    assert type(manual.error) is UnusableReply
    assert (manual.result.status, manual.result.steps) == ("failed", 1)
    assert differences(manual, runner) == []
    assert differences(manual, other) == ["events", "errors"]
    assert [place.path for place in first_places(manual, other)] == ["error"]


def test_wrong_use_and_what_comes_before_a_run_is_no_outcome() -> None:
    def broken(*_arguments: Any, **_options: Any) -> Result:
        raise RuntimeError("a bug")

    with pytest.raises(WrongUse, match="the question is empty"):
        play(manual_agent.ask, " ", Recording(), toolset=Bench().toolset())
    with pytest.raises(RuntimeError, match="a bug"):
        played(broken)


def test_a_listener_of_the_callers_own_hears_the_events_too() -> None:
    heard: list[Any] = []
    recording = Recording(heard.append)
    with PLAIN.opened([ANSWER]) as client:
        made = play(manual_agent.ask, "When?", recording, toolset=Bench().toolset(), client=client, log_path=None)

    assert heard == made.events
    assert type(heard[0]) is QuestionAsked


@pytest.mark.parametrize("agent", AGENTS)
def test_a_call_that_never_ran_is_not_among_those_that_did(agent: Any) -> None:
    made = played(agent.ask, calls(tool_use("nope"), tool_use("fail", "toolu_2", kind="ToolError")), says("So."))

    assert made.ran == [Ran("fail", {"kind": "ToolError"})]


def test_a_watched_toolset_tells_no_model_anything_new() -> None:
    toolset = Bench().toolset()
    ran: list[str] = []

    watching = watched(toolset, lambda tool, _arguments: ran.append(tool))
    asked = [played(manual_agent.ask, ANSWER, toolset=given) for given in (toolset, watching)]

    assert asked[0].requests == asked[1].requests
    assert ran == []


def test_the_tools_that_a_toolset_opens_are_watched_too() -> None:
    bench = Bench()

    @contextmanager
    def opening() -> Iterator[tuple[Tool, ...]]:
        yield bench.toolset().tools

    toolset = Toolset(name="opened", system="Use the tools.", opening=opening)

    made = played(manual_agent.ask, find("a"), ANSWER, toolset=toolset)

    assert made.ran == [Ran("find", {"query": "a"})]
    assert bench.ran == ['find {"query": "a"}']


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_takes_its_own_stand_ins(mode: str) -> None:
    bodies: list[dict[str, Any]] = []

    with MODES[mode].opened([ANSWER], on_request=bodies.append) as client:
        MODES[mode].ask(manual_agent, "When?", client=client, toolset=Bench().toolset(), log_path=None)
    with MODES[mode].opened(None, on_request=bodies.append) as client:
        result = MODES[mode].ask(manual_agent, "When?", client=client, toolset=Bench().toolset(), log_path=None)

    assert result.model == "offline"
    assert [(body["model"], body.get("stream", False)) for body in bodies] == [
        ("claude-haiku-5-5", MODES[mode].streamed),
        ("offline", MODES[mode].streamed),
    ]
    assert client.is_closed()

"""Read-only calls of one reply that run at the same time: really so, in order, bounded, and else as one by one."""

import asyncio
import signal
import threading
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from tests.both.bench import Bench
from tests.both.conversations import CONVERSATIONS
from tests.both.test_async import cancelled, logged
from tests.both.test_same import STREAMED, seen
from tests.both.trial import Conversation, Trial, run
from tests.both.ways import WAYS, Way
from two_loops import Approved, Call, Limits, Result, Toolset, async_scripted_client, tool
from two_loops.stand_ins.script import calls, says, tool_use
from two_loops.toolsets.tool import Tool

SIDE_BY_SIDE = Limits(parallel_tools=4)
DONE = says("Done.")


def several(reply: Any) -> bool:
    """Whether a reply asks for two calls or more."""
    content = reply.get("content") if isinstance(reply, dict) else None
    blocks = content if isinstance(content, list) else []
    return Counter(block.get("type") for block in blocks if isinstance(block, dict))["tool_use"] > 1


def beside(conversation: Conversation) -> Conversation:
    """The same conversation, whose calls may run at the same time."""
    limits = conversation.limits or Bench().toolset().limits
    return replace(conversation, limits=limits.replace(parallel_tools=4))


def told(trial: Trial) -> dict[str, Any]:
    """What can be compared of a run, but for the number of calls that run at the same time, and who was first."""
    for lines in (trial.events, trial.log):
        for line in lines:
            if "limits" in line:
                line["limits"].pop("parallel_tools")
    return seen(trial) | {"ran": sorted(trial.ran)}


@pytest.mark.parametrize("conversation", [each for each in CONVERSATIONS if any(map(several, each.replies))], ids=str)
def test_a_conversation_goes_the_same_way_side_by_side(conversation: Conversation, way: Way, tmp_path: Path) -> None:
    if way.streamed and conversation not in STREAMED:
        pytest.skip("no stream adds up to this")

    one_by_one = run(way, conversation, tmp_path)
    side_by_side = run(way, beside(conversation), tmp_path)

    assert told(side_by_side) == told(one_by_one)


@dataclass
class Crew:
    """Tools that tell when they begin and end; ``meet`` waits until as many are at work as have to meet."""

    meeting: int = 1
    story: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._barrier = threading.Barrier(self.meeting)

    def meet(self, who: str) -> str:
        """Meet the others. Nobody is left before all are there."""
        self.story.append(f"begin {who}")
        self._barrier.wait(timeout=30)
        self.story.append(f"end {who}")
        return who

    def write(self, who: str) -> str:
        """Write something. It is risky."""
        return self.meet(who)

    def toolset(self, *more: Tool) -> Toolset:
        """The tools; an answer need cite nothing."""
        tools = (tool(self.meet, risky=False), tool(self.write, risky=True), *more)
        return Toolset(name="crew", system="Work.", tools=tools, judge=lambda text, evidence: ("ok", []))


def asks(*names: str) -> dict[str, Any]:
    """A reply that asks each to meet; one whose name begins with w writes."""
    return calls(*(tool_use("write" if name[0] == "w" else "meet", f"toolu_{name}", who=name) for name in names))


def worked(way: Way, crew: Crew, folder: Path, *replies: Any, limits: Limits = SIDE_BY_SIDE) -> Trial:
    """A run of the crew, to whose risky calls everybody says yes."""
    options = {"toolset": crew.toolset(), "approve": lambda _call: Approved()}
    trial = run(way, Conversation(name="crew", replies=[*replies, DONE], limits=limits, options=options), folder)
    assert trial.outcome.status == "ok"
    return trial


def test_calls_really_overlap_and_their_results_keep_the_order(way: Way, tmp_path: Path) -> None:
    crew = Crew(meeting=3)

    trial = worked(way, crew, tmp_path, asks("a", "b", "c"))

    assert {event.split()[0] for event in crew.story[:3]} == {"begin"}
    assert trial.answers == ['"a"', '"b"', '"c"']
    assert [line["input"]["who"] for line in trial.log if line["event"] == "tool_call"] == ["a", "b", "c"]


def test_no_more_run_at_a_time_than_the_limit_says(way: Way, tmp_path: Path) -> None:
    crew = Crew(meeting=2)

    trial = worked(way, crew, tmp_path, asks("a", "b", "c", "d"), limits=Limits(parallel_tools=2))

    assert [sorted(crew.story[at : at + 2]) for at in (0, 2, 4, 6)] == [
        ["begin a", "begin b"],
        ["end a", "end b"],
        ["begin c", "begin d"],
        ["end c", "end d"],
    ]
    assert trial.answers == ['"a"', '"b"', '"c"', '"d"']


@pytest.mark.parametrize("limits", [Limits(), SIDE_BY_SIDE], ids=["one by one", "side by side"])
def test_a_risky_call_runs_alone(limits: Limits, way: Way, tmp_path: Path) -> None:
    crew = Crew()

    worked(way, crew, tmp_path, asks("a", "w1", "w2", "b"), limits=limits)

    assert crew.story == [f"{what} {name}" for name in ("a", "w1", "w2", "b") for what in ("begin", "end")]


def test_a_person_is_asked_only_after_the_calls_before_have_run(way: Way, tmp_path: Path) -> None:
    crew, asked = Crew(), []

    def approve(call: Call) -> Approved:
        asked.append((call.input["who"], list(crew.story)))
        return Approved()

    options = {"toolset": crew.toolset(), "approve": approve}
    replies = [asks("a", "b", "w1", "c"), DONE]
    run(way, Conversation(name="crew", replies=replies, limits=SIDE_BY_SIDE, options=options), tmp_path)

    ((name, before),) = asked
    assert (name, sorted(before)) == ("w1", ["begin a", "begin b", "end a", "end b"])


def test_one_that_fails_does_not_harm_those_beside_it(way: Way, tmp_path: Path) -> None:
    bench = Bench()
    replies = [
        calls(
            tool_use("find", "toolu_1", query="one"),
            tool_use("fail", "toolu_2", kind="RuntimeError"),
            tool_use("count", "toolu_3", n="no number"),
            tool_use("count", "toolu_4", n=4),
        ),
        says("On 12 March [boiler.txt:2]."),
    ]

    trial = run(way, Conversation(name="one fails", replies=replies, limits=SIDE_BY_SIDE), tmp_path, bench)

    assert trial.outcome.status == "ok"
    assert [answer[:1] for answer in trial.answers] == ["[", "!", "!", "4"]
    assert sorted(bench.ran) == [
        'count {"n": 4, "word": "a", "exact": false}',
        'fail {"kind": "RuntimeError"}',
        'find {"query": "one"}',
    ]


@pytest.mark.parametrize("way", [way for way in WAYS.values() if way.waits], ids=str)
def test_cancelled_while_two_tools_work(way: Way, tmp_path: Path) -> None:
    """Both have begun: they are waited for and recorded, and the third never begins."""
    crew, let_go = Crew(), threading.Event()

    def hold(who: str) -> str:
        """Hold on until let go. It takes a while."""
        crew.story.append(f"begin {who}")
        assert let_go.wait(timeout=30)
        return who

    asked = calls(*(tool_use("hold", f"toolu_{name}", who=name) for name in "abc"))
    options: dict[str, Any] = {"limits": Limits(parallel_tools=2), "log_path": tmp_path / "log.jsonl"}
    options |= {"stream": True} if way.streamed else {}

    async def cancelling() -> Result:
        async with async_scripted_client([asked, DONE]) as client:
            toolset = crew.toolset(tool(hold, risky=False))
            running = asyncio.create_task(way.module.ask_async("When?", client=client, toolset=toolset, **options))
            while len(crew.story) < 2:
                await asyncio.sleep(0)
            running.cancel("closing time")
            await asyncio.sleep(0)
            let_go.set()
            return await cancelled(running)

    partial = asyncio.run(cancelling())

    assert sorted(crew.story) == ["begin a", "begin b"]
    assert [block["content"] for block in partial.messages[-1]["content"]] == [
        '"a"',
        '"b"',
        "No result: an error ended the run.",
    ]
    lines = logged(tmp_path / "log.jsonl")
    assert [line["event"] for line in lines[-3:]] == ["tool_call", "tool_call", "error"]
    assert lines[-1]["tool_calls"] == 2


def test_what_ran_before_a_tool_that_ends_the_program_is_kept(way: Way, tmp_path: Path) -> None:
    crew = Crew()

    def leave(who: str) -> str:
        """Leave the program. It ends here."""
        raise SystemExit(who)

    replies = [calls(*(tool_use(name, f"toolu_{name}", who=name) for name in ("meet", "leave", "write"))), DONE]
    options = {"toolset": crew.toolset(tool(leave, risky=False)), "approve": lambda _call: Approved()}
    conversation = Conversation(name="crew", replies=replies, limits=SIDE_BY_SIDE, options=options)

    trial = run(way, conversation, tmp_path)

    assert type(trial.error) is SystemExit
    assert [call.tool for call in trial.outcome.tool_calls] == ["meet"]
    assert [line["event"] for line in trial.log[-2:]] == ["tool_call", "error"]


@pytest.mark.parametrize("way", [way for way in WAYS.values() if not way.waits], ids=str)
def test_an_interrupt_waits_for_the_tools_that_work_and_keeps_what_they_bring(way: Way, tmp_path: Path) -> None:
    crew = Crew(meeting=3)

    def interrupt(who: str) -> str:
        """Interrupt the program, as Ctrl-C does, once the others are at work."""
        crew.meet(who)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        time.sleep(0.2)
        return who

    asked = [tool_use("meet", "toolu_1", who="a"), tool_use("interrupt", "toolu_2", who="b")]
    replies = [calls(*asked, tool_use("meet", "toolu_3", who="c"), tool_use("meet", "toolu_4", who="d")), DONE]
    options = {"toolset": crew.toolset(tool(interrupt, risky=False))}
    limits = Limits(parallel_tools=3)

    trial = run(way, Conversation(name="crew", replies=replies, limits=limits, options=options), tmp_path)

    assert type(trial.error) is KeyboardInterrupt
    assert [call.input["who"] for call in trial.outcome.tool_calls] == ["a", "b", "c"]
    assert [line["event"] for line in trial.log[-4:]] == ["tool_call", "tool_call", "tool_call", "error"]

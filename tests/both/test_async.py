"""On an event loop, and in threads: others work meanwhile, runs never mix, and a cancelled one leaves its log whole."""

import asyncio
import json
import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import pytest

from tests.both.bench import Bench, hit
from tests.both.guard_cases import ANSWER, find
from tests.both.trial import Conversation, run
from tests.both.ways import AGENTS, MODES, WAYS, Way
from two_loops import (
    Approved,
    Call,
    Denied,
    NoCredentials,
    Result,
    Toolset,
    WrongUse,
    async_scripted_client,
    offline_client,
    scripted_client,
    tool,
)
from two_loops.samples import NOTES
from two_loops.stand_ins.script import calls, says, tool_use
from two_loops.values.events import Event, ModelCalled
from two_loops.values.evidence import Shown

ERASE = calls(tool_use("erase", path="x"))
NOTHING = says("Not in the notes")


@pytest.fixture(params=[name for name, way in WAYS.items() if way.waits])
def waiting(request: pytest.FixtureRequest) -> Way:
    """Each way that waits."""
    return WAYS[request.param]


def ask_async(way: Way, **options: Any) -> Any:
    """The coroutine of one question."""
    return way.module.ask_async("When?", stream=way.streamed, **options)


async def yes(call: Call) -> Approved:
    """Thinks, then approves."""
    await asyncio.sleep(0)
    return Approved()


async def no(call: Call) -> Denied:
    """Thinks, then denies."""
    await asyncio.sleep(0)
    return Denied("not that one")


async def angry(call: Call) -> Approved:
    """Thinks, then raises."""
    await asyncio.sleep(0)
    raise RuntimeError("the password is swordfish")


async def nodding(call: Call) -> Any:
    """Thinks, then says yes in the wrong way."""
    await asyncio.sleep(0)
    return True


@pytest.mark.parametrize(
    ("approve", "why"),
    [
        (yes, None),
        (lambda call: Approved(), None),
        (lambda call: yes(call), None),
        (no, "the asker denied it"),
        (angry, "the asker raised RuntimeError"),
        (nodding, "the asker returned bool, which is no Approved()"),
        (lambda call: yes, "the asker returned function, which is no Approved()"),
        (None, "nobody is there to ask"),
    ],
)
def test_an_asker_may_take_its_time(approve: Any, why: str | None, waiting: Way, tmp_path: Path) -> None:
    conversation = Conversation(name="asked", replies=[ERASE, NOTHING], options={"approve": approve})

    made = run(waiting, conversation, tmp_path)

    assert made.outcome.status == "not_in_notes"
    assert made.ran == ['erase {"path": "x"}'] * (why is None)
    assert [line["why"] for line in made.log if line["event"] == "guard"] == ([why] if why else [])
    assert [line["approval"] for line in made.log if line["event"] == "tool_call"] == ["denied" if why else "approved"]


@pytest.mark.parametrize(
    ("approve", "warnings"),
    [
        (lambda call: True, ["erase was denied: the asker returned bool, which is no Approved()"]),
        (None, ["erase was denied: nobody is there to ask"]),
        (lambda call: Denied("no"), []),
        (lambda call: Approved(), []),
    ],
)
def test_a_denial_that_nobody_meant_is_a_warning(approve: Any, warnings: list[str], way: Way, tmp_path: Path) -> None:
    made = run(way, Conversation(name="w", replies=[ERASE, NOTHING], options={"approve": approve}), tmp_path)

    assert made.outcome.warnings == warnings


@pytest.mark.parametrize(
    ("said", "approval", "by"),
    [
        (Approved(by="Ana"), "approved", "Ana"),
        (Denied("no", by="the night rule"), "denied", "the night rule"),
        (Approved(), "approved", None),
        (Approved(by="\x1b[2Jx" + "y" * 500), "approved", "[2Jx" + "y" * 96),
    ],
)
def test_the_log_says_who_decided(said: Any, approval: str, by: str | None, way: Way, tmp_path: Path) -> None:
    conversation = Conversation(name="asked", replies=[ERASE, NOTHING], options={"approve": lambda call: said})

    made = run(way, conversation, tmp_path)

    assert [(line["approval"], line["decided_by"]) for line in made.log if line["event"] == "tool_call"] == [
        (approval, by)
    ]


@pytest.mark.parametrize("way", [way for way in WAYS.values() if not way.waits], ids=str)
def test_an_asker_that_nobody_waits_for_says_no(way: Way, tmp_path: Path) -> None:
    made = run(way, Conversation(name="coroutine", replies=[ERASE, NOTHING], options={"approve": yes}), tmp_path)

    assert made.ran == []
    assert made.log[3]["why"] == "the asker returned coroutine, which is no Approved()"


class Gate:
    """A tool that works until it is let go."""

    def __init__(self) -> None:
        self.begun, self.let_go = threading.Event(), threading.Event()
        self.ran: list[str] = []

    def dig(self, place: str) -> list[dict[str, Any]]:
        """Dig somewhere."""
        self.begun.set()
        assert self.let_go.wait(timeout=30)
        self.ran.append(place)
        return [hit("garden.txt", 1, place)]

    def toolset(self) -> Toolset:
        """The tool by itself."""
        found = tool(self.dig, risky=False, evidence=lambda hits: [Shown("garden.txt", 1)])
        return Toolset(name="garden", system="Dig.", tools=(found,))


def dig(*places: str) -> dict[str, Any]:
    """A reply that asks to dig."""
    return calls(*(tool_use("dig", f"toolu_{place}", place=place) for place in places))


def test_others_work_while_a_tool_does(waiting: Way) -> None:
    gate = Gate()

    async def letting_go() -> None:
        while not gate.begun.is_set():
            await asyncio.sleep(0)
        gate.let_go.set()

    async def both() -> Result:
        async with async_scripted_client([dig("here"), says("Dug [garden.txt]")]) as client:
            asked = ask_async(waiting, toolset=gate.toolset(), client=client, log_path=None)
            result, _ = await asyncio.gather(asked, letting_go())
            return result  # type: ignore[no-any-return]

    assert asyncio.run(both()).status == "ok"


def logged(path: Path) -> list[dict[str, Any]]:
    """The lines of a log."""
    return [json.loads(line) for line in path.read_text().splitlines()]


async def cancelled(running: "asyncio.Task[Result]") -> Result:
    """What a cancelled run leaves."""
    with pytest.raises(asyncio.CancelledError, match="closing time") as raised:
        await running
    partial: Result = raised.value.partial  # type: ignore[attr-defined]
    return partial


@pytest.mark.parametrize("times", [1, 2, 5])
def test_cancelled_while_a_tool_works(times: int, waiting: Way, tmp_path: Path) -> None:
    """What has begun can't be stopped: it is waited for and recorded, and nothing begins after it."""
    gate, log = Gate(), tmp_path / "log.jsonl"

    async def cancelling() -> tuple[Result, int]:
        async with async_scripted_client([dig("here", "there"), NOTHING]) as client:
            asked = ask_async(waiting, toolset=gate.toolset(), client=client, log_path=log)
            running = asyncio.create_task(asked)
            while not gate.begun.is_set():
                await asyncio.sleep(0)
            for _ in range(times):
                running.cancel("closing time")
                await asyncio.sleep(0)
            gate.let_go.set()
            partial = await cancelled(running)
            assert running.cancelling() == times
            return partial, len(client.requests)

    partial, requests = asyncio.run(cancelling())

    assert gate.ran == ["here"]
    assert requests == 1
    assert partial.status == "interrupted"
    results = partial.messages[-1]["content"]
    assert [block.get("is_error", False) for block in results] == [False, True]
    assert results[1]["content"] == "No result: an error ended the run."
    events = [line["event"] for line in logged(log)]
    assert events == ["question", "model_request", "model_call", "tool_call", "error"]
    assert logged(log)[-1]["reason"] == "interrupted"
    assert logged(log)[-1]["tool_calls"] == 1


def test_cancelled_while_the_model_is_waited_for(waiting: Way, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"

    async def cancelling() -> Result:
        sent = asyncio.Event()

        async def never(request: httpx2.Request) -> httpx2.Response:
            sent.set()
            await asyncio.Event().wait()
            raise AssertionError

        http = httpx2.AsyncClient(transport=httpx2.MockTransport(never))
        async with async_scripted_client([], http_client=http) as client:
            asked = ask_async(waiting, toolset=Bench().toolset(), client=client, log_path=log)
            running = asyncio.create_task(asked)
            await sent.wait()
            running.cancel("closing time")
            return await cancelled(running)

    partial = asyncio.run(cancelling())

    assert (partial.status, partial.steps) == ("interrupted", 0)
    assert [line["event"] for line in logged(log)] == ["question", "model_request", "error"]


def test_cancelled_while_a_person_is_asked(waiting: Way, tmp_path: Path) -> None:
    log, bench = tmp_path / "log.jsonl", Bench()

    async def cancelling() -> Result:
        asked_for = asyncio.Event()

        async def thinking(call: Call) -> Approved:
            asked_for.set()
            await asyncio.Event().wait()
            return Approved()

        async with async_scripted_client([ERASE, NOTHING]) as client:
            asked = ask_async(waiting, toolset=bench.toolset(), client=client, log_path=log, approve=thinking)
            running = asyncio.create_task(asked)
            await asked_for.wait()
            running.cancel("closing time")
            return await cancelled(running)

    partial = asyncio.run(cancelling())

    assert bench.ran == []
    assert partial.status == "interrupted"
    assert [line["event"] for line in logged(log)] == ["question", "model_request", "model_call", "error"]


def test_cancelled_before_a_thread_was_free(waiting: Way) -> None:
    """A tool that waits for a thread is never begun, and nobody waits for the thread."""
    gate, busy = Gate(), threading.Event()

    async def cancelling() -> Result:
        loop = asyncio.get_running_loop()
        loop.set_default_executor(ThreadPoolExecutor(1))
        model_called = asyncio.Event()

        def on_event(event: Event) -> None:
            if isinstance(event, ModelCalled):
                loop.run_in_executor(None, busy.wait)
                model_called.set()

        async with async_scripted_client([dig("here"), NOTHING]) as client:
            asked = ask_async(waiting, toolset=gate.toolset(), client=client, log_path=None, on_event=on_event)
            running = asyncio.create_task(asked)
            await model_called.wait()
            for _ in range(5):
                await asyncio.sleep(0)
            running.cancel("closing time")
            try:
                return await cancelled(running)
            finally:
                busy.set()

    assert asyncio.run(cancelling()).status == "interrupted"
    assert not gate.begun.is_set()


def test_a_run_that_cancels_itself_begins_no_call(waiting: Way) -> None:
    bench = Bench()

    def on_event(event: Event) -> None:
        if isinstance(event, ModelCalled):
            task = asyncio.current_task()
            assert task is not None
            task.cancel("closing time")

    async def cancelling() -> Result:
        async with async_scripted_client([find("a"), ANSWER]) as client:
            asked = ask_async(waiting, toolset=bench.toolset(), client=client, log_path=None, on_event=on_event)
            return await cancelled(asyncio.create_task(asked))

    assert asyncio.run(cancelling()).steps == 1
    assert bench.ran == []


def closed_dialog(call: Call) -> Any:
    """An asker whose own future was cancelled."""
    future: asyncio.Future[Approved] = asyncio.get_running_loop().create_future()
    future.cancel()
    return future


def test_an_asker_that_was_cancelled_says_no(waiting: Way, tmp_path: Path) -> None:
    conversation = Conversation(name="closed", replies=[ERASE, NOTHING], options={"approve": closed_dialog})

    made = run(waiting, conversation, tmp_path)

    assert made.outcome.status == "not_in_notes"
    assert made.ran == []
    assert made.log[3]["why"] == "the asker raised CancelledError"


def test_a_tool_that_raises_what_cancelling_raises_is_a_tool_that_fails(way: Way) -> None:
    def stop() -> None:
        """Stop."""
        raise asyncio.CancelledError

    toolset = Toolset(name="stop", system="Stop.", tools=(tool(stop, risky=False),))

    result = way("When?", toolset=toolset, client=way.client([calls(tool_use("stop")), NOTHING]), log_path=None)

    assert result.status == "not_in_notes"
    assert result.messages[2]["content"][0]["content"].startswith("The tool failed with CancelledError.")


def test_elsewhere_than_on_asyncio_it_is_wrong_use() -> None:
    asked = ask_async(WAYS["manual-async"], toolset=SEEKING, log_path=None)

    with pytest.raises(WrongUse, match="needs asyncio's event loop"):
        asked.send(None)


def test_ctrl_c_is_one(waiting: Way) -> None:
    def on_event(event: Event) -> None:
        if isinstance(event, ModelCalled):
            os.kill(os.getpid(), signal.SIGINT)

    client = waiting.client([find("a"), ANSWER])
    with pytest.raises(KeyboardInterrupt):
        waiting("When?", toolset=Bench().toolset(), client=client, log_path=None, on_event=on_event)


def test_a_time_out_is_one(waiting: Way) -> None:
    gate = Gate()

    async def expiring(limit: asyncio.Timeout) -> None:
        while not gate.begun.is_set():
            await asyncio.sleep(0)
        limit.reschedule(0)
        while not limit.expired():
            await asyncio.sleep(0)
        gate.let_go.set()

    async def late() -> None:
        async with async_scripted_client([dig("here"), NOTHING]) as client, asyncio.timeout(None) as limit:
            helping = asyncio.create_task(expiring(limit))
            try:
                await ask_async(waiting, toolset=gate.toolset(), client=client, log_path=None)
            finally:
                await helping

    with pytest.raises(TimeoutError) as raised:
        asyncio.run(late())

    assert raised.value.__cause__.partial.tool_calls[0].tool == "dig"  # type: ignore[union-attr]


def question(number: int) -> tuple[list[Any], str]:
    """A script of its own for each of many questions, and the answer that it ends with."""
    answer = f"Found {number} [{number}.txt:1]"
    return [calls(tool_use("seek", number=number))] * (1 + number % 2) + [says(answer)], answer


def seek(number: int) -> list[dict[str, Any]]:
    """Seek a number."""
    return [hit(f"{number}.txt", 1, str(number))]


SEEKING = Toolset(
    name="seeking",
    system="Seek.",
    tools=(tool(seek, risky=False, evidence=lambda hits: [Shown(found["file"], 1) for found in hits]),),
)


def check(results: list[Result], log: Path) -> None:
    """Each run has its own answer, citations and tally, and its own lines in the log."""
    lines = logged(log)
    for number, result in enumerate(results):
        own = [line for line in lines if line["run_id"] == result.run_id]
        steps = 2 + number % 2
        assert (result.status, result.answer) == ("ok", question(number)[1])
        assert result.files_seen == [citation.file for citation in result.citations] == [f"{number}.txt"]
        assert (result.steps, result.tokens_in) == (steps, 500 * steps)
        assert result.cost_usd == pytest.approx(0.00008 * steps)
        assert [line["event"] for line in own].count("model_call") == steps
        assert own[0]["event"] == "question"
        assert own[-1]["event"] == "result"
        assert {line["agent"] for line in own} == {result.agent}
    assert len({result.run_id for result in results}) == len(results)


def test_many_questions_on_one_event_loop(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    waiting = [way for way in WAYS.values() if way.waits]

    async def one(number: int) -> Result:
        async with async_scripted_client(question(number)[0]) as client:
            asked = ask_async(waiting[number % len(waiting)], toolset=SEEKING, client=client, log_path=log)
            return await asked  # type: ignore[no-any-return]

    async def all_of_them() -> list[Result]:
        return await asyncio.gather(*map(one, range(40)))

    check(asyncio.run(all_of_them()), log)


def test_many_questions_in_threads(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    ways = list(WAYS.values())

    def one(number: int) -> Result:
        way = ways[number % len(ways)]
        return way("When?", toolset=SEEKING, client=way.client(question(number)[0]), log_path=log)

    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(one, range(40)))

    check(results, log)


def test_ask_works_inside_a_running_event_loop(ask: Way) -> None:
    async def inside() -> Result:
        with offline_client() as client:
            return ask("When was the boiler serviced?", notes_dir=NOTES, client=client, log_path=None)

    assert asyncio.run(inside()).status == "ok"


def test_a_run_inside_a_run(ask: Way) -> None:
    """A tool may ask an agent of its own, and each run's calls reach its own tools."""

    def delegate(task: str) -> str:
        """Ask another agent."""
        with scripted_client([calls(tool_use("seek", number=7)), says("Seven [7.txt]")]) as client:
            inner = ask(task, toolset=SEEKING, client=client, log_path=None)
        return f"{inner.status}: {inner.answer}"

    outer = Toolset(name="outer", system="Delegate.", tools=(tool(delegate, risky=False),))
    replies = [calls(tool_use("delegate", task="a"), tool_use("delegate", "toolu_2", task="b")), NOTHING]
    with scripted_client(replies) as client:
        result = ask("When?", toolset=outer, client=client, log_path=None)

    assert [block["content"] for block in result.messages[2]["content"]] == ['"ok: Seven [7.txt]"'] * 2


@pytest.mark.parametrize("agent", AGENTS)
def test_the_client_that_is_built_for_an_event_loop(agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    agents: Any = import_module(f"{agent}_agent")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "")

    result = asyncio.run(
        agents.ask_async("When was the boiler serviced?", notes_dir=NOTES, model="offline", log_path=None)
    )

    assert (result.status, result.model, result.cost_usd) == ("ok", "offline", 0)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_client_that_blocks_is_wrong_use(agent: str) -> None:
    agents: Any = import_module(f"{agent}_agent")

    with scripted_client([ANSWER]) as client, pytest.raises(WrongUse, match="needs an AsyncAnthropic client"):
        asyncio.run(agents.ask_async("When?", toolset=SEEKING, client=client, log_path=None))

    assert client.requests == []


@pytest.mark.parametrize("agent", AGENTS)
def test_no_credentials(agent: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.both.test_wrong_use import no_credentials

    agents: Any = import_module(f"{agent}_agent")

    with no_credentials(monkeypatch, tmp_path), pytest.raises(NoCredentials, match="set ANTHROPIC_API_KEY"):
        asyncio.run(agents.ask_async("When?", toolset=SEEKING, log_path=None))


def test_a_real_client_waits_no_longer_than_told(tmp_path: Path) -> None:
    from two_loops.run.clients import built_async

    client = built_async("claude-haiku-5-5")

    assert type(client) is anthropic.AsyncAnthropic
    assert client.timeout == 60
    asyncio.run(client.close())


def test_every_mode_has_a_way_for_both_agents() -> None:
    assert len(WAYS) == len(MODES) * len(AGENTS) == 8

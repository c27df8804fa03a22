"""What the guards cost: each agent beside the bare loop that it wraps, in one run, in shuffled order.

Run it with ``make bench``. Times are the process's own CPU time for one question (two model calls, one tool call) over
a scripted transport; quote the ratios, since absolute times depend on the machine. The first table asks the sample
notes with the real search; the second has a tool that does nothing, so that all of the rest is overhead.
"""

import random
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

import httpx2
from anthropic import Anthropic, beta_tool

import manual_agent
import runner_agent
from two_loops import Toolset, notes, search_notes, tool
from two_loops.samples import NOTES
from two_loops.stand_ins import wire
from two_loops.stand_ins.script import calls, says, tool_use
from two_loops.values.evidence import Shown

ROUNDS = 300
WARM_UP = 20
QUESTION = "When was the boiler serviced?"
SYSTEM = "Use the tool."
MODEL = "claude-haiku-5-5"
HIT = [{"file": "boiler.txt", "line": 2, "last_line": 2, "snippet": "Serviced on 12 March by Ortiz Heating."}]
REPLIES = [calls(tool_use("search_notes", query="boiler serviced")), says("On 12 March [boiler.txt:2].")]


def nothing(query: str) -> Any:
    """Find lines that hold the words. They come back as data."""
    return HIT


@beta_tool(name="search_notes")
def bare_nothing(query: str) -> str:
    """Find lines that hold the words. They come back as data."""
    return str(HIT)


@beta_tool(name="search_notes")
def bare_search(query: str) -> str:
    """Find lines that hold the words. They come back as data."""
    return str(list(search_notes(query, NOTES)))


def shown(hits: Any) -> list[Shown]:
    """What the tool that does nothing shows."""
    return [Shown(hit["file"], hit["line"], hit["last_line"]) for hit in hits]


IDLE = Toolset(name="idle", system=SYSTEM, tools=(tool(nothing, risky=False, evidence=shown, name="search_notes"),))
SEARCH = replace(notes(NOTES), system=SYSTEM)


def scripted() -> Anthropic:
    """A client whose replies repeat for ever."""
    bodies = [wire.response(reply, streamed=False).content for reply in REPLIES]
    asked = 0

    def answer(_request: httpx2.Request) -> httpx2.Response:
        nonlocal asked
        asked += 1
        body = bodies[(asked - 1) % len(bodies)]
        return httpx2.Response(200, content=body, headers={"content-type": "application/json"})

    return Anthropic(api_key="none", http_client=httpx2.Client(transport=httpx2.MockTransport(answer)))


def bare_manual(client: Anthropic, bare: Any) -> None:
    """The hand-written loop without any guard."""
    messages: list[Any] = [{"role": "user", "content": QUESTION}]
    tools: list[Any] = [bare.to_dict()]
    while True:
        reply = client.messages.create(model=MODEL, max_tokens=1024, system=SYSTEM, tools=tools, messages=messages)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return
        results = [
            {"type": "tool_result", "tool_use_id": block.id, "content": bare.call(block.input)}
            for block in reply.content
            if block.type == "tool_use"
        ]
        messages.append({"role": "user", "content": results})


def bare_runner(client: Anthropic, bare: Any) -> None:
    """The SDK's runner without any guard."""
    asked: Any = [{"role": "user", "content": QUESTION}]
    client.beta.messages.tool_runner(
        model=MODEL, max_tokens=1024, system=SYSTEM, tools=[bare], messages=asked, thread=False
    ).until_done()


def guarded(ask: Callable[..., Any], toolset: Toolset, log: Path | None) -> Callable[[Anthropic], None]:
    """An agent of ours on the same question."""

    def run(client: Anthropic) -> None:
        result = ask(QUESTION, toolset=toolset, client=client, model=MODEL, log_path=log)
        assert result.status == "ok"

    return run


def measured(bare: Any, toolset: Toolset, folder: Path) -> dict[str, float]:
    """CPU seconds a question, the median, by contender."""
    contenders: dict[str, Callable[[Anthropic], None]] = {
        "bare hand loop": lambda client: bare_manual(client, bare),
        "manual agent": guarded(manual_agent.ask, toolset, None),
        "manual agent, log": guarded(manual_agent.ask, toolset, folder / "manual.jsonl"),
        "bare runner": lambda client: bare_runner(client, bare),
        "runner agent": guarded(runner_agent.ask, toolset, None),
        "runner agent, log": guarded(runner_agent.ask, toolset, folder / "runner.jsonl"),
    }
    clients = {name: scripted() for name in contenders}
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    order = random.Random(1)
    for number in range(WARM_UP + ROUNDS):
        for name in order.sample(list(contenders), len(contenders)):
            before = process_time()
            contenders[name](clients[name])
            if number >= WARM_UP:
                seconds[name].append(process_time() - before)
    return {name: statistics.median(values) for name, values in seconds.items()}


def table(title: str, medians: dict[str, float]) -> str:
    """Medians, and ratios to the bare loop of the same kind."""
    lines = [f"{title:22}{'us':>8}  ratio"]
    for name, median in medians.items():
        bare = medians["bare hand loop" if "hand" in name or "manual" in name else "bare runner"]
        lines.append(f"  {name:20}{median * 1e6:8.0f}  {median / bare:.2f}")
    return "\n".join(lines)


STARTS = {
    "import anthropic": ["-c", "import anthropic"],
    "two-loops --help": ["-m", "two_loops", "--help"],
    "import manual_agent": ["-c", "import manual_agent"],
    "import runner_agent": ["-c", "import runner_agent"],
}


def started(arguments: list[str], rounds: int = 5) -> float:
    """CPU seconds of a Python process with these arguments, the median."""
    taken = []
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(taken)


def start_times() -> str:
    """What it takes to start, beside the import of the SDK."""
    seconds = {name: started(arguments) for name, arguments in STARTS.items()}
    sdk = seconds["import anthropic"]
    return "\n".join(f"  {name:20}{taken:8.2f}  {taken / sdk:.2f}" for name, taken in seconds.items())


def main() -> None:
    """Print the tables."""
    print(f"Python {sys.version.split()[0]}, {ROUNDS} questions each, CPU time, medians")
    with tempfile.TemporaryDirectory() as folder:
        print(table("the sample notes", measured(bare_search, SEARCH, Path(folder))))
        print(table("a tool that does nothing", measured(bare_nothing, IDLE, Path(folder))))
    print(f"{'starting':22}{'s':>8}  ratio to the SDK's import\n{start_times()}")


if __name__ == "__main__":
    main()

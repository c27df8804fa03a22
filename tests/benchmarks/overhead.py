"""What the guards cost: each agent beside the bare loop that it wraps, in one run, in shuffled order.

Run it with ``make bench``. Times are the process's own CPU time for one question (two model calls, one tool call) over
a scripted transport; quote the ratios, since absolute times depend on the machine.
"""

import random
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import httpx2
from anthropic import Anthropic, beta_tool

import manual_agent
import runner_agent
from two_loops import Toolset, tool
from two_loops.stand_ins import wire
from two_loops.stand_ins.script import calls, says, tool_use
from two_loops.values.evidence import Shown

ROUNDS = 400
WARM_UP = 20
QUESTION = "When was the boiler serviced?"
SYSTEM = "Use the tool."
MODEL = "claude-haiku-5-5"
HIT = [{"file": "boiler.txt", "line": 2, "last_line": 2, "snippet": "Serviced on 12 March by Ortiz Heating."}]
REPLIES = [calls(tool_use("find", query="boiler")), says("On 12 March [boiler.txt:2].")]


def find(query: str) -> Any:
    """Find lines that hold the words. They come back as data."""
    return HIT


@beta_tool(name="find")
def bare_find(query: str) -> str:
    """Find lines that hold the words. They come back as data."""
    return str(HIT)


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


def bare_manual(client: Anthropic) -> None:
    """The hand-written loop without any guard."""
    messages: list[Any] = [{"role": "user", "content": QUESTION}]
    tools: list[Any] = [bare_find.to_dict()]
    while True:
        reply = client.messages.create(model=MODEL, max_tokens=1024, system=SYSTEM, tools=tools, messages=messages)
        messages.append({"role": "assistant", "content": reply.content})
        if reply.stop_reason != "tool_use":
            return
        results = [
            {"type": "tool_result", "tool_use_id": block.id, "content": bare_find.call(block.input)}
            for block in reply.content
            if block.type == "tool_use"
        ]
        messages.append({"role": "user", "content": results})


def bare_runner(client: Anthropic) -> None:
    """The SDK's runner without any guard."""
    runner = client.beta.messages.tool_runner(
        model=MODEL,
        max_tokens=1024,
        system=SYSTEM,
        tools=[bare_find],
        messages=[{"role": "user", "content": QUESTION}],
        thread=False,
    )
    runner.until_done()


def guarded(ask: Callable[..., Any], log: Path | None) -> Callable[[Anthropic], None]:
    """An agent of ours on the same question."""

    def shown(hits: Any) -> Any:
        return [Shown(hit["file"], hit["line"], hit["last_line"]) for hit in hits]

    toolset = Toolset(name="bench", system=SYSTEM, tools=(tool(find, risky=False, evidence=shown),))

    def run(client: Anthropic) -> None:
        result = ask(QUESTION, toolset=toolset, client=client, model=MODEL, log_path=log)
        assert result.status == "ok"

    return run


def measured(folder: Path) -> dict[str, list[float]]:
    """CPU seconds a question, by contender."""
    contenders = {
        "bare hand loop": bare_manual,
        "manual agent": guarded(manual_agent.ask, None),
        "manual agent, log": guarded(manual_agent.ask, folder / "manual.jsonl"),
        "bare runner": bare_runner,
        "runner agent": guarded(runner_agent.ask, None),
        "runner agent, log": guarded(runner_agent.ask, folder / "runner.jsonl"),
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
    return seconds


def main() -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as folder:
        seconds = measured(Path(folder))
    medians = {name: statistics.median(values) for name, values in seconds.items()}
    print(f"Python {sys.version.split()[0]}, {ROUNDS} questions each, CPU time, medians")
    print(f"{'':20}{'us':>8}  ratio to the bare loop")
    for name, median in medians.items():
        bare = medians["bare hand loop" if "hand" in name or "manual" in name else "bare runner"]
        print(f"{name:20}{median * 1e6:8.0f}  {median / bare:.2f}")


if __name__ == "__main__":
    main()

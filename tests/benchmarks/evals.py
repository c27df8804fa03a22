"""A thousand cases through both agents: how many trials a second, how much memory, and one agent beside the other.

Run it with ``make bench-evals``. The nine sample questions are asked again and again of the offline model, each time as
another case, so that all of the time is this project's and the SDK's own. Each row is a process of its own; quote the
ratios, since absolute numbers depend on the machine.
"""

import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter, process_time

import manual_agent
import runner_agent
from two_loops import offline_client
from two_loops.evals import load_cases, run_cases
from two_loops.evals.reading import Cases

AGENTS = {"manual": manual_agent.ask, "runner": runner_agent.ask}
CASES = 1000
ROUNDS = 5  # of a ratio, each agent in turn
WORKERS = (1, 2, 4)


def many(number: int) -> Cases:
    """So many cases made of the nine."""
    nine = load_cases("nine")
    cases = (nine.cases[at % len(nine.cases)].model_copy(update={"id": f"case-{at}"}) for at in range(number))
    return Cases(nine.name, nine.sha256, tuple(cases))


def one_run(cases: int, workers: int) -> dict[str, float]:
    """What a run takes: seconds by the clock, and the most memory that this process ever had, in MiB."""
    with tempfile.TemporaryDirectory() as folder, offline_client() as client:
        began = perf_counter()
        made = run_cases(many(cases), AGENTS, client=client, workers=workers, run_file=Path(folder) / "run.jsonl")
        seconds = perf_counter() - began
    assert made.passed == 1.0
    return {
        "trials": made.planned,
        "seconds": seconds,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def ratio(cases: int) -> dict[str, float]:
    """CPU seconds of each agent on the same cases."""
    taken = dict.fromkeys(AGENTS, 0.0)
    with offline_client() as client:
        for number in range(ROUNDS + 1):
            for name, ask in AGENTS.items():
                before = process_time()
                run_cases(many(cases // ROUNDS), {name: ask}, client=client)
                taken[name] += process_time() - before if number else 0.0  # the first round warms up
    return taken


def apart(function: str, *arguments: int) -> dict[str, float]:
    """What the function returns in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.evals", function, *map(str, arguments)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found: dict[str, float] = json.loads(printed)
    return found


ROWS: dict[str, Callable[..., dict[str, float]]] = {"one_run": one_run, "ratio": ratio}


def main() -> None:
    """Print the tables."""
    print(f"Python {sys.version.split()[0]}, both agents, offline model, a run file\n")
    print(f"{'cases':>6}{'workers':>9}{'trials/s':>10}{'peak MiB':>10}")
    for cases, workers in [(CASES // 10, 1), *((CASES, workers) for workers in WORKERS)]:
        made = apart("one_run", cases, workers)
        print(f"{cases:6}{workers:9}{made['trials'] / made['seconds']:10.0f}{made['peak']:10.1f}")
    taken = apart("ratio", CASES)
    told = ", ".join(f"{name} {seconds:.2f}" for name, seconds in taken.items())
    print(f"\nCPU seconds for {CASES} cases: {told}; runner / manual {taken['runner'] / taken['manual']:.2f}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(ROWS[sys.argv[1]](*map(int, sys.argv[2:]))))
    else:
        main()

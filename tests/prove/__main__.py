"""``make prove``: many thousands of generated conversations, split over processes, and what they reached."""

import argparse
import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context

from tests.both.ways import WAYS
from tests.prove.proving import Reached, told

BATCH = 250  # conversations that are tried one after the other from one seed
KINDS = {
    "status": "statuses",
    "stop reason": "stop reasons",
    "guard": "guards that acted",
    "error": "errors",
    "exception": "exceptions by nature",
}


def main() -> int:
    """Try them all. Returns 1 where a property broke."""
    asked = _arguments()
    seeds = range(asked.seed, asked.seed + -(-asked.conversations // BATCH))
    print(f"{len(seeds) * BATCH} conversations in {len(WAYS)} ways, seeds {seeds[0]} to {seeds[-1]}", flush=True)
    began, reached, broken = time.monotonic(), Reached(), 0
    for seed, made in _batches(seeds, asked.processes):
        if isinstance(made, str):
            broken += 1
            print(f"\nSeed {seed}:\n{made}", flush=True)
        else:
            reached += made
    for line in summary(reached):
        print(line)
    took = time.monotonic() - began
    print(f"disagreements: {broken}, after {took:.0f} s in {asked.processes} processes")
    return 1 if broken else 0


def summary(reached: Reached) -> Iterator[str]:
    """What was reached, in lines."""
    yield f"conversations: {reached['conversations', '']}"
    runs = [(way, reached["runs", way]) for way in WAYS]
    yield f"runs: {sum(times for _, times in runs)} ({_listed(runs)})"
    for kind, name in KINDS.items():
        found = [(what, times) for (of, what), times in reached.most_common() if of == kind]
        yield f"{name}: {_listed(found)}"


def _listed(found: Sequence[tuple[str, int]]) -> str:
    return ", ".join(f"{what} {times}" for what, times in found) or "none"


def _batches(seeds: range, processes: int) -> Iterator[tuple[int, Reached | str]]:
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        batches = {pool.submit(told, BATCH, seed): seed for seed in seeds}
        for batch in as_completed(batches):
            yield batches[batch], batch.result()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.prove", description=__doc__)
    parser.add_argument("--conversations", type=int, default=20_000, help="rounded up to whole batches of 250")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=random.randrange(10**9), help="of the first batch")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())

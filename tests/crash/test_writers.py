"""Many processes with one log: each run has all of its lines, whole, in order."""

import fcntl
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.crash.children import Children
from tests.crash.jobs import one_run, together
from tests.crash.reading import STORY, as_the_command_reads, read

WRITERS, RUNS = 8, 15


def test_eight_processes_lose_and_mix_nothing(
    children: Children, agent: str, chance: random.Random, tmp_path: Path
) -> None:
    log, gate = tmp_path / "log.jsonl", tmp_path / "gate"

    with gate.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        writers = [children.start(together, gate, agent, log, chance.random(), RUNS, 50_000) for _ in range(WRITERS)]
    assert [writer.ended() for writer in writers] == [0] * WRITERS
    asked = [run_id for writer in writers for run_id in writer.reported()]

    made = read(log)
    assert len(asked) == WRITERS * RUNS
    assert made.runs == dict.fromkeys(asked, STORY)
    assert (made.torn, made.rest) == ([], b"")
    told = as_the_command_reads(log)
    assert Counter(run["status"] for run in told["runs"]) == {"ok": WRITERS * RUNS}
    assert (told["torn"], told["foreign"]) == (0, 0)


@contextmanager
def locked_by_somebody(log: Path) -> Iterator[None]:
    """As by a writer that stands still, or by ``flock log.jsonl two-loops ask ...``."""
    with log.open("a") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def test_a_lock_that_nobody_gives_back_stops_no_run(agent: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"

    with locked_by_somebody(log):
        (left,) = one_run(agent, log)

    assert left.result is not None
    assert left.result.warnings == []
    assert read(log).runs == {left.result.run_id: STORY}

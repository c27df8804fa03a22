"""Runs of cases that are killed, or whose disk is full: what was made is kept, and nothing is made twice."""

import json
import random
import signal
import time
from pathlib import Path

import pytest

from tests.crash.children import Children
from tests.crash.eval_jobs import scored_nine
from two_loops.cli.evals.scores import lines
from two_loops.evals.run_file import read_run
from two_loops.evals.scored import EvalRun

KILLS = 10
LATEST = 0.1  # seconds after the start of a process: it has made some trials by then


def table(run: EvalRun) -> list[str]:
    """What the command says of the run."""
    return list(lines(run))


def trials_in(file: Path) -> list[tuple[str, str, int]]:
    """The trials in a file, line by line; torn lines are none."""
    found = []
    for line in file.read_bytes().split(b"\n"):
        try:
            whole = json.loads(line)
        except ValueError:
            continue
        if "case" in whole:
            found.append((whole["case"], whole["agent"], whole["trial"]))
    return found


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_that_is_killed_again_and_again_is_finished_without_making_a_trial_twice(
    workers: int, children: Children, chance: random.Random, tmp_path: Path
) -> None:
    file, ends = tmp_path / "run.jsonl", []

    for _ in range(KILLS):
        child = children.start(scored_nine, file, workers)
        time.sleep(chance.uniform(0, LATEST))
        child.kill()
        ends.append(child.ended())
    made = children.made(scored_nine, file, workers)
    whole = children.made(scored_nine, tmp_path / "whole.jsonl")

    assert ends[0] == -signal.SIGKILL
    assert table(made) == table(whole)
    assert table(read_run(file)) == table(whole)
    assert sorted(trials_in(file)) == sorted(trial.key for trial in whole.scored)


def test_a_full_disk_is_a_warning_and_costs_no_trial(children: Children, tmp_path: Path) -> None:
    file = tmp_path / "run.jsonl"

    full = children.made(scored_nine, file, 1, 2)
    freed = children.made(scored_nine, file)

    assert len(full.scored) == full.planned
    assert full.warnings == ("the run file is not complete: the line was written only in part",)
    assert sorted(trials_in(file)) == sorted(trial.key for trial in freed.scored)
    assert (freed.warnings, len(freed.scored)) == ((), freed.planned)

"""Runs of cases in a child."""

from collections.abc import Iterator
from pathlib import Path

from tests.both.ways import AGENTS
from tests.crash.jobs import FREE, leave_room, limit_files
from two_loops import offline_client
from two_loops.evals import load_cases, run_cases
from two_loops.evals.scored import EvalRun, Scored

TRIALS = 4  # enough to be killed in the middle


def scored_nine(file: Path, workers: int = 1, full_after: int | None = None) -> Iterator[EvalRun]:
    """The nine questions through both agents, from where the file has come to; the disk may be full after a trial."""
    heard: list[Scored] = []

    def on_scored(trial: Scored) -> None:
        heard.append(trial)
        if len(heard) == full_after:
            leave_room(file, 100)

    with offline_client() as client:
        made = run_cases(
            load_cases("nine"),
            AGENTS,
            client=client,
            trials=TRIALS,
            workers=workers,
            run_file=file,
            resume=file.exists(),
            on_scored=on_scored,
        )
    limit_files(FREE)
    yield made

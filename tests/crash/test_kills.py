"""Processes that are killed while they write: what they had written stays, and the next line starts anew."""

import random
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.crash.children import Children
from tests.crash.jobs import dies_in_the_middle, one_run, run_after_run
from tests.crash.reading import STORY, as_the_command_reads, read
from two_loops.cli.log_lines import LONGEST_LINE

KILLS = 50
LATEST = 0.05  # seconds after the start of a process: it has asked some questions by then
LONG = 4096  # bytes
MOST_LOOKS = 10**6  # at the size of the log, some seconds in all
ENDLESS = 10**9


def killed(children: Children, agent: str, log: Path, chance: random.Random) -> list[str]:
    """Start a process that asks question after question, kill it, and return the ids of the runs that it finished.

    Half of the kills come at any time, half while a long line is written or just after.
    """
    child = children.start(run_after_run, agent, log, chance.random(), ENDLESS)
    time.sleep(chance.uniform(0, LATEST))
    if chance.random() < 0.5:
        wait_for_a_long_line(log)
    child.kill()
    assert child.ended() == -signal.SIGKILL
    return child.reported()


def wait_for_a_long_line(log: Path) -> None:
    """Return as soon as the log has grown by much from one look to the next."""
    before = size(log)
    for _ in range(MOST_LOOKS):
        now = size(log)
        if now - before >= LONG:
            return
        before = now


def size(log: Path) -> int:
    """The bytes in the log; 0 where there is none yet."""
    with suppress(FileNotFoundError):
        return log.stat().st_size
    return 0


def test_fifty_kills_cost_no_line_but_the_last_of_each(
    children: Children, agent: str, chance: random.Random, tmp_path: Path
) -> None:
    log = tmp_path / "log.jsonl"

    finished = [run_id for _ in range(KILLS) for run_id in killed(children, agent, log, chance)]
    last = children.made(one_run, agent, log, 5000).result.run_id

    made = read(log)
    whole = [*finished, last]
    assert {run_id: made.runs[run_id] for run_id in whole} == dict.fromkeys(whole, STORY)
    unfinished = [events for run_id, events in made.runs.items() if run_id not in whole]
    assert len(unfinished) <= KILLS
    assert all(events == STORY[: len(events)] for events in unfinished)
    assert len(made.torn) <= KILLS
    assert all(line and b'{"event":"'.startswith(line[:10]) for line in made.torn)
    assert made.rest == b""
    told = as_the_command_reads(log)
    assert (told["torn"], told["foreign"], len(told["runs"])) == (len(made.torn), 0, len(made.runs))


def test_a_kill_in_one_of_the_longest_lines_there_are(children: Children, agent: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"

    child = children.start(one_run, agent, log, LONGEST_LINE - 1000)
    wait_for_a_long_line(log)
    child.kill()
    assert child.ended() == -signal.SIGKILL
    left = children.made(one_run, agent, log)

    made = read(log)
    assert made.runs[left.result.run_id] == STORY
    assert len(made.torn) <= 1
    told = as_the_command_reads(log)
    assert (told["torn"], told["foreign"], len(told["runs"])) == (len(made.torn), 0, len(made.runs))


def test_those_who_live_on_lose_no_line_to_those_who_die(
    children: Children, agent: str, chance: random.Random, tmp_path: Path
) -> None:
    log = tmp_path / "log.jsonl"
    survivors = [children.start(run_after_run, agent, log, chance.random(), 20, 50_000) for _ in range(3)]

    finished = [run_id for _ in range(10) for run_id in killed(children, agent, log, chance)]
    for survivor in survivors:
        assert survivor.ended() == 0
        finished += survivor.reported()

    made = read(log)
    assert len(finished) >= 3 * 20
    assert {run_id: made.runs[run_id] for run_id in finished} == dict.fromkeys(finished, STORY)
    assert len(made.torn) + (made.rest != b"") <= 10
    assert all(line and b'{"event":"'.startswith(line[:10]) for line in made.torn)


@pytest.mark.parametrize("room", [1, 10, 100])
@pytest.mark.parametrize("nth", range(1, len(STORY)))
def test_a_line_that_death_cuts_at_any_byte_is_the_only_one_lost(
    nth: int, room: int, children: Children, agent: str, tmp_path: Path
) -> None:
    log = tmp_path / "log.jsonl"

    dead = children.start(dies_in_the_middle, agent, log, nth, room)
    assert dead.ended() == -signal.SIGXFSZ
    left = children.made(one_run, agent, log)

    made = read(log)
    assert list(made.runs.values()) == [STORY[: nth - 1], STORY][nth == 1 :]
    assert made.runs[left.result.run_id] == STORY
    assert [len(line) for line in made.torn] == [room]
    assert made.rest == b""

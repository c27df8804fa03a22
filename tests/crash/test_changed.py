"""A log that others touch: an editor or another program before a run, whoever tidies up while it goes on."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.crash.jobs import Left, one_run
from tests.crash.reading import STORY, read
from two_loops.cli.log_lines import LogLines, added_up
from two_loops.values.events import Event

OLD = b'{"event": "question", "run_id": "old", "schema": 1}'


def asked(agent: str, log: Path, *, at: int = 0, change: Callable[[], object] = list) -> Left:
    """One run, and what is done to its log once it has that many lines."""
    heard: list[Event] = []

    def on_event(event: Event) -> None:
        heard.append(event)
        if len(heard) == at:
            change()

    (left,) = one_run(agent, log, 10, on_event)
    return left


@pytest.mark.parametrize(
    ("held", "torn"),
    [
        (b"", 0),
        (b"\n", 0),
        (b"\r\n", 0),
        (b" \t\r\n\n" + OLD + b"\n", 0),
        (OLD, 0),
        (OLD + b"\r\n", 0),
        (OLD + b"\r\n\r\n", 0),
        (OLD + b"\n\n\n", 0),
        (OLD + b"\n" + OLD[:20], 1),
        (OLD[:1], 1),
        (OLD[:20] + b"\r\n", 1),
        (OLD + b"\r", 0),
    ],
)
def test_a_run_starts_on_a_line_of_its_own(held: bytes, torn: int, agent: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(held)

    left = asked(agent, log)

    assert left.result is not None
    lines = LogLines(str(log))
    runs, _ = added_up(lines)
    assert [(run.run_id, run.status) for run in runs] == [
        (left.result.run_id, "ok"),
        *[("old", "unfinished")] * held.count(OLD),
    ]
    assert (lines.torn, lines.foreign) == (torn, 0)
    assert log.read_bytes().startswith(held)
    own = log.read_bytes()[len(held) :].lstrip(b"\n")
    (tmp_path / "own.jsonl").write_bytes(own)
    assert read(tmp_path / "own.jsonl").runs == {left.result.run_id: STORY}


@pytest.mark.parametrize("held", [b"\nDear diary", b"\x00", b"[1]\n", b" " * 5000 + b"text"])
def test_a_file_that_is_no_log_stays_as_it_is(held: bytes, agent: str, tmp_path: Path) -> None:
    log = tmp_path / "notes.txt"
    log.write_bytes(held)

    left = asked(agent, log)

    assert (left.refusal or "").endswith("what it holds is no log; name another file")
    assert left.requests == 0
    assert log.read_bytes() == held


@pytest.mark.parametrize("at", range(1, len(STORY)))
def test_a_run_stays_whole_in_a_log_that_is_moved_away(at: int, agent: str, tmp_path: Path) -> None:
    log, moved = tmp_path / "log.jsonl", tmp_path / "log.jsonl.1"

    left = asked(agent, log, at=at, change=lambda: log.rename(moved))
    after = asked(agent, log)

    assert left.result is not None
    assert after.result is not None
    assert left.result.warnings == []
    assert read(moved).runs == {left.result.run_id: STORY}
    assert read(log).runs == {after.result.run_id: STORY}


@pytest.mark.parametrize("at", range(2, len(STORY)))
def test_a_log_that_is_deleted_costs_no_answer_and_is_told(at: int, agent: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"

    left = asked(agent, log, at=at, change=log.unlink)

    assert left.result is not None
    assert left.result.status == "ok"
    assert left.result.warnings == ["the log is not complete: it was deleted"]
    assert not log.exists()


def test_a_log_that_is_deleted_before_the_first_request_costs_no_money(agent: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"

    left = asked(agent, log, at=1, change=log.unlink)

    assert (left.refusal, left.requests) == ("the log can't be written: it was deleted", 0)


@pytest.mark.parametrize("at", range(1, len(STORY)))
def test_a_log_that_is_emptied_goes_on_with_whole_lines(at: int, agent: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(OLD[:20])

    left = asked(agent, log, at=at, change=lambda: log.write_bytes(b""))

    made = read(log)
    assert left.result is not None
    assert left.result.warnings == []
    assert made.runs == {left.result.run_id: STORY[at:]}
    assert (made.torn, made.rest) == ([], b"")

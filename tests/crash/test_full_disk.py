"""A disk that is full: an error before money is spent, and never a lost answer afterwards."""

from pathlib import Path

import pytest

from tests.crash.children import Children
from tests.crash.jobs import full_disk, one_run, tiny_disk
from tests.crash.reading import STORY, as_the_command_reads, read

BEFORE_MONEY = 2  # lines that are written before the first request goes out


@pytest.mark.parametrize("room", [0, 1, 100])
@pytest.mark.parametrize("nth", range(1, len(STORY) + 1))
def test_a_disk_that_is_full_at_any_line(nth: int, room: int, children: Children, agent: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"

    full = children.made(full_disk, agent, log, nth, room)
    freed = children.made(one_run, agent, log)

    if nth <= BEFORE_MONEY:
        assert full.refusal.startswith("the log can't be written: ")
        assert full.requests == 0
    else:
        assert full.result.answer.startswith("On 12 March [boiler.txt:2].")
        assert (full.result.status, full.requests) == ("ok", 2)
        assert [warning.partition(":")[0] for warning in full.result.warnings] == ["the log is not complete"]
    made = read(log)
    assert list(made.runs.values()) == [STORY[: nth - 1], STORY][nth == 1 :]
    assert made.runs[freed.result.run_id] == STORY
    assert [len(line) for line in made.torn] == [room] * (room > 0)
    assert made.rest == b""


def test_lines_after_a_disk_was_freed_are_whole(children: Children, agent: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"

    left = children.made(full_disk, agent, log, 3, 100, 5)

    made = read(log)
    assert made.runs == {left.result.run_id: STORY[:2] + STORY[4:]}
    assert [len(line) for line in made.torn] == [100]
    assert len(left.result.warnings) == 1
    assert as_the_command_reads(log)["runs"][0]["status"] == "ok"


@pytest.mark.parametrize("room", [0, 1, 2, 100])
def test_a_disk_that_fills_up_after_a_torn_line(room: int, children: Children, agent: str, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b'{"torn')

    full = children.made(full_disk, agent, log, 1, room)
    freed = children.made(one_run, agent, log)

    made = read(log)
    assert (full.result, full.requests) == (None, 0)
    assert made.runs == {freed.result.run_id: STORY}
    assert [len(line) for line in made.torn] == [len(b'{"torn'), *[room - 1] * (room > 1)]
    assert made.rest == b""


def test_a_real_disk_of_four_pages(children: Children, agent: str, tmp_path: Path) -> None:
    if (seen := children.made(tiny_disk, agent, tmp_path)) is None:
        pytest.skip("nothing can be mounted here")
    before, full, refused, freed, log = seen
    (tmp_path / "copy.jsonl").write_bytes(log)

    made = read(tmp_path / "copy.jsonl")
    assert (full.result.status, len(full.result.warnings), full.requests) == ("ok", 1, 2)
    assert full.result.warnings[0] in (
        "the log is not complete: the line was written only in part",
        "the log is not complete: No space left on device",
    )
    assert (refused.refusal, refused.requests) == ("the log can't be written: No space left on device", 0)
    assert made.runs[before.result.run_id] == made.runs[freed.result.run_id] == STORY
    assert (len(made.torn), made.rest) == (1, b"")
    assert as_the_command_reads(tmp_path / "copy.jsonl")["torn"] == 1

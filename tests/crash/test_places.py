"""Places where no log can be: an error before money is spent."""

import os
from pathlib import Path

import pytest

from tests.crash.children import Children
from tests.crash.jobs import as_nobody, one_run

LINKS = {"to itself": "log.jsonl", "to nothing": "elsewhere", "to a device": "/dev/full"}


@pytest.mark.parametrize("link", LINKS)
def test_a_link_leads_to_no_log(link: str, children: Children, agent: str, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").symlink_to(LINKS[link])

    left = children.made(one_run, agent, tmp_path / "log.jsonl")

    assert (left.refusal, left.requests) == (f"the log {tmp_path / 'log.jsonl'} can't be opened: it is a link", 0)
    assert [entry.name for entry in tmp_path.iterdir()] == ["log.jsonl"]


def test_a_pipe_that_somebody_reads(children: Children, agent: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "log.jsonl")

    reading = os.open(tmp_path / "log.jsonl", os.O_RDONLY | os.O_NONBLOCK)
    left = children.made(one_run, agent, tmp_path / "log.jsonl")
    os.close(reading)

    assert left.refusal.endswith("can't be opened: it is no regular file")
    assert left.requests == 0


@pytest.mark.parametrize("path", ["file/log.jsonl", f"{'x' * 300}.jsonl"])
def test_a_path_that_leads_nowhere(path: str, children: Children, agent: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    left = children.made(one_run, agent, f"{tmp_path}/{path}")

    assert left.refusal.startswith(f"the log {tmp_path}")
    assert left.requests == 0
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("mode", [0o000, 0o222, 0o444])
def test_a_file_that_may_not_be_read_and_written(mode: int, children: Children, agent: str, tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").touch(mode=0o666)
    (tmp_path / "log.jsonl").chmod(mode)

    left = children.made(as_nobody, agent, tmp_path, "log.jsonl")

    assert (left.refusal, left.requests) == ("the log log.jsonl can't be opened: permission denied", 0)
    assert (tmp_path / "log.jsonl").stat().st_size == 0


def test_a_folder_that_may_not_be_written(children: Children, agent: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir(mode=0o555)

    left = children.made(as_nobody, agent, tmp_path / "folder", "log.jsonl")

    assert (left.refusal, left.requests) == ("the log log.jsonl can't be opened: permission denied", 0)
    assert list((tmp_path / "folder").iterdir()) == []

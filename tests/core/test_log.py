"""The log's lines: whole, plain ASCII, and apart from the importing program's own structlog."""

import json
import os
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import structlog
from hypothesis import given
from hypothesis import strategies as st

from two_loops.log import Appender, open_log, record
from two_loops.values.events import GuardActed, Logged, ModelRequested, ToolCalled


def called(output: str, *, known: bool = True) -> ToolCalled:
    """A tool call with an output."""
    return ToolCalled(
        step=1,
        tool="find",
        known=known,
        tool_use_id="toolu_1",
        input={"query": output[:10]},
        is_error=False,
        output=output,
        detail=None,
        approval=None,
        decided_by=None,
        duration_s=0.1,
    )


@given(st.text(st.characters(), max_size=50))
def test_any_text_makes_one_line_of_ascii(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("log") / "log.jsonl"
    log = open_log(path, content=True, secrets=[], run_id="r", agent="manual")
    log.write(called(text))
    log.close()

    (line,) = path.read_bytes().split(b"\n")[:-1]
    assert line.isascii()
    assert json.loads(line)["output"] == text


def test_a_line_begins_with_what_every_line_has(tmp_path: Path) -> None:
    log = open_log(tmp_path / "log.jsonl", content=True, secrets=[], run_id="r", agent="manual")
    log.write(ModelRequested(step=1, messages=3))
    log.close()

    line = json.loads((tmp_path / "log.jsonl").read_text())
    assert list(line) == ["event", "at", "run_id", "agent", "schema", "step", "messages"]
    assert line["at"].endswith("+00:00")
    assert line["schema"] == 1


def test_a_torn_last_line_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"event": "model_req')
    appender = Appender(path)
    appender.msg(b'{"whole": 1}')
    with path.open("a") as other:
        other.write('{"event": "torn by ano')
    appender.msg(b'{"whole": 2}')
    appender.close()

    lines = path.read_text().split("\n")
    assert lines == ['{"event": "model_req', '{"whole": 1}', '{"event": "torn by ano', '{"whole": 2}', ""]


def test_several_writers_mix_nothing(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"

    def write(name: str) -> None:
        log = open_log(path, content=True, secrets=[], run_id=name, agent="manual")
        for step in range(100):
            log.write(called(name * 1500 + str(step)))
        log.close()

    writers = [threading.Thread(target=write, args=(name,)) for name in "abcd"]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    lines = [json.loads(line) for line in path.read_text().split("\n") if line]
    for name in "abcd":
        ours = [line["output"] for line in lines if line["run_id"] == name]
        assert ours == [name * 1500 + str(step) for step in range(100)]


def test_a_long_output_is_cut_and_its_length_kept(tmp_path: Path) -> None:
    cut, whole = written(tmp_path, called("x" * 2001), called("x" * 2000))

    assert (cut["output"], cut["output_length"]) == ("x" * 2000, 2001)
    assert (whole["output"], "output_length" in whole) == ("x" * 2000, False)


def test_a_key_is_hidden_before_a_text_is_cut_and_however_it_is_escaped(tmp_path: Path) -> None:
    key = 'a-key"with\\odd-characters-ü'
    outputs = ["x" * 1990 + key, json.dumps({"found": key}), json.dumps([key], ensure_ascii=False), key]

    lines = written(tmp_path, *map(called, outputs), secrets=[key])

    assert "odd-char" not in json.dumps(lines)
    assert lines[0]["output"].endswith("x[secret]")
    assert lines[3]["output"] == "[secret]"


def written(folder: Path, *events: Logged, secrets: Iterable[str] = ()) -> list[dict[str, Any]]:
    """The lines that a log makes of the events."""
    log = open_log(folder / "log.jsonl", content=True, secrets=secrets, run_id="r", agent="manual")
    for event in events:
        log.write(event)
    log.close()
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def test_without_content_a_line_holds_no_words() -> None:
    kept = record(called("the notes"), content=False)

    assert kept.keys().isdisjoint({"input", "output", "detail", "tool_use_id"})
    assert kept["tool"] == "find"
    assert record(called("", known=False), content=False)["tool"] is None
    acted = GuardActed(guard="approval", outcome="refused", why="the asker denied it", detail="no")
    assert "detail" not in record(acted, content=False)


def test_keys_are_hidden(tmp_path: Path) -> None:
    key = "a-key-of-some-length"
    log = open_log(tmp_path / "log.jsonl", content=True, secrets=[key, "short"], run_id="r", agent="manual")
    log.write(called(f'{key} "{key}" sk-ant-api03-abc_DEF-1 short'))
    log.close()

    line = (tmp_path / "log.jsonl").read_text()
    assert key not in line
    assert json.loads(line)["output"] == '[secret] "[secret]" [secret] short'


def _fails(*_: Any) -> str:
    raise AssertionError("the program's own configuration was used")


def test_the_programs_own_structlog_is_left_alone(tmp_path: Path) -> None:
    structlog.configure(processors=[_fails])
    try:
        log = open_log(tmp_path / "log.jsonl", content=True, secrets=[], run_id="r", agent="manual")
        log.write(ModelRequested(step=1, messages=3))
        log.close()
    finally:
        structlog.reset_defaults()

    assert json.loads((tmp_path / "log.jsonl").read_text())["event"] == "model_request"


def test_the_log_is_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        Appender(tmp_path / "log.jsonl").close()
    finally:
        os.umask(before)

    assert (tmp_path / "log.jsonl").stat().st_mode & 0o777 == 0o600

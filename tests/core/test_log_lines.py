"""Reading a log: which lines are ours, and what they add up to."""

import json
import os
import tracemalloc
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from two_loops.cli.log_lines import LONGEST_LINE, LoggedRun, LogLines, Total, added_up, moment
from two_loops.errors import WrongUse

NOON = "2026-03-12T12:00:00+00:00"


def line(event: str, run_id: str = "r1", at: str = NOON, **fields: Any) -> dict[str, Any]:
    """A line as the log writes it."""
    return {"event": event, "at": at, "run_id": run_id, "agent": "manual", "schema": 1, **fields}


def reply(run_id: str = "r1", model: str = "m", cost_usd: Any = 0.00008, **fields: Any) -> dict[str, Any]:
    """A model call with 500 tokens in and 60 out."""
    cached = {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    counts = {"input_tokens": 500, "output_tokens": 60, **cached}
    return line("model_call", run_id, model=model, **counts | {"cost_usd": cost_usd} | fields)


def written(folder: Path, *lines: dict[str, Any] | str | bytes) -> LogLines:
    """A log of these lines; a text or bytes stand in it as they are."""
    path = folder / "log.jsonl"
    with path.open("wb") as file:
        for one in lines:
            text = one if isinstance(one, (str, bytes)) else json.dumps(one)
            file.write((text if isinstance(text, bytes) else text.encode()) + b"\n")
    return LogLines(str(path))


def test_lines_come_in_order_and_blank_ones_do_not_count(tmp_path: Path) -> None:
    lines = written(tmp_path, line("question"), "", " \t", line("model_request"), "\r", line("result"))

    assert [one["event"] for one in lines] == ["question", "model_request", "result"]
    assert (lines.torn, lines.foreign) == (0, 0)


@pytest.mark.parametrize(
    "foreign",
    [
        "null",
        "7",
        "[]",
        "{}",
        "Traceback (most recent call last):",
        b"\xff\xfe\x00",
        '{"event": "question", "run_id": "r1"}',
        '{"event": "question", "run_id": "r1", "schema": 2}',
        '{"event": "question", "run_id": "r1", "schema": true}',
        '{"event": "question", "run_id": "r1", "schema": "1"}',
        '{"event": "question", "run_id": 1, "schema": 1}',
        '{"event": "question", "run_id": "", "schema": 1}',
        '{"event": "question", "run_id": " ", "schema": 1}',
        '{"event": "", "run_id": "r1", "schema": 1}',
        '{"event": ["question"], "run_id": "r1", "schema": 1}',
        '{"run_id": "r1", "schema": 1}',
    ],
)
def test_a_line_of_another_program_is_counted_and_passed_over(foreign: str | bytes, tmp_path: Path) -> None:
    lines = written(tmp_path, foreign, line("question"), foreign)

    assert [one["event"] for one in lines] == ["question"]
    assert (lines.torn, lines.foreign) == (0, 2)


@pytest.mark.parametrize("torn", ["{", '{"event": "model_req', '{"event": "question", "at": "2026', b'{"event": "\xc3'])
def test_a_torn_line_is_counted_and_passed_over(torn: str | bytes, tmp_path: Path) -> None:
    lines = written(tmp_path, line("question"), torn, line("result"), torn)

    assert [one["event"] for one in lines] == ["question", "result"]
    assert (lines.torn, lines.foreign) == (2, 0)


def test_a_whole_last_line_counts_without_its_line_end(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(line("question")))

    assert list(LogLines(str(path))) == [line("question")]


def test_reading_again_counts_anew(tmp_path: Path) -> None:
    lines = written(tmp_path, line("question"), "{", "else")

    assert [len(list(lines)), len(list(lines))] == [1, 1]
    assert (lines.torn, lines.foreign) == (1, 1)


def test_a_line_without_an_end_is_not_held(tmp_path: Path) -> None:
    endless = '{"event": "' + "x" * (LONGEST_LINE * 2)
    lines = written(tmp_path, endless, line("question"))

    assert list(lines) == [line("question")]
    assert (lines.torn, lines.foreign) == (1, 0)


@pytest.mark.parametrize("depth", [2_000, 200_000])
def test_a_line_that_is_nested_too_deep_breaks_nothing(depth: int, tmp_path: Path) -> None:
    lines = written(tmp_path, '{"input": ' + "[" * depth + "]" * depth + "}", line("question"))

    assert list(lines) == [line("question")]


def test_a_number_that_is_not_finite_can_be_written_again(tmp_path: Path) -> None:
    (one,) = written(tmp_path, '{"event": "x", "run_id": "r", "schema": 1, "a": NaN, "b": -Infinity, "c": 1e999}')

    assert (one["a"], one["b"], one["c"]) == ("NaN", "-Infinity", "1e999")


def test_a_long_log_is_never_held(tmp_path: Path) -> None:
    lines = written(tmp_path, *[line("tool_call", output="x" * 100_000)] * 200)
    tracemalloc.start()

    runs, _ = added_up(lines)

    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert runs[0].tool_calls == 200
    assert peak < 2_000_000


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("none.jsonl", "no such file or directory"),
        (".", "it is no regular file"),
        ("pipe", "it is no regular file"),
        ("x" * 300, "file name too long"),
        ("file/in-a-file", "not a directory"),
    ],
)
def test_what_can_not_be_read(name: str, why: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "file").touch()
    path = str(tmp_path / name)

    with pytest.raises(WrongUse) as raised:
        list(LogLines(path))

    assert str(raised.value) == f"the log {path} can't be read: {why}"


@pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="a file whose reading fails is to be had on Linux")
def test_a_file_that_fails_while_it_is_read() -> None:
    with pytest.raises(WrongUse, match=r"the log /proc/self/mem can't be read: input/output error"):
        list(LogLines("/proc/self/mem"))


def test_a_run_adds_up_until_its_last_line_tells_its_own_sums(tmp_path: Path) -> None:
    begun = [line("question", model="m"), reply(), line("tool_call"), reply(cache_read_input_tokens=7)]
    sums: dict[str, Any] = {"steps": 3, "tool_calls": 2, "tokens_in": 1600, "tokens_out": 190, "cost_usd": 0.0003}

    (unfinished,), _ = added_up(written(tmp_path, *begun))
    (finished,), _ = added_up(written(tmp_path, *begun, line("result", status="ok", **sums)))

    named = ("r1", datetime(2026, 3, 12, 12, tzinfo=UTC), "manual", "m")
    assert unfinished == LoggedRun(*named, "unfinished", None, 2, 1, 1007, 120, Decimal("0.00016"))
    assert finished == LoggedRun(*named, "ok", None, 3, 2, 1600, 190, Decimal("0.0003"))


def test_a_cost_that_is_unknown_once_stays_unknown(tmp_path: Path) -> None:
    (run,), (total,) = added_up(written(tmp_path, reply(), reply(cost_usd=None), reply()))

    assert run.cost_usd is None
    assert (total.known_cost_usd, total.unknown_costs) == (Decimal("0.00016"), 1)


@pytest.mark.parametrize("odd", [None, "1", True, -1, float("nan"), float("inf"), 10**400, [], {}])
def test_a_count_that_can_be_none_adds_nothing_and_such_a_cost_is_unknown(odd: Any, tmp_path: Path) -> None:
    (run,), (total,) = added_up(written(tmp_path, reply(input_tokens=odd, cost_usd=odd)))

    assert (run.tokens_in, run.cost_usd) == (0, None)
    assert (total.input_tokens, total.known_cost_usd, total.unknown_costs) == (0, Decimal(0), 1)


def test_runs_are_listed_by_their_start_however_their_lines_are_mixed(tmp_path: Path) -> None:
    early, late = "2026-03-12T10:00:00+00:00", "2026-03-12T12:30:00+02:00"
    lines = written(
        tmp_path,
        line("question", "undated", at="soon"),
        line("question", "late", at=late, model="m2"),
        line("question", "early", at=early, model="m1"),
        reply("late"),
        reply("early"),
        reply("late"),
        line("result", "early", status="not_in_notes", steps=1),
    )

    runs, _ = added_up(lines)

    told = [(run.run_id, run.model, run.status, run.steps) for run in runs]
    assert told == [
        ("early", "m1", "not_in_notes", 1),
        ("late", "m2", "unfinished", 2),
        ("undated", "unknown", "unfinished", 0),
    ]


def test_totals_are_by_day_in_utc_and_by_the_model_that_replied(tmp_path: Path) -> None:
    cached = {"cache_creation_input_tokens": 1000, "cache_read_input_tokens": 2000}
    lines = written(
        tmp_path,
        line("question", model="asked"),
        reply("r1", "b", at="2026-03-13T00:30:00+02:00"),
        reply("r1", "b", **cached),
        reply("r2", "b"),
        reply("r2", "a"),
        reply("r2", "a", at="2026-03-13T00:00:00+00:00"),
        reply("r3", "a", at=7),
    )

    _, totals = added_up(lines)

    cost = Decimal("0.00008")
    whole = Total("2026-03-12", "b", {"r1", "r2"}, 3, 1500, 180, 1000, 2000, Decimal("0.00024"))
    assert totals == [
        Total("2026-03-12", "a", {"r2"}, 1, 500, 60, 0, 0, cost),
        whole,
        Total("2026-03-13", "a", {"r2"}, 1, 500, 60, 0, 0, cost),
        Total("unknown", "a", {"r3"}, 1, 500, 60, 0, 0, cost),
    ]


@pytest.mark.parametrize(
    ("at", "utc"),
    [
        ("2026-03-12T12:00:00.5+00:00", datetime(2026, 3, 12, 12, microsecond=500000, tzinfo=UTC)),
        ("2026-03-12T12:00:00Z", datetime(2026, 3, 12, 12, tzinfo=UTC)),
        ("2026-03-12T01:00:00+02:00", datetime(2026, 3, 11, 23, tzinfo=UTC)),
        ("2026-03-12T12:00:00", datetime(2026, 3, 12, 12, tzinfo=UTC)),
        ("0001-01-01T00:00:00+02:00", None),
        ("noon", None),
        (None, None),
        (1773316800, None),
    ],
)
def test_a_moment_is_in_utc_or_none(at: Any, utc: datetime | None) -> None:
    assert moment({"at": at}) == utc
    assert moment({}) is None

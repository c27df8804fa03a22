"""The file of a run: read again, resumed, and refused where it belongs to another run."""

import json
import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from subprocess import PIPE
from typing import Any

import pytest

from tests.both.ways import AGENTS
from tests.evals.conftest import Command
from tests.evals.making import case, run, written
from tests.evals.serving import ModelServer, model_server, waiting
from two_loops import Limits, WrongUse, offline_client, scripted_client
from two_loops.cli.evals import scores
from two_loops.evals import run_cases
from two_loops.evals.reading import Cases
from two_loops.evals.run_file import LONGEST_LINE, new_file, read_run
from two_loops.evals.scored import EvalRun
from two_loops.stand_ins import wire
from two_loops.stand_ins.script import calls, says, tool_use

BOTH = {name: AGENTS[name] for name in ("manual", "runner")}
ANSWER = says("On 12 March [boiler.txt:2].")
SEARCH = calls(tool_use("search_notes", query="boiler"))
PASSES = [SEARCH, ANSWER]


def offline(cases: Cases, file: Path, **options: Any) -> EvalRun:
    """A run with the offline model."""
    with offline_client() as client:
        return run_cases(cases, BOTH, client=client, run_file=file, **options)


def test_a_run_is_read_as_it_was_made(tmp_path: Path) -> None:
    made = offline(written(tmp_path, *map(case, "abc")), tmp_path / "r", trials=2, workers=2)

    assert read_run(tmp_path / "r") == made
    assert oct((tmp_path / "r").stat().st_mode)[-3:] == "600"
    assert (tmp_path / "r").read_bytes().isascii()


def test_a_run_that_was_cut_short_makes_only_what_it_lacks(tmp_path: Path) -> None:
    cases, file = written(tmp_path, *map(case, "abc")), tmp_path / "r"

    with scripted_client(PASSES * 2) as client:
        cut = run_cases(cases, BOTH, client=client, run_file=file, max_cost_usd=0.0003)
    with scripted_client(PASSES * 4) as client:
        made = run_cases(cases, BOTH, client=client, run_file=file, resume=True)

    assert [trial.key for trial in cut.scored] == [("a", "manual", 1), ("a", "runner", 1)]
    assert len(client.requests) == 8
    assert made.scored[:2] == cut.scored
    assert made.passed == 1.0
    assert made.cost_usd == pytest.approx(12 * 0.00008)
    assert read_run(file) == made


def test_the_purse_of_a_resumed_run_knows_what_was_spent_before(tmp_path: Path) -> None:
    cases, file = written(tmp_path, *map(case, "abc")), tmp_path / "r"

    with scripted_client(PASSES * 9) as client:
        for resume in (False, True):
            run_cases(cases, BOTH, client=client, run_file=file, resume=resume, max_cost_usd=0.0003)

    assert len(client.requests) == 4


def test_a_trial_that_an_error_ended_is_made_again(tmp_path: Path) -> None:
    cases, file = written(tmp_path, *map(case, "ab")), tmp_path / "r"
    down = wire.error(500, "api_error", "Down.")

    with scripted_client([SEARCH, down, *PASSES]) as client:
        run_cases(cases, {"manual": BOTH["manual"]}, client=client, run_file=file)
    with scripted_client(PASSES) as client:
        made = run_cases(cases, {"manual": BOTH["manual"]}, client=client, run_file=file, resume=True)

    assert made.passed == 1.0
    assert made.cost_usd == pytest.approx(5 * 0.00008)
    assert read_run(file) == made


@pytest.mark.parametrize("left", [0, 1, 100, -1])
def test_a_line_that_was_torn_is_made_again(left: int, tmp_path: Path) -> None:
    cases, file = written(tmp_path, *map(case, "ab")), tmp_path / "r"
    whole = offline(cases, file)
    *lines, last, _ = file.read_bytes().split(b"\n")
    file.write_bytes(b"\n".join([*lines, last[:left]]))

    torn = read_run(file)
    made = offline(cases, file, resume=True)

    assert torn.scored == whole.scored[:-1]
    assert [trial.key for trial in made.scored] == [trial.key for trial in whole.scored]
    assert read_run(file) == made


@pytest.mark.parametrize("held", [b"", b'{"eval_run": 1, "sta'])
def test_a_run_that_died_before_its_first_trial_begins_anew(held: bytes, tmp_path: Path) -> None:
    (tmp_path / "r").write_bytes(held)

    made = offline(written(tmp_path, case("a")), tmp_path / "r", resume=True)

    assert read_run(tmp_path / "r") == made
    assert len(made.scored) == 2


OTHERS: list[tuple[dict[str, Any], str]] = [
    ({"trials": 2}, "its number of trials is 1, not 2"),
    ({"agents": {"runner": AGENTS["runner"]}}, "its list of agents is ['manual', 'runner'], not ['runner']"),
    ({"limits": Limits(max_steps=3)}, "its limits are others"),
    ({"model": "m", "client": "scripted"}, "its model is 'offline', not 'm'"),
]


@pytest.mark.parametrize(("other", "told"), OTHERS)
def test_a_run_that_was_made_with_something_else_is_not_finished(
    other: dict[str, Any], told: str, tmp_path: Path
) -> None:
    cases, file = written(tmp_path, case("a")), tmp_path / "r"
    offline(cases, file)
    held = file.read_bytes()
    given: dict[str, Any] = {"agents": BOTH, "client": offline_client(), "run_file": file, "resume": True} | other
    if given["client"] == "scripted":
        given["client"] = scripted_client([])

    with pytest.raises(WrongUse) as raised:
        run_cases(cases, **given)

    assert str(raised.value) == f"the run file can't be finished with these options: {told}"
    assert file.read_bytes() == held


def test_another_case_file_is_refused(tmp_path: Path) -> None:
    offline(written(tmp_path, case("a")), tmp_path / "r")

    with pytest.raises(WrongUse, match="its cases are others"):
        offline(written(tmp_path, case("a", rules="max_steps = 9")), tmp_path / "r", resume=True)


def test_a_new_run_never_writes_into_an_old_file(tmp_path: Path) -> None:
    cases, file = written(tmp_path, case("a")), tmp_path / "r"
    offline(cases, file)
    held = file.read_bytes()

    with pytest.raises(WrongUse) as raised:
        offline(cases, file)

    assert str(raised.value) == f"the run file {file} exists: resume it, or name another one"
    assert file.read_bytes() == held


def test_a_file_of_something_else_is_no_run(tmp_path: Path) -> None:
    cases, told = written(tmp_path, case("a")), []
    (tmp_path / "log").write_text('{"event": "question"}\n')
    (tmp_path / "text").write_text("Dear diary\n")
    (tmp_path / "link").symlink_to(tmp_path / "log")
    (tmp_path / "empty").touch()

    for name in ("log", "text", "link", "no", "a\0b"):
        with pytest.raises(WrongUse) as raised:
            offline(cases, tmp_path / name, resume=True)
        told.append(str(raised.value).replace(str(tmp_path), ""))
    for name in ("log", "text", "empty"):
        with pytest.raises(WrongUse, match="no run of two-loops eval is in it"):
            read_run(tmp_path / name)

    assert told == [
        "the run file /log can't be used: no run of two-loops eval is in it",
        "the run file /text can't be opened: what it holds is no run file; name another file",
        "the run file /link can't be opened: it is a link",
        "the run file '/no' can't be read: no such file or directory",
        "the run file '/a\\x00b' can't be read: embedded null byte",
    ]


def test_a_file_that_is_lost_is_a_warning_once_money_was_spent(tmp_path: Path) -> None:
    file = tmp_path / "r"

    made = offline(written(tmp_path, *map(case, "ab")), file, on_scored=lambda _trial: file.unlink(missing_ok=True))

    assert made.warnings == ("the run file is not complete: it was deleted",)
    assert (made.passed, "the run file is not complete: it was deleted" in scores.lines(made)) == (1.0, True)


def test_a_file_that_can_not_be_written_is_an_error_before(tmp_path: Path) -> None:
    file = new_file(tmp_path / "r")
    (tmp_path / "r").unlink()

    with closing(file), pytest.raises(WrongUse, match="the run file can't be written: it was deleted"):
        file.begin(run("p").header)


def test_lines_that_are_no_trials_are_passed_over(tmp_path: Path) -> None:
    made = offline(written(tmp_path, case("a")), tmp_path / "r")
    with (tmp_path / "r").open("ab") as file:
        file.write(b'{"case": "a"}\n7\n' + b"[" * 100_000 + b"\n")

    assert read_run(tmp_path / "r") == made
    assert LONGEST_LINE > 2**20


def test_there_must_be_a_file_to_resume(tmp_path: Path) -> None:
    with offline_client() as client, pytest.raises(WrongUse, match="there is no run_file to resume"):
        run_cases(written(tmp_path, case("a")), BOTH, client=client, resume=True)


def test_the_command_finishes_a_run(command: Command, tmp_path: Path) -> None:
    written(tmp_path, *map(case, "ab"))
    first = command("eval", "cases.toml", "--out", "r")
    *lines, _ = (tmp_path / "r").read_bytes().split(b"\n")
    (tmp_path / "r").write_bytes(b"\n".join(lines[:-1]))

    again = command("eval", "cases.toml", "--out", "r")
    both = command("eval", "cases.toml", "--out", "x", "--resume", "r")
    finished = command("eval", "cases.toml", "--resume", "r")

    assert (again[0], again[2].splitlines()[-1]) == (2, "Error: the run file r exists: resume it, or name another one")
    assert (both[0], both[2]) == (2, "Error: give one of --out and --resume, not both\n")
    assert finished == first


def test_a_command_that_is_killed_is_finished_by_another(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, *map(case, "abcd"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    started = [sys.executable, "-m", "two_loops", "eval", "cases.toml", "--out", "r"]

    with model_server() as address:
        environment = os.environ | {"ANTHROPIC_BASE_URL": f"{address}/5"}
        with subprocess.Popen(started, cwd=tmp_path, env=environment, stdout=PIPE, stderr=PIPE) as dies:
            assert waiting.wait(30)
            dies.send_signal(signal.SIGKILL)
            dies.communicate()
    paid = ModelServer.asked
    with model_server() as address:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", f"{address}/99")
        finished = command("eval", "cases.toml", "--resume", "r")
        paid_to_finish = ModelServer.asked
        whole = command("eval", "cases.toml")

    assert (dies.returncode, paid, paid_to_finish) == (-signal.SIGKILL, 6, 4)
    assert finished == whole
    keys = [json.loads(line).get("case") for line in (tmp_path / "r").read_text().splitlines()]
    assert keys == [None, "a", "b", "c", "d"]


@pytest.mark.parametrize("how", ["--resume", "--out"])
def test_two_commands_never_share_a_file(
    how: str, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, *map(case, "ab"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    started = [sys.executable, "-m", "two_loops", "eval", "cases.toml", "--out", "r"]

    with model_server() as address:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", f"{address}/3")
        with subprocess.Popen(started, cwd=tmp_path, stdout=PIPE, stderr=PIPE) as first:
            assert waiting.wait(30)
            asked = ModelServer.asked
            code, shown, told = command("eval", "cases.toml", how, "r")
            asked_by_both = ModelServer.asked
            first.kill()
            first.communicate()

    assert (code, shown) == (2, "")
    assert told.splitlines()[-1] == "Error: the run file r can't be opened: another process is writing to it"
    assert asked_by_both == asked
    assert len(read_run(tmp_path / "r").scored) == 1


def test_a_file_that_is_not_there_is_not_made_to_be_resumed(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="no such file"):
        offline(written(tmp_path, case("a")), tmp_path / "r", resume=True)

    assert not (tmp_path / "r").exists()

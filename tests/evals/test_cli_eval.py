"""``two-loops eval``: what is said of a run, and how the command ends."""

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.evals.conftest import Command
from tests.evals.making import case, result, written
from tests.evals.serving import model_server, waiting
from two_loops import Result
from two_loops.cli.evals import scores
from two_loops.cli.evals.preparing import say_waiting
from two_loops.cli.evals.scoring import scoring
from two_loops.evals import run_cases
from two_loops.evals.scored import EvalRun

NO_KEY = "There is no key, so the offline model answers.\n"
MAY = 'contains = ["May"]'
WRONG = 'contains: \'May\' is not in it: "From the notes: \\"Serviced on 12 March by Ortiz Heating.\\" [boiler.txt:2]"'


def test_the_nine_questions_through_both_agents(command: Command) -> None:
    code, out, told = command("eval", "nine", "--agent", "both")

    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert (code, told) == (0, NO_KEY)
    assert lines[0] == "case agent outcome steps tokens in tokens out cost"
    assert [line.split()[1:3] for line in lines[1:19]] == [["manual", "pass"], ["runner", "pass"]] * 9
    assert lines[-3].startswith("manual: 9 of 9 passed; 23 steps, ")
    assert lines[-2] == lines[-3].replace("manual", "runner")
    assert lines[-1] == "model: offline (no language model: it quotes what it finds); spent in all: $0.000000"


def test_a_case_that_fails_says_which_rule_on_what_evidence(command: Command, tmp_path: Path) -> None:
    written(tmp_path, case("a"), case("b", rules=f"{MAY}\nmax_steps = 1"))

    code, out, _ = command("eval", "cases.toml", "--model", "offline")

    assert code == 1
    assert [line for line in out.splitlines() if line.startswith("b, ")] == [
        f"b, manual: {WRONG}",
        "b, manual: max_steps: 2, and at most 1 was wanted",
    ]
    assert [line.split()[2:4] for line in out.splitlines()[1:3]] == [["pass", "2"], ["FAIL:", "contains,"]]
    assert "manual: 1 of 2 passed; 4 steps, " in out


@pytest.mark.parametrize(("share", "code"), [("0.5", 0), ("0.51", 1), ("0", 0)])
def test_a_share_of_the_trials_may_be_enough(share: str, code: int, command: Command, tmp_path: Path) -> None:
    written(tmp_path, case("a"), case("b", rules=MAY))

    made = command("eval", "cases.toml", "--fail-under", share, "--model", "offline")

    assert (made[0], made[2]) == (code, "")


def test_several_trials_are_counted(command: Command, tmp_path: Path) -> None:
    written(tmp_path, case("a", rules=MAY))

    code, out, _ = command("eval", "cases.toml", "--trials", "2", "--workers", "2", "--log", "l")

    assert code == 1
    assert out.splitlines()[1].split()[:5] == ["a", "manual", "0", "of", "2"]
    assert [line[:19] for line in out.splitlines() if line.startswith("a, ")] == [
        "a, manual, trial 1:",
        "a, manual, trial 2:",
    ]
    assert len({json.loads(line)["run_id"] for line in (tmp_path / "l").read_text().splitlines()}) == 2


def test_as_json(command: Command, tmp_path: Path) -> None:
    written(tmp_path, case("a"), case("b", rules=MAY))

    code, out, _ = command("eval", "cases.toml", "--json")

    whole = json.loads(out)
    assert code == 1
    assert (whole["planned"], whole["passed"], whole["cost_usd"]) == (2, 0.5, 0.0)
    assert (whole["header"]["cases"], whole["header"]["model"]) == (["a", "b"], "offline")
    assert [(trial["case"], trial["passed"]) for trial in whole["trials"]] == [("a", True), ("b", False)]
    assert whole["trials"][1]["faults"] == [{"rule": "contains", "why": WRONG.removeprefix("contains: ")}]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nowhere"], "the cases nowhere can't be read: no such file or directory; shipped ones are called "),
        (["empty.toml"], "the cases empty.toml can't be used: there is no case in it: a case begins with [[case]]"),
        (["nine", "--trials", "0"], "--trials must be a whole number of 1 or more, not 0"),
        (["nine", "--workers", "0"], "--workers must be a whole number of 1 or more, not 0"),
        (["nine", "--budget", "0"], "--budget must be a finite number above 0, not 0.0"),
        (["nine", "--fail-under", "nan"], "--fail-under must be a share from 0 to 1, not nan"),
        (["nine", "--fail-under", "2"], "--fail-under must be a share from 0 to 1, not 2.0"),
        (["nine", "--max-steps", "0"], "--max-steps must be a whole number of 1 or more, not 0"),
        (["nine", "--model", ""], "--model is empty: the model has no name"),
        (["nine", "--model", "claude-haiku-5-5"], "no credentials: set ANTHROPIC_API_KEY, or use --model offline"),
        (
            ["nine", "--model", "offline", "--log", "no/log"],
            "the log no/log can't be opened: no such file or directory",
        ),
    ],
)
def test_wrong_use(arguments: list[str], told: str, command: Command, tmp_path: Path) -> None:
    (tmp_path / "empty.toml").write_text("# none yet\n")

    code, out, said = command("eval", *arguments)

    assert (code, out) == (2, "")
    assert said.startswith(f"Error: {told}")


def fixed(answer: str, **fields: Any) -> Callable[..., Result]:
    """An agent that always returns the same result."""

    def ask(_question: str, **_options: Any) -> Result:
        return result(answer, **fields)

    return ask


def made_of(folder: Path, answer: str, **fields: Any) -> EvalRun:
    """A run of one case whose rule does not hold."""
    return run_cases(written(folder, case("a", rules=MAY)), {"manual": fixed(answer, **fields)})


def test_hostile_words_are_shown_and_not_obeyed(tmp_path: Path) -> None:
    told = "\n".join(scores.lines(made_of(tmp_path, "\x1b[31m\u202e" + "x" * 900)))

    assert "\x1b" not in told
    assert "\u202e" not in told
    assert max(map(len, told.splitlines())) < 600


def test_a_cost_that_is_not_known(tmp_path: Path) -> None:
    told = list(scores.lines(made_of(tmp_path, "So.", cost_usd=None)))

    assert told[1].endswith("cost unknown")
    assert told[-1].endswith("spent in all: cost unknown")


def test_the_bar_on_a_terminal(tmp_path: Path) -> None:
    reading, writing = pty.openpty()
    script = (
        "from types import SimpleNamespace as N; from two_loops.cli.evals.scoring import scoring\n"
        "trials = [N(passed=not cost, cost_usd=cost, judge_cost_usd=0.25) for cost in (0.5, None)]\n"
        "with scoring(2, wanted=True) as heard: list(map(heard, trials))"
    )

    subprocess.run([sys.executable, "-c", script], stderr=writing, env=os.environ | {"TERM": "xterm"}, check=True)

    os.close(writing)
    shown = os.read(reading, 100_000).decode()
    os.close(reading)
    assert "2/2" in shown
    assert "1 failed, spent $1.000000" in shown


def test_no_bar_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with scoring(1, wanted=True) as heard:
        assert heard is None

    assert capsys.readouterr() == ("", "")


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a loopback server."""
    with model_server() as address:
        yield address


def test_a_real_model_is_paid_until_the_budget_is_spent(
    server: str, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, *map(case, "abc"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", f"{server}/99")

    code, out, told = command("eval", "cases.toml", "--budget", "0.0002")

    assert code == 1
    assert told.splitlines() == [
        "Snippets from the notes of the cases go to 127.0.0.1.",
        "It pays for 3 runs at most, each within its own limits, and none of them starts once $0.0002 are spent.",
    ]
    assert out.splitlines()[-3:] == [
        "manual: 2 of 2 passed; 4 steps, 2000 + 240 tokens, $0.000320",
        "1 of 3 trials was not made",
        "model: claude-haiku-5-5; spent in all: $0.000320",
    ]


def test_a_model_without_a_price_has_no_budget(
    server: str, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, case("a"))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", f"{server}/99")

    refused = command("eval", "cases.toml", "--model", "unheard-of", "--budget", "1")
    code, _, told = command("eval", "cases.toml", "--model", "unheard-of")

    assert refused == (2, "", "Error: --budget can't be kept: no price is known for the model 'unheard-of'\n")
    assert code == 0
    assert told.splitlines()[1:] == [
        "No price is known for unheard-of: the cost is unknown and not capped.",
        "It pays for 1 run at most, each within its own limits.",
    ]


def test_what_is_said_while_the_others_are_waited_for(capsys: pytest.CaptureFixture[str]) -> None:
    say_waiting(1)

    assert capsys.readouterr().err == "Waiting for what has begun (1 run); press Ctrl-C again to leave it.\n"


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_ctrl_c_shows_what_was_done(options: list[str], server: str, tmp_path: Path) -> None:
    written(tmp_path, *map(case, "abc"))
    environment = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": f"{server}/3", "HOME": str(tmp_path)}
    started = [sys.executable, "-m", "two_loops", "eval", "cases.toml", *options]

    with subprocess.Popen(
        started,
        cwd=tmp_path,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as made:
        assert waiting.wait(30)
        made.send_signal(signal.SIGINT)
        out, told = made.communicate(timeout=30)

    assert (made.returncode, told.splitlines()[-1]) == (130, "Error: interrupted")
    if options:
        assert [(trial["case"], trial["status"]) for trial in json.loads(out)["trials"]] == [
            ("a", "ok"),
            ("b", "interrupted"),
        ]
    else:
        assert "b, manual: KeyboardInterrupt: " in out
        assert "1 of 3 trials was not made" in out


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--junit", "cases.toml"], "CASES and --junit name the same file"),
        (["--out", "run.jsonl", "--junit", "./run.jsonl"], "--out and --junit name the same file"),
        (["--out", "run.jsonl", "--log", "run.jsonl"], "--out and --log name the same file"),
        (["--baseline", "old.jsonl", "--junit", "old.jsonl"], "--junit and --baseline name the same file"),
        (["--baseline", "old.jsonl"], "none of these cases is in the baseline"),
    ],
)
def test_nothing_is_written_over_and_a_baseline_is_of_the_same_cases(
    options: list[str], told: str, command: Command, tmp_path: Path
) -> None:
    written(tmp_path, case("b"))
    command("eval", "cases.toml", "--out", "old.jsonl", "--model", "offline")
    written(tmp_path, case("a"))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    code, _, said = command("eval", "cases.toml", "--model", "offline", *options)

    assert code == 2
    assert f"Error: {told}" in said
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before

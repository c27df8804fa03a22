"""``two-loops eval-diff``, and ``eval`` with a baseline."""

import inspect
import json
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from tests.evals.conftest import Command
from tests.evals.making import case, run, written
from two_loops.cli.evals.diffs import lines
from two_loops.cli.evals.eval_diff import eval_diff
from two_loops.evals import compare_runs
from two_loops.evals.comparing import MARGIN


def test_two_runs_side_by_side() -> None:
    old = run("ppp", "f", "p", "p", agents=("manual",))
    new = run("ffp", "p", "p", "-", answer="So.\x1b", steps=3, model="\x1bm2")

    told = list(lines(compare_runs(old, new)))

    assert told == [
        "model: m -> \\x1bm2",
        "lost     a, manual: 3 of 3 -> 1 of 3 passed (regression)",
        "         contains: 'May' is not in it",
        "         contains: 'May' is not in it",
        '         answer: "On 12 March [boiler.txt:2]." and 2 more -> "So.\\u001b" and 2 more',
        "         steps: 2, 2, 2 -> 3, 3, 3",
        "won      b, manual: 0 of 1 -> 1 of 1 passed",
        '         answer: "On 12 March [boiler.txt:2]." -> "So.\\u001b"',
        "         steps: 2 -> 3",
        "changed  c, manual: 1 of 1 -> 1 of 1 passed",
        '         answer: "On 12 March [boiler.txt:2]." -> "So.\\u001b"',
        "         steps: 2 -> 3",
        "missing  d, manual: the new run has no trial of it",
        "1 won, 1 lost, 1 changed, 0 the same; 1 regression",
    ]


def test_what_was_lost_by_chance_perhaps_is_no_regression() -> None:
    told = list(lines(compare_runs(run("ppppp", cost_usd=0.5), run("ppppf", answer=None))))

    assert told[0] == "lost     a, manual: 5 of 5 -> 4 of 5 passed"
    assert told[2:4] == [
        '         answer: "On 12 March [boiler.txt:2]." and 4 more -> none and 4 more',
        "         cost: $2.500000 -> $1.250000",
    ]


def made(command: Command, folder: Path, name: str, rules: str, *options: str) -> str:
    """A run of one case in a file of that name."""
    written(folder, case("a", rules=rules))
    command("eval", "cases.toml", "--out", name, *options)
    return name


def test_eval_diff(command: Command, tmp_path: Path) -> None:
    old = made(command, tmp_path, "old", "max_steps = 2")
    new = made(command, tmp_path, "new", "max_steps = 1", "--agent", "both", "--max-seconds", "9")

    lost = command("eval-diff", old, new)
    won = command("eval-diff", new, old)
    as_json = command("eval-diff", old, new, "--json")

    assert (lost[0], lost[2]) == (1, "")
    assert lost[1].splitlines()[1] == "limits: max_seconds None -> 9.0"
    assert [line.split(":")[0] for line in lost[1].splitlines()] == [
        "cases",
        "limits",
        "list of agents",
        "lost     a, manual",
        "         max_steps",
        "added    a, runner",
        "0 won, 1 lost, 0 changed, 0 the same; 1 regression",
    ]
    assert (won[0], won[1].splitlines()[-1]) == (0, "1 won, 0 lost, 0 changed, 0 the same; 0 regressions")
    whole = json.loads(as_json[1])
    assert (as_json[0], whole["regressions"], whole["added"]) == (1, 1, [["a", "runner"]])
    assert whole["lost"][0]["new"][0]["faults"] == [{"rule": "max_steps", "why": "2, and at most 1 was wanted"}]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["no", "no"], "the run file 'no' can't be read: no such file or directory"),
        (["old", "cases.toml"], "the run file cases.toml can't be used: no run of two-loops eval is in it"),
        (["old", "old", "--margin", "2"], "--margin must be a share from 0 to 1, not 2.0"),
    ],
)
def test_wrong_use(arguments: list[str], told: str, command: Command, tmp_path: Path) -> None:
    made(command, tmp_path, "old", "max_steps = 2")

    assert command("eval-diff", *arguments) == (2, "", f"Error: {told}\n")


def test_a_baseline(command: Command, tmp_path: Path) -> None:
    baseline = ("--baseline", made(command, tmp_path, "old", "max_steps = 2"), "--model", "offline")
    written(tmp_path, case("a", rules="max_steps = 1"))

    shown = command("eval", "cases.toml", "--fail-under", "0", *baseline)
    failed = command("eval", "cases.toml", "--fail-under", "0", "--fail-on-regression", *baseline)
    as_json = command("eval", "cases.toml", "--json", *baseline)

    assert (shown[0], failed[0]) == (0, 1)
    assert shown[1] == failed[1]
    assert shown[1].splitlines()[-5:] == [
        "Against the baseline:",
        "cases: not the same",
        "lost     a, manual: 1 of 1 -> 0 of 1 passed (regression)",
        "         max_steps: 2, and at most 1 was wanted",
        "0 won, 1 lost, 0 changed, 0 the same; 1 regression",
    ]
    assert json.loads(as_json[1])["baseline"]["regressions"] == 1


def test_the_margin_is_the_same_in_code_and_on_the_command_line() -> None:
    assert inspect.signature(eval_diff).parameters["margin"].default == MARGIN


def test_a_baseline_must_be_there_before_anything_is_asked(command: Command) -> None:
    without = command("eval", "nine", "--fail-on-regression")
    missing = command("eval", "nine", "--baseline", "no")

    assert without == (2, "", "Error: --fail-on-regression needs an earlier run: give it with --baseline\n")
    assert missing == (2, "", "Error: the run file 'no' can't be read: no such file or directory\n")


def test_a_report(command: Command, tmp_path: Path) -> None:
    written(tmp_path, case("a", rules='contains = ["May"]'))

    code, _, _ = command("eval", "cases.toml", "--junit", "r.xml")
    nowhere = command("eval", "cases.toml", "--junit", "no/r.xml")
    folder = command("eval", "cases.toml", "--model", "offline", "--junit", ".")
    full = command("eval", "cases.toml", "--model", "offline", "--junit", "/dev/full")

    (suite,) = fromstring((tmp_path / "r.xml").read_bytes())
    assert (code, suite.get("failures")) == (1, "1")
    assert nowhere == (2, "", "Error: the report no/r.xml can't be written: there is no folder no\n")
    assert folder == (2, "", "Error: the report . can't be written: it is a folder\n")
    assert (full[0], full[2]) == (1, "The report /dev/full can't be written: no space left on device\n")

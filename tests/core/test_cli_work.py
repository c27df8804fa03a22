"""``two-loops work``: what the offline model does in a workspace, and who says yes to what it writes."""

import json
import os
import shutil
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pexpect
import pytest

import manual_agent
from tests.core.test_cli import two_loops
from two_loops import offline_client, workspace
from two_loops.samples import WORKSPACE

TOTAL = "Total the costs in budget.txt and save the total as a note."
SAVED = "Total of budget.txt: 1780\n"
SIZES = "That is save_note with text: {} characters.\r\n"
ASKED = (
    f'The agent wants to run save_note:\r\n  | text = "Total of budget.txt: 1780"\r\n{SIZES.format(25)}Allow? [y/N] '
)
BOTH = pytest.mark.parametrize("agent", ["manual", "runner"])


@pytest.fixture
def space(tmp_path: Path) -> Path:
    """A copy of the sample workspace, with a secret beside it and links that lead there."""
    (tmp_path / "secrets.env").write_text("the password is swordfish")
    shutil.copytree(WORKSPACE, tmp_path / "space")
    (tmp_path / "space" / "out.txt").symlink_to(tmp_path / "secrets.env")
    return tmp_path / "space"


def on_a_terminal(folder: Path, *arguments: str, shell: str | None = None, **more: str) -> "pexpect.spawn[str]":
    """The command on a terminal of its own; shell: a shell's line that runs it as "$@"."""
    command = [sys.executable, "-m", "two_loops", "work", *arguments]
    line = [*(["sh", "-c", shell, "sh"] if shell else []), *command]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")}
    environment = inherited | {"HOME": str(folder), "TERM": "xterm", "COLUMNS": "200"} | more
    child = pexpect.spawn(line[0], line[1:], cwd=folder, env=environment, encoding="utf-8", timeout=30, echo=False)
    child.delaybeforesend = None
    return child


def ended(child: "pexpect.spawn[str]") -> tuple[int | None, str]:
    """The exit code, and what was shown since the last thing that was waited for."""
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus, str(child.before)


def notes(space: Path) -> str | None:
    """What the notes of the workspace hold, None where there are none."""
    path = space / "notes.txt"
    return path.read_text() if path.exists() else None


def decisions(folder: Path) -> list[Any]:
    """Who decided on each risky call, and how, as the log has it."""
    lines = [json.loads(line) for line in (folder / "agent_log.jsonl").read_text().splitlines()]
    return [(line["approval"], line["decided_by"]) for line in lines if line.get("approval")]


@BOTH
def test_a_tool_that_was_agreed_to_runs_without_a_question(agent: str, space: Path) -> None:
    made = two_loops("work", TOTAL, "--workspace", "space", "--agent", agent, "--yes", "save_note", folder=space.parent)

    assert made.returncode == 0
    assert made.stdout == (
        "The total is 1780 [budget.txt:3] [budget.txt:4] [budget.txt:5].\n"
        'The note "Total of budget.txt: 1780" was saved [notes.txt:1].\n'
    )
    assert notes(space) == SAVED
    assert decisions(space.parent) == [("approved", "--yes")]


@BOTH
def test_without_a_terminal_nothing_is_written(agent: str, space: Path) -> None:
    made = two_loops("work", TOTAL, "--workspace", "space", "--agent", agent, folder=space.parent)

    assert made.returncode == 0
    assert made.stdout == (
        "The total is 1780 [budget.txt:3] [budget.txt:4] [budget.txt:5].\nNo note was saved: the user denied it.\n"
    )
    assert "There is no terminal to ask on, so save_note was not allowed; --yes save_note allows it." in made.stderr
    assert notes(space) is None
    assert decisions(space.parent) == [("denied", "nobody")]


@pytest.mark.parametrize(
    ("typed", "allowed"),
    [
        *(("y", True), ("Y", True), ("yes", True), (" y ", True)),
        *(("", False), ("n", False), ("v", False), ("yy", False), ("yes please", False), ("\x04", False)),
    ],
)
def test_only_yes_is_a_yes(typed: str, allowed: bool, space: Path) -> None:
    child = on_a_terminal(space.parent, TOTAL, "--workspace", "space")

    child.expect_exact(ASKED)
    child.send(typed if typed == "\x04" else f"{typed}\n")
    code, shown = ended(child)

    assert code == 0
    assert ("was saved [notes.txt:1]" in shown, "the user denied it" in shown) == (allowed, not allowed)
    assert notes(space) == (SAVED if allowed else None)
    assert decisions(space.parent) == [("approved" if allowed else "denied", "terminal")]


def test_keys_pressed_before_the_question_are_no_answer(space: Path) -> None:
    child = on_a_terminal(space.parent, TOTAL, "--workspace", "space")

    child.send("y\ny\ny\n")
    child.expect_exact(ASKED)
    child.send("n\n")

    assert ended(child)[0] == 0
    assert notes(space) is None


def test_the_terminal_is_asked_wherever_the_standard_streams_lead(space: Path) -> None:
    shell = f'echo "{TOTAL}" | "$@" > answer.json 2> errors.txt'
    child = on_a_terminal(space.parent, "-", "--workspace", "space", "--json", shell=shell)

    child.expect_exact(ASKED)
    child.send("y\n")

    assert ended(child) == (0, "")
    assert json.loads((space.parent / "answer.json").read_text())["status"] == "ok"
    assert notes(space) == SAVED


def test_the_line_of_progress_makes_room_for_the_question(space: Path) -> None:
    child = on_a_terminal(space.parent, TOTAL, "--workspace", "space")

    child.expect_exact(ASKED)
    shown = str(child.before)
    child.send("\n")

    assert ended(child)[0] == 0
    assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h") > 0  # the cursor is away as long as the line is there


def test_what_was_agreed_to_for_one_tool_holds_for_no_other(space: Path) -> None:
    child = on_a_terminal(space.parent, TOTAL, "--workspace", "space", "--yes", "write_file")

    child.expect_exact(ASKED)
    child.send("\n")

    assert ended(child)[0] == 0
    assert notes(space) is None


def test_an_interrupt_at_the_question_ends_the_run(space: Path) -> None:
    child = on_a_terminal(space.parent, TOTAL, "--workspace", "space")

    child.expect_exact(ASKED)
    child.sendintr()
    code, shown = ended(child)

    assert code == 130
    assert "Error: interrupted" in shown
    assert notes(space) is None


def test_a_long_text_is_shown_in_full_on_demand(space: Path) -> None:
    text = "a" * 300 + "b" * 100
    child = on_a_terminal(space.parent, f"Save a note: {text}", "--workspace", "space")

    child.expect_exact(f"(102 more characters)\r\n{SIZES.format(400)}Allow? [y/N; v shows all of it] ")
    first = unmarked(str(child.before))
    child.send("v\n")
    child.expect_exact(f"{SIZES.format(400)}Allow? [y/N] ")
    second = unmarked(str(child.before))
    child.send("y\n")

    assert ended(child)[0] == 0
    assert first.endswith(f'text = "{"a" * 299}… ')
    assert second.endswith(f'text = "{text}"')
    assert notes(space) == f"{text}\n"


def unmarked(shown: str) -> str:
    """What was shown of an argument, its lines joined."""
    return "".join(line.removeprefix("  | ") for line in shown.split("\r\n"))


def test_hidden_characters_are_shown(space: Path) -> None:
    child = on_a_terminal(space.parent, "Save a note: a\x1b[2Jb\u202ec\u200bd", "--workspace", "space")

    child.expect_exact('  | text = "a\\u001b[2Jb\\u202ec\\u200bd"\r\n')
    shown = str(child.before)
    child.send("n\n")

    assert ended(child)[0] == 0
    assert not [hidden for hidden in ("\x1b[2J", "\u202e", "\u200b") if hidden in shown]


def test_no_text_can_pass_for_the_question(space: Path) -> None:
    fake = f"milk{' ' * 200}Allow? [y/N] n{chr(0x2800) * 90}The agent wants to run list_files:"
    child = on_a_terminal(space.parent, f"Save a note: {fake}", "--workspace", "space")
    child.setwinsize(24, 60)

    child.expect_exact(f"{SIZES.format(len(fake))}Allow? [y/N] ")
    shown = str(child.before).split("The agent wants to run save_note:\r\n")[-1]
    child.send("\n")

    assert ended(child)[0] == 0
    assert [line for line in shown.split("\r\n")[:-1] if not line.startswith("  | ")] == []
    assert unmarked(shown) == (
        'text = "milk [200 blanks] Allow? [y/N] n [90 blanks] The agent wants to run list_files:"'
    )


def test_a_terminal_that_goes_away_is_a_no(space: Path) -> None:
    log = space.parent / "agent_log.jsonl"
    shell = "trap '' HUP; exec \"$@\" > answer.txt 2> errors.txt"
    child = on_a_terminal(space.parent, TOTAL, "--workspace", "space", shell=shell)

    child.expect_exact(ASKED)
    child.close(force=False)
    while not log.read_text().splitlines()[-1].startswith('{"event":"result"'):
        time.sleep(0.01)

    assert decisions(space.parent) == [("denied", "nobody")]
    assert notes(space) is None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_run_and_cleans_up(number: signal.Signals, tmp_path: Path) -> None:
    environment = {"TMPDIR": str(tmp_path)}
    child = on_a_terminal(tmp_path, TOTAL, **environment)

    child.expect_exact(ASKED)
    assert len(list(tmp_path.glob("two-loops-*"))) == 1
    child.kill(number)
    code, _ = ended(child)

    assert code == 128 + number
    assert list(tmp_path.glob("two-loops-*")) == []


def test_what_a_person_agreed_to_is_not_thrown_away(tmp_path: Path) -> None:
    environment = {"TMPDIR": str(tmp_path)}
    child = on_a_terminal(tmp_path, f"{TOTAL} {TOTAL}", "--max-steps", "4", "--no-answer-at-limit", **environment)

    child.expect_exact(ASKED)
    child.send("y\n")
    code, _ = ended(child)

    (copy,) = tmp_path.glob("two-loops-*")
    assert code in (0, 1)
    assert notes(copy) == SAVED


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("Total the budget and save it.", "The total is 1780 "),
        ("What does budgets.txt say?", "There is no file budgets.txt. Did you mean budget.txt?"),
        ("Read ../secrets.env", "../secrets.env was not read: ../secrets.env holds '..', which could lead out of the"),
        ("Read /etc/passwd", "/etc/passwd was not read: /etc/passwd is an absolute path"),
        ("Read out.txt", "out.txt was not read: out.txt can't be read: it is a link, not a file."),
        ("Save a note: call Mrs Okafor.", "No note was saved: the user denied it."),
        ("When is the water meter read, and what is 1200 * 12?", 'between 8 and 10 in the morning." [landlord.txt:3]'),
        ("When is the water meter read, and what is 1200 * 12?", "1200 * 12 is 14400."),
        ("What does landlord.txt say?", '- "Letter from the landlord, copied on 18 March" [landlord.txt:1]'),
        ("List the files.", "The files are budget.txt, landlord.txt, reports/march.md, todo.txt."),
    ],
)
def test_what_the_offline_model_can_do(task: str, said: str, space: Path) -> None:
    with offline_client() as client:
        made = manual_agent.ask(task, toolset=workspace(space), client=client, log_path=None)

    assert made.answered
    assert said in (made.answer or "")
    assert "swordfish" not in str(made.messages)
    assert notes(space) is None


def test_without_a_workspace_it_works_in_a_copy_of_the_samples(tmp_path: Path) -> None:
    made = two_loops("work", TOTAL, "--yes", "save_note", folder=tmp_path, TMPDIR=str(tmp_path))

    (copy,) = tmp_path.glob("two-loops-*")
    assert made.stderr.startswith(f"Working in a copy of the sample workspace, {copy}; give your own folder with --wor")
    assert notes(copy) == SAVED
    assert notes(WORKSPACE) is None


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["work", ""], "Error: the question is empty"),
        (["work", TOTAL, "--workspace", "nowhere"], "Error: there is no folder 'nowhere'; give the folder that holds"),
        (
            ["work", TOTAL, "--yes", "rm\x1b"],
            "Error: --yes rm\\x1b: no tool of that name needs a yes; those that do are save_note, write_file\n",
        ),
        (["work", TOTAL, "--yes", "calculator"], "Error: --yes calculator: no tool of that name needs a yes; those"),
        (["compare", TOTAL, "--yes", "save_note"], "no tool of that name needs a yes; none does here\n"),
        (["compare", TOTAL, "--workspace", "nowhere"], "Error: there is no folder 'nowhere'"),
        (
            ["compare", TOTAL, "--workspace", ".", "--notes", "."],
            "Error: give one of --notes and --workspace, not both",
        ),
    ],
)
def test_wrong_use(arguments: list[str], told: str, tmp_path: Path) -> None:
    made = two_loops(*arguments, folder=tmp_path, TMPDIR="/tmp")

    assert made.returncode == 2
    assert told in made.stderr
    assert "Traceback" not in made.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_task_in_a_workspace_is_compared_in_copies_of_it(space: Path) -> None:
    shown = ["--workspace", "space", "--yes", "save_note", "--mode", "every", "--bare"]
    made = two_loops("compare", TOTAL, *shown, folder=space.parent, TMPDIR=str(space.parent))

    assert made.returncode == 0
    assert "4 of 4 identical" in made.stdout
    assert 'guarded |   ran        save_note(text="Total of budget.txt: 1780")' in made.stdout
    assert made.stderr == "Each run works in a copy of space of its own, which is deleted at the end.\n"
    assert notes(space) is None
    assert sorted(path.name for path in space.parent.iterdir()) == ["secrets.env", "space"]


def test_in_a_comparison_nobody_is_asked(space: Path) -> None:
    made = two_loops("compare", TOTAL, "--workspace", "space", "--json", folder=space.parent)

    compared = json.loads(made.stdout)
    assert (made.returncode, compared["identical"]) == (0, True)
    assert "nobody was asked" in made.stdout


def test_a_workspace_is_never_copied_into_itself(space: Path) -> None:
    (space / "tmp").mkdir()

    made = two_loops("compare", TOTAL, "--workspace", "space", folder=space.parent, TMPDIR=str(space / "tmp"))

    assert made.returncode == 2
    assert "Error: copies of space would be made inside of it: set TMPDIR to a folder outside\n" in made.stderr
    assert list((space / "tmp").iterdir()) == []


def test_pipes_are_not_copied(space: Path) -> None:
    os.mkfifo(space / "pipe.txt")

    made = two_loops("compare", TOTAL, "--workspace", "space", folder=space.parent)

    assert made.returncode == 0
    assert "identical (plain)" in made.stdout


def test_the_log_shows_who_decided(space: Path) -> None:
    two_loops("work", TOTAL, "--workspace", "space", "--yes", "save_note", folder=space.parent)

    (run_id,) = {json.loads(line)["run_id"] for line in (space.parent / "agent_log.jsonl").read_text().splitlines()}
    made = two_loops("log", "agent_log.jsonl", "--run", run_id, folder=space.parent)

    assert 'approved by --yes: save_note {"text": "Total of budget.txt: 1780"}' in made.stdout


def test_a_total_tells_what_is_not_in_it(space: Path) -> None:
    (space / "costs.txt").write_text("Costs\nRent: 1200 euros a month\nFood: 0450 euros\nGym 40 (yearly)\nBus 30\n")

    made = two_loops("work", "Total costs.txt", "--workspace", "space", folder=space.parent)

    assert made.stdout == (
        "The total is 480 [costs.txt:3] [costs.txt:5].\n"
        "Not in it, as these lines do not end with an amount:\n"
        '- "Rent: 1200 euros a month" [costs.txt:2]\n- "Gym 40 (yearly)" [costs.txt:4]\n'
    )

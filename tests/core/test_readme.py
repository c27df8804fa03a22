"""The README says what is true: its code runs, and its loops and tables are the project's own."""

import os
import re
import subprocess
import sys
from importlib import import_module
from inspect import getsource
from pathlib import Path

import pytest

from two_loops.cli.ask import AGENTS, MAX_COST_USD, MAX_SECONDS
from two_loops.guards import MOMENTS

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def blocks(language: str) -> list[str]:
    """The code blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("agent", AGENTS)
def test_the_loops_shown_are_the_loops_run(agent: str) -> None:
    assert getsource(import_module(f"{AGENTS[agent]}.loop").loop) in blocks("python")


def test_the_table_of_guards_is_the_guards_own() -> None:
    rows = [f"| {moment} | {', '.join(f'`{name}`' for name in guards)} |" for moment, guards in MOMENTS.items()]

    assert [line for line in README.splitlines() if line.startswith("|")][2:] == rows


def test_the_script_runs(tmp_path: Path) -> None:
    (script,) = [block for block in blocks("python") if "import ask" in block]

    made = subprocess.run([sys.executable, "-W", "error", "-c", script], cwd=ROOT, capture_output=True, text=True)

    assert made.stdout.startswith('ok From the notes: "Serviced on 12 March')
    assert made.stderr == ""


def commands(start: str) -> list[str]:
    """The shell commands that begin so."""
    return [line for block in blocks("sh") for line in block.splitlines() if line.startswith(start)]


@pytest.mark.parametrize("command", commands(".venv/bin/two-loops "))
def test_the_commands_run(command: str, tmp_path: Path) -> None:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")}
    here = command.replace(".venv/bin/two-loops", f"{sys.executable} -m two_loops").replace(
        "two_loops/samples", str(ROOT / "two_loops/samples")
    )

    made = subprocess.run(here, shell=True, cwd=tmp_path, env=inherited | {"HOME": str(tmp_path)}, capture_output=True)

    assert made.returncode == 0, made.stderr


def test_the_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()

    assert [command for command in commands("make ") if f"\n{command.split()[1]}:" not in makefile] == []
    assert "make test" in (ROOT / ".ci" / "run").read_text()


def test_the_defaults_named_are_the_defaults() -> None:
    assert f"${MAX_COST_USD:.2f} and {MAX_SECONDS:.0f} seconds a question" in README

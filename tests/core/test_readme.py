"""The README says what is true: its code runs, its tests exist, and its loops and tables are the project's own."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.readme import README, rewritten
from two_loops.cli.ask import MAX_COST_USD, MAX_SECONDS
from two_loops.log import SHORTEST_SECRET

ROOT = README.parent
TEXT = README.read_text()


def blocks(language: str) -> list[str]:
    """The code blocks of one language."""
    return re.findall(rf"^```{language}\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)


def test_the_generated_parts_are_up_to_date() -> None:
    assert rewritten(TEXT) == TEXT, "run python -m tests.readme"


def test_it_can_be_read_in_ten_minutes() -> None:
    assert len(TEXT.splitlines()) <= 280
    assert max(len(line) for line in TEXT.splitlines() if not line.startswith("|")) <= 125


def test_the_script_runs() -> None:
    (script,) = [block for block in blocks("python") if "offline_client()" in block]

    made = subprocess.run([sys.executable, "-W", "error", "-c", script], cwd=ROOT, capture_output=True, text=True)

    assert made.stdout.startswith('ok From the notes: "Serviced on 12 March')
    assert made.stderr == ""


def commands(start: str) -> list[str]:
    """The shell commands that begin so."""
    return [line for block in blocks("sh") for line in block.splitlines() if line.startswith(start)]


def test_the_commands_run(tmp_path: Path) -> None:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")}
    for command in commands(".venv/bin/two-loops "):
        here = command.replace(".venv/bin/two-loops", f"{shlex.quote(sys.executable)} -m two_loops").replace(
            "two_loops/samples", shlex.quote(str(ROOT / "two_loops/samples"))
        )
        made = subprocess.run(
            here, shell=True, cwd=tmp_path, env=inherited | {"HOME": str(tmp_path)}, capture_output=True
        )

        assert made.returncode == 0, made.stderr


def test_the_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()

    named = {*commands("make "), *re.findall(r"`(make \w+)`", TEXT)}
    assert [command for command in named if f"\n{command.split()[1]}:" not in makefile] == []
    assert "make test" in (ROOT / ".ci" / "run").read_text()


def test_the_files_and_tests_that_it_names_exist() -> None:
    for named in re.findall(r"`([\w/.]+\.py(?:::\w+)?|\w+/\w+/)`", TEXT):
        path, _, test = named.partition("::")
        assert (ROOT / path).exists(), named
        assert not test or f"def {test}(" in (ROOT / path).read_text(), named


def test_the_numbers_named_are_the_numbers() -> None:
    assert f"${MAX_COST_USD:.2f} and {MAX_SECONDS:.0f} seconds a question" in TEXT
    assert f"of at least {SHORTEST_SECRET} characters" in TEXT

"""README and docs say what is true: their code runs, their tests exist, their loops and tables are our own."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.readme import PARTS, README, rewritten
from two_loops.cli.options import MAX_COST_USD, MAX_SECONDS
from two_loops.evals import load_cases
from two_loops.log import LONGEST_TEXT, SHORTEST_SECRET
from two_loops.search.freshness import MAX_FOLDER_BYTES
from two_loops.search.opening import MAX_NOTE_BYTES
from two_loops.settings import own_version

ROOT = README.parent
TEXT = README.read_text()
PAGES = {page.name: page.read_text() for page in (README, *sorted((ROOT / "docs").glob("*.md")))}
ALL = "\n".join(PAGES.values())


def blocks(language: str) -> list[str]:
    """The code blocks of one language, on all pages."""
    return re.findall(rf"^```{language}\n(.*?)^```", ALL, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PARTS, ids=lambda page: page.name)
def test_the_generated_parts_are_up_to_date(page: Path) -> None:
    assert rewritten(page) == page.read_text(), "run python -m tests.readme"


def test_it_can_be_read_in_ten_minutes() -> None:
    assert len(TEXT.splitlines()) <= 320
    assert max(len(line) for line in ALL.splitlines() if not line.startswith("|")) <= 126


def test_each_page_is_named_in_the_readme() -> None:
    assert {f"docs/{name}" for name in PAGES if name != README.name} == set(re.findall(r"\]\((docs/\w+\.md)\)", TEXT))


def test_the_script_runs() -> None:
    (script,) = [block for block in blocks("python") if "offline_client()" in block]

    made = subprocess.run([sys.executable, "-W", "error", "-c", script], cwd=ROOT, capture_output=True, text=True)

    assert made.stdout.startswith('ok From the notes: "Serviced on 12 March')
    assert made.stderr == ""


@pytest.mark.parametrize("agent", ["manual_agent", "runner_agent"])
def test_the_tool_of_ones_own_runs_in_both_agents(agent: str) -> None:
    (script,) = [block for block in blocks("python") if "def count_words" in block]

    script = script.replace("from manual_agent import ask", f"from {agent} import ask")
    made = subprocess.run([sys.executable, "-W", "error", "-c", script], cwd=ROOT, capture_output=True, text=True)

    assert (made.stdout, made.stderr) == ("ok It has six words.\n", "")


@pytest.mark.parametrize("agent", ["manual_agent", "runner_agent"])
def test_the_rule_that_says_yes_runs_in_both_agents(agent: str) -> None:
    (script,) = [block for block in blocks("python") if "def approve" in block]

    script = script.replace("from manual_agent import ask", f"from {agent} import ask")
    made = subprocess.run([sys.executable, "-W", "error", "-c", script], cwd=ROOT, capture_output=True, text=True)

    denied = "ok The user denied this call, so it did not run. The reason given: only short notes. Do not"
    assert made.stdout.startswith(denied)
    assert made.stderr == ""


def test_the_search_runs() -> None:
    (script,) = [block for block in blocks("python") if "import Notes" in block]

    made = subprocess.run([sys.executable, "-W", "error", "-c", script], cwd=ROOT, capture_output=True, text=True)

    assert made.stdout.startswith("Snippet(file='boiler.txt'")
    assert made.stderr == ""


def test_the_pytest_example_passes(tmp_path: Path) -> None:
    (example,) = [block for block in blocks("python") if "def test_" in block]
    (tmp_path / "test_example.py").write_text(example)

    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    made = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True)

    assert (made.returncode, "1 passed" in made.stdout) == (0, True), made.stdout


def test_the_case_file_can_be_loaded(tmp_path: Path) -> None:
    (text,) = blocks("toml")
    (tmp_path / "cases.toml").write_text(text)
    (tmp_path / "my-notes").mkdir()

    assert [case.id for case in load_cases(str(tmp_path / "cases.toml")).cases] == ["boiler"]


def commands(start: str) -> list[str]:
    """The shell commands that begin so."""
    return [line for block in blocks("sh") for line in block.splitlines() if line.startswith(start)]


def test_the_commands_run(tmp_path: Path) -> None:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")}
    for command in commands(".venv/bin/"):
        here = (
            command.replace(".venv/bin/two-loops", ".venv/bin/python -m two_loops")
            .replace(".venv/bin/python", shlex.quote(sys.executable))
            .replace("two_loops/samples", shlex.quote(str(ROOT / "two_loops/samples")))
        )
        homes = {"HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
        made = subprocess.run(here, shell=True, cwd=tmp_path, env=inherited | homes, capture_output=True)

        assert made.returncode == 0, made.stderr


def test_it_can_be_installed_without_make(tmp_path: Path) -> None:
    (command,) = re.findall(r"`(python3 -m venv [^`]+ install [^`]+)`", TEXT)
    here = tmp_path / "two-loops"
    shutil.copytree(ROOT, here, ignore=lambda _, names: {name for name in names if name.startswith(".")})
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    # What it depends on, and what builds it, is borrowed from this environment: no test needs a network.
    offline = {"PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_NO_INDEX": "1"}
    borrowed = {"PYTHONPATH": sysconfig.get_path("purelib"), "PATH": f"{Path(sys.executable).parent}:{os.defpath}"}

    subprocess.run(command, shell=True, cwd=here, env=inherited | offline | borrowed, check=True, capture_output=True)
    asked = subprocess.run(
        [".venv/bin/two-loops", "--version"], cwd=here, env=inherited | borrowed, capture_output=True, text=True
    )

    assert asked.stdout == f"two-loops {own_version()}\n"


def test_the_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text()

    named = {*commands("make "), *re.findall(r"`(make [\w-]+)`", ALL)}
    assert [command for command in named if f"\n{command.split()[1]}:" not in makefile] == []
    assert "make test" in (ROOT / ".ci" / "run").read_text()


def test_the_files_and_tests_that_it_names_exist() -> None:
    for named in re.findall(r"`([\w/.]+\.py(?:::\w+)?|\w+/\w+/)`", ALL):
        path, _, test = named.partition("::")
        assert (ROOT / path).exists(), named
        assert not test or f"def {test}(" in (ROOT / path).read_text(), named


def test_the_numbers_named_are_the_numbers() -> None:
    assert f"${MAX_COST_USD:.2f} and {MAX_SECONDS:.0f} seconds a question" in TEXT
    assert f"keys of at least {SHORTEST_SECRET} characters" in " ".join(TEXT.split())
    assert f"{MAX_FOLDER_BYTES >> 20} MiB, of a note beyond {MAX_NOTE_BYTES >> 20} MiB" in " ".join(ALL.split())
    assert f"the first {LONGEST_TEXT:,} characters of what each call returned" in " ".join(TEXT.split())

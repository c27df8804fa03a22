"""The built wheel, installed in a new environment, answers from its own sample notes; and its types hold."""

import os
import re
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

SCRIPT = '''
from manual_agent import ask
from runner_agent import ask as ask_runner
from two_loops import Approved, Call, Denied, Limits, Named, Result, Shown, Snippet, Toolset, notes, search_notes, tool
from two_loops import scripted_client
from two_loops.stand_ins.script import says


def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


def approve(call: Call) -> Approved | Denied:
    return Approved() if call.tool == "add" else Denied("no")


def files(total: int) -> list[Named | Shown]:
    return [Named("all.txt"), Shown("sums.txt", total)]


found: list[Snippet] = search_notes("boiler", "notes")
own = Toolset(name="sums", system="Add.", tools=(tool(add, risky=True, evidence=files),), limits=Limits(max_steps=2))
with scripted_client([says("Not in the notes")] * 2) as client:
    result: Result = ask("?", toolset=own, client=client, log_path=None, approve=approve)
    other = ask_runner("?", toolset=notes("notes"), client=client, limits=own.limits.replace(max_cost_usd=0.5))
print(result.status, result.answered, result.citations, other.usage.input_tokens, other.cost_usd)
'''


def run(*command: str | Path, **options: object) -> subprocess.CompletedProcess[str]:
    """A command that must succeed."""
    made = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)  # type: ignore[call-overload]
    assert made.returncode == 0, made.stdout + made.stderr
    return made  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a new environment that holds the built wheel, and borrows what it depends on from ours."""
    folder = tmp_path_factory.mktemp("package")
    build = ("-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation")
    run(sys.executable, *build, "--wheel-dir", folder, ROOT)
    (wheel,) = folder.glob("two_loops-*.whl")
    venv.create(folder / "env", with_pip=True)
    python = folder / "env" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel)
    return python


@pytest.fixture
def borrowed(tmp_path: Path) -> dict[str, str]:
    """The environment in which the new interpreter finds what the wheel depends on."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("ANTHROPIC_", "COVERAGE_"))
    }
    return environment | {"PYTHONPATH": sysconfig.get_path("purelib"), "HOME": str(tmp_path)}


def test_the_wheel_holds_the_sample_workspace(python: Path, tmp_path: Path, borrowed: dict[str, str]) -> None:
    script = "from two_loops import samples, tools; print(*tools.list_files(samples.WORKSPACE).files)"

    listed = run(python, "-c", script, cwd=tmp_path, env=borrowed).stdout

    assert listed == "budget.txt landlord.txt reports/march.md todo.txt\n"


def test_the_wheel_holds_cases_and_their_notes(python: Path, tmp_path: Path, borrowed: dict[str, str]) -> None:
    scored = [
        run(python.with_name("two-loops"), "eval", name, cwd=tmp_path, env=borrowed).stdout
        for name in ("nine", "injections")
    ]

    assert [re.findall("^manual: (.*) passed", told, re.MULTILINE) for told in scored] == [["9 of 9"], ["47 of 47"]]


def test_the_wheel_answers_from_its_own_sample_notes(python: Path, tmp_path: Path, borrowed: dict[str, str]) -> None:
    where = run(python, "-c", "import two_loops; print(two_loops.__file__)", cwd=tmp_path, env=borrowed).stdout
    answer = run(
        python.with_name("two-loops"), "ask", "When was the boiler serviced?", cwd=tmp_path, env=borrowed
    ).stdout

    assert str(python.parents[1]) in where
    assert "12 March" in answer
    assert "[boiler.txt:2]" in answer


def test_a_script_on_the_public_interface_passes_mypy(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)

    run(sys.executable, "-m", "mypy", "--strict", "--cache-dir", ROOT / ".mypy_cache", "script.py", cwd=tmp_path)

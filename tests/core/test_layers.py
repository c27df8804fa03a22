"""The house: who may import whom, and what a module may do when it is imported."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import two_loops

ROOT = Path(two_loops.__file__).parent.parent
PACKAGES = ("two_loops", "manual_agent", "runner_agent")

# Each part of two_loops imports only parts of lower floors (and itself).
FLOORS = {
    "settings": 0,
    "errors": 0,
    "text": 0,
    "wording": 0,
    "locking": 0,
    "files": 1,
    "values": 1,
    "samples": 1,
    "search": 1,
    "stop_reasons": 2,
    "replies": 2,
    "citations": 2,
    "prices": 2,
    "tools": 2,
    "log": 3,
    "stand_ins": 3,
    "toolsets": 3,
    "guards": 4,
    "run": 5,
    "agent": 6,
    "compare": 6,
    "demo": 7,
    "evals": 7,
    "cli": 8,
    "__init__": 9,
    "__main__": 9,
}


def modules() -> Iterator[tuple[Path, ast.Module]]:
    """Every module of the three packages."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path.relative_to(ROOT), ast.parse(path.read_text())


def imported(tree: ast.AST) -> Iterator[str]:
    """The names of the modules that a module imports, anywhere in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            yield f"{node.module}"
            yield from (f"{node.module}.{alias.name}" for alias in node.names if node.module == "two_loops")


def part(module: str) -> str:
    """The part of two_loops that a module belongs to."""
    return [*module.split("."), "__init__"][1]


def test_imports_go_one_way() -> None:
    wrong = []
    for path, tree in modules():
        here = part(".".join(path.with_suffix("").parts))
        for name in imported(tree):
            there = part(name) if name.startswith("two_loops.") else None
            if path.parts[0] == "two_loops" and there in FLOORS and there != here and FLOORS[there] >= FLOORS[here]:
                wrong.append(f"{path} imports {name}")

    assert wrong == []


def test_every_part_has_a_floor() -> None:
    parts = {path.parts[1].removesuffix(".py") for path, _ in modules() if path.parts[0] == "two_loops"}

    assert parts == FLOORS.keys()


def test_the_shared_package_knows_neither_agent() -> None:
    known = [
        str(path)
        for path, tree in modules()
        for name in imported(tree)
        if path.parts[0] == "two_loops" and name.startswith(("manual_agent", "runner_agent"))
    ]

    assert known == []


def test_the_agents_never_import_each_other() -> None:
    for path, tree in modules():
        other = {"manual_agent": "runner_agent", "runner_agent": "manual_agent"}.get(path.parts[0], "-")
        assert [name for name in imported(tree) if name.startswith(other)] == []


def test_one_module_reads_the_environment_and_only_the_command_line_prints() -> None:
    reading = {str(path) for path, tree in modules() if {"environ", "getenv"} & set(names(tree))}
    printing = {path.parts[1] for path, tree in modules() if {"print", "echo", "stdout", "stderr"} & set(names(tree))}

    assert reading == {"two_loops/settings.py"}
    assert printing == {"cli"}


def names(tree: ast.AST) -> Iterator[str]:
    """Every name and attribute that a module uses."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr


@pytest.mark.parametrize("package", [*PACKAGES, "two_loops.cli", "two_loops.evals"])
def test_importing_loads_no_sdk_and_no_prices(package: str) -> None:
    script = f"import sys, {package}; print(sorted({{'anthropic', 'genai_prices', 'httpx2'}} & set(sys.modules)))"

    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert (run.stdout, run.stderr) == ("[]\n", "")


def test_the_public_names() -> None:
    assert two_loops.__all__ == sorted(two_loops.__all__)
    assert set(two_loops.__all__) == {
        "Approved",
        "Call",
        "Denied",
        "Event",
        "Limits",
        "Named",
        "NoCredentials",
        "Result",
        "Shown",
        "Snippet",
        "TextDelta",
        "Tool",
        "ToolError",
        "Toolset",
        "TwoLoopsError",
        "UnusableReply",
        "WrongUse",
        "async_offline_client",
        "async_scripted_client",
        "notes",
        "offline_client",
        "scripted_client",
        "search_notes",
        "tool",
        "workspace",
    }
    assert all(hasattr(two_loops, name) for name in two_loops.__all__)

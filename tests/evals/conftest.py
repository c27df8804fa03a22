"""The command line in this process, without any credentials."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from two_loops.cli import app

Made = tuple[int, str, str]
Command = Callable[..., Made]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Runs a command in an empty folder: its exit code, and what it printed on either output."""
    for name in list(os.environ):
        if name.startswith("ANTHROPIC_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Made:
        made = CliRunner().invoke(app, arguments, prog_name="two-loops")
        assert made.exception is None or isinstance(made.exception, SystemExit), made.output
        return made.exit_code, made.stdout, made.stderr

    return run

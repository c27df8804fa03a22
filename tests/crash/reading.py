"""A log as a stranger's program reads it: split at the newlines, each line parsed as JSON."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.core.test_cli import two_loops

STORY = ["question", "model_request", "model_call", "tool_call", "model_request", "model_call", "result"]


@dataclass(frozen=True)
class Read:
    """runs: the events of each run, in order, by its id. torn: lines that are no JSON. rest: what follows the last."""

    runs: dict[str, list[str]]
    torn: list[bytes]
    rest: bytes


def read(log: Path) -> Read:
    """The log's lines."""
    *lines, rest = log.read_bytes().split(b"\n")
    runs: dict[str, list[str]] = {}
    torn = []
    for line in lines:
        try:
            whole = json.loads(line)
        except ValueError:
            torn.append(line)
        else:
            runs.setdefault(whole["run_id"], []).append(whole["event"])
    return Read(runs, torn, rest)


def as_the_command_reads(log: Path) -> Any:
    """What ``two-loops log --json`` says of the log."""
    made = two_loops("log", str(log), "--json", folder=log.parent)
    assert (made.returncode, made.stderr) == (0, "")
    return json.loads(made.stdout)

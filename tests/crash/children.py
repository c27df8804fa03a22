"""Child processes of a warm process, as the tests see them: started, killed, waited for, and what they reported."""

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.crash.jobs import Job

ROOT = Path(__file__).parents[2]


class Children:
    """Starts children; ``folder`` holds what they report."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._warm = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.warm"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._started = 0

    def start(self, function: Callable[..., Any], *arguments: Any) -> "Child":
        """A child that calls the function."""
        self._started += 1
        report = self._folder / f"{self._started}"
        return Child(self.asked(Job(function, arguments, report)), report, self)

    def made(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """The one value that the function yields in a child of its own."""
        child = self.start(function, *arguments)
        assert child.ended() == 0
        (value,) = child.reported()
        return value

    def asked(self, request: Any) -> Any:
        """What the warm process answers."""
        assert self._warm.stdin is not None
        assert self._warm.stdout is not None
        pickle.dump(request, self._warm.stdin)
        self._warm.stdin.flush()
        return pickle.load(self._warm.stdout)

    def close(self) -> None:
        """End the warm process."""
        self._warm.communicate()


@dataclass(frozen=True)
class Child:
    """One child, until somebody waits for it."""

    pid: int
    report: Path
    children: Children

    def kill(self) -> None:
        """Kill it, wherever it is."""
        os.kill(self.pid, signal.SIGKILL)

    def ended(self) -> int:
        """Wait for its end, and tell how it ended."""
        code: int = self.children.asked(self.pid)
        return code

    def reported(self) -> list[Any]:
        """All that it has yielded."""
        found = []
        if self.report.exists():
            with self.report.open("rb") as report:
                while report.peek(1):
                    found.append(pickle.load(report))
        return found

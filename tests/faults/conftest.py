"""The fixture that asks in one way, in front of a server that follows a script."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.both.bench import Bench
from tests.both.trial import Trial
from tests.both.ways import Way
from tests.faults.acts import Act
from tests.faults.cases import LONG
from tests.faults.server import serving
from tests.faults.ways import ask
from two_loops import Result
from two_loops.cli.log_lines import LogLines
from two_loops.log import record
from two_loops.values.events import Event

Attempt = Callable[..., Trial]


@pytest.fixture(scope="session")
def bench() -> Bench:
    """The tools of all attempts: the SDK takes longer to describe them than a run does."""
    return Bench()


@pytest.fixture
def attempt(bench: Bench, tmp_path: Path) -> Attempt:
    """Asks once: ``attempt(way, *acts)``, with the client's retries and time-out as options."""

    def asked(way: Way, *script: Act, max_retries: int = 0, timeout: Any = LONG) -> Trial:
        bench.ran.clear()
        events, log = list[Event](), tmp_path / "log.jsonl"
        result: Result | None = None
        error: Exception | None = None
        with serving(*script) as server:
            try:
                result = ask(
                    way,
                    "When?",
                    base_url=server.url,
                    max_retries=max_retries,
                    timeout=timeout,
                    toolset=bench.toolset(),
                    log_path=log,
                    on_event=events.append,
                )
            except Exception as raised:  # noqa: BLE001  # which one it is, the tests say
                error = raised
        told = [{"event": event.event, **record(event)} for event in events]
        return Trial(result, error, server.requests, list(bench.ran), told, lines_of(log))

    return asked


def lines_of(log: Path) -> list[dict[str, Any]]:
    """The lines of the log, which the reader of logs must find whole and its own."""
    lines = [json.loads(line) for line in log.read_text("ascii").splitlines()]
    read = LogLines(str(log))
    assert list(read) == lines
    assert (read.torn, read.foreign) == (0, 0)
    return lines

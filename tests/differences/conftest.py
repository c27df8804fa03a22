"""What each test of a difference is given: its fact, a bare runner, and our own agent in the same situation."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.both.trial import Conversation, Trial, run
from tests.both.ways import AGENTS
from tests.differences.bare import Bare
from tests.differences.facts import DIFFERENCES, Difference
from two_loops import Limits


@pytest.fixture
def fact(request: pytest.FixtureRequest) -> Difference:
    """The fact that this test, by its name, is about."""
    return {f"test_{fact.key}": fact for fact in DIFFERENCES}[request.function.__name__]


@pytest.fixture
def bare() -> Iterator[Callable[..., Bare]]:
    """Makes bare runners, and closes them after the test."""
    with ExitStack() as stack:

        def make(*replies: Any, **options: Any) -> Bare:
            made = Bare(*replies, **options)
            stack.callback(made.close)
            return made

        yield make


@pytest.fixture
def ours(tmp_path: Path) -> Callable[..., Trial]:
    """Runs ``runner_agent`` on the same replies, with the same tools."""

    def ask(*replies: Any, limits: Limits | None = None) -> Trial:
        return run(AGENTS["runner"], Conversation(name="", replies=replies, limits=limits), tmp_path)

    return ask

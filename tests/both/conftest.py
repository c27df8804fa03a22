"""The fixtures that run each test over both agents."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.both.trial import AGENTS, Conversation, Trial, run
from two_loops import Result


@pytest.fixture(params=AGENTS)
def ask(request: pytest.FixtureRequest) -> Callable[..., Result]:
    """The function ``ask`` of each agent in turn."""
    return AGENTS[request.param]


@pytest.fixture
def trial(ask: Callable[..., Result], tmp_path: Path) -> Callable[[Conversation], Trial]:
    """Runs a conversation through the agent of this test."""
    return lambda conversation: run(ask, conversation, tmp_path)

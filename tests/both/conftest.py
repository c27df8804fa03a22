"""The fixtures that run each test over both agents, and in every way."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.both.trial import Conversation, Trial, run
from tests.both.ways import AGENTS, WAYS, Way


@pytest.fixture(params=AGENTS)
def ask(request: pytest.FixtureRequest) -> Way:
    """The function ``ask`` of each agent in turn."""
    return AGENTS[request.param]


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest) -> Way:
    """Each agent, each way."""
    return WAYS[request.param]


@pytest.fixture
def trial(way: Way, tmp_path: Path) -> Callable[[Conversation], Trial]:
    """Runs a conversation in the way of this test."""
    return lambda conversation: run(way, conversation, tmp_path)

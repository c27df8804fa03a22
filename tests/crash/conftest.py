"""Each test runs over both agents; one that leaves something to chance tells its seed when it fails."""

import random
import sys
from collections.abc import Iterator

import pytest

from tests.both.ways import AGENTS
from tests.crash.children import Children


@pytest.fixture(params=AGENTS)
def agent(request: pytest.FixtureRequest) -> str:
    """The name of each agent in turn."""
    name: str = request.param
    return name


@pytest.fixture(scope="session")
def children(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Children]:
    """Starts children that can ask at once."""
    made = Children(tmp_path_factory.mktemp("reports"))
    yield made
    made.close()


@pytest.fixture
def chance() -> random.Random:
    """A source of chance."""
    seed = random.randrange(2**32)
    sys.stderr.write(f"the seed was {seed}\n")
    return random.Random(seed)

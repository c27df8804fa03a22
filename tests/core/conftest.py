"""What several tests share."""

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture
def never_waits() -> Iterator[None]:
    """What waits for a pipe fails instead of standing still."""
    signal.alarm(60)
    yield
    signal.alarm(0)

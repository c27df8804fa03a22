"""The time that a run has taken, which stands still while a person is asked."""

from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic


class Clock:
    """Starts when it is made."""

    def __init__(self) -> None:
        self._started = monotonic()
        self._asked = 0.0

    def seconds(self) -> float:
        """Wall-clock seconds since the start, pauses left out."""
        return monotonic() - self._started - self._asked

    @contextmanager
    def paused(self) -> Iterator[None]:
        """What happens inside does not count."""
        before = monotonic()
        try:
            yield
        finally:
            self._asked += monotonic() - before

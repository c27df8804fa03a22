"""The SDK's tool runner as one writes it first, with the tools of the bench."""

from typing import Any

from tests.both.bench import Bench
from two_loops.compare import bare


class Bare(bare.Bare):
    """A bare runner that has not begun, over scripted replies."""

    def __init__(self, *replies: Any, **options: Any) -> None:
        self._bench = bench = Bench()
        functions: list[Any] = [bench.find, bench.count, bench.odd, bench.fail]
        super().__init__("When?", replies, functions, system="Use the tools.", **options)

    @property
    def ran(self) -> list[str]:
        """What really ran, in order."""
        return self._bench.ran

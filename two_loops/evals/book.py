"""The book of a run: which trials are done, what they cost, and which are left."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock

from two_loops.evals.header import Header
from two_loops.evals.purse import Purse
from two_loops.evals.scored import EvalRun, Key, Scored, in_order


class Book:
    """Kept by several threads at once. on_scored hears of each trial, one at a time."""

    def __init__(self, header: Header, purse: Purse, on_scored: Callable[[Scored], object] | None) -> None:
        self._header = header
        self._purse = purse
        self._on_scored = on_scored
        self._trials: list[Scored] = []
        self._writing = Lock()

    def left(self) -> Iterator[Key]:
        """The trials that are still to be made, as long as the purse lasts."""
        return self._purse.lasting(Key(*key) for key in self._header.planned())

    def keep(self, trial: Scored) -> None:
        """Write a trial down."""
        with self._writing:
            self._purse.pay(trial.cost_usd)
            self._trials.append(trial)
            if self._on_scored is not None:
                self._on_scored(trial)

    def run(self) -> EvalRun:
        """The run as far as it has come."""
        with self._writing:
            return EvalRun(self._header, in_order(self._header, self._trials), self._purse.spent)

    @contextmanager
    def carried(self) -> Iterator[None]:
        """Around the trials: an exception that ends them carries what was done as its ``partial``."""
        try:
            yield
        except BaseException as error:
            with suppress(Exception):  # one that takes no attributes still has to reach the caller
                error.partial = self.run()  # type: ignore[attr-defined]
            raise

"""The book of a run: which trials are done, what they cost, and which are left."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock

from two_loops.evals.header import Header
from two_loops.evals.purse import Purse
from two_loops.evals.run_file import RunFile
from two_loops.evals.scored import EvalRun, Key, Scored, run_of


class Book:
    """Kept by several threads at once.

    file: where each trial is written down, and where those of an earlier run stand. on_scored hears of each new trial,
    one at a time.
    """

    def __init__(
        self, header: Header, purse: Purse, file: RunFile | None, on_scored: Callable[[Scored], object] | None
    ) -> None:
        self._header = header
        self._purse = purse
        self._file = file
        self._on_scored = on_scored
        self._trials = list(file.made) if file else []
        self._warnings: list[str] = []
        self._writing = Lock()
        for trial in self._trials:
            purse.pay(trial.cost_usd, trial.judge_cost_usd)

    def left(self) -> Iterator[Key]:
        """The trials that are still to be made, as long as the purse lasts; one that an error ended is made again."""
        done = {trial.key for trial in self._trials if trial.error is None}
        planned = (Key(*key) for key in self._header.planned())
        return self._purse.lasting(key for key in planned if key not in done)

    def keep(self, trial: Scored) -> None:
        """Write a trial down. Money was spent: the run goes on where its file can't be written."""
        with self._writing:
            self._purse.pay(trial.cost_usd, trial.judge_cost_usd)
            self._trials.append(trial)
            self._write(trial)
            if self._on_scored is not None:
                self._on_scored(trial)

    def _write(self, trial: Scored) -> None:
        try:
            if self._file is not None:
                self._file.add(trial)
        except OSError as error:
            if not self._warnings:
                self._warnings.append(f"the run file is not complete: {error.strerror or error}")

    def run(self) -> EvalRun:
        """The run as far as it has come."""
        with self._writing:
            return run_of(self._header, self._trials, self._warnings)

    @contextmanager
    def carried(self) -> Iterator[None]:
        """Around the trials: an exception that ends them carries what was done as its ``partial``."""
        try:
            yield
        except BaseException as error:
            with suppress(Exception):  # one that takes no attributes still has to reach the caller
                error.partial = self.run()  # type: ignore[attr-defined]
            raise

"""A bar on a terminal that says how many trials are done."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from two_loops.cli.screen import lively
from two_loops.wording import dollars

if TYPE_CHECKING:
    from two_loops.evals.scored import Scored


@contextmanager
def scoring(planned: int, *, wanted: bool) -> Iterator["Callable[[Scored], None] | None"]:
    """A listener for trials that keeps the bar up to date, where standard error is a terminal and it is wanted."""
    console = lively(wanted=wanted)
    if console is None:
        yield None
        return
    told = TextColumn("{task.fields[told]}", markup=False)
    with Progress(
        BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), told, console=console, transient=True
    ) as bar:
        yield _Heard(bar, planned)


class _Heard:
    """Counts the trials that it hears of."""

    def __init__(self, bar: Progress, planned: int) -> None:
        self._bar = bar
        self._task = bar.add_task("", total=planned, told="")
        self._failed = 0
        self._spent = 0.0

    def __call__(self, trial: "Scored") -> None:
        """Count one."""
        self._failed += not trial.passed
        self._spent += (trial.cost_usd or 0.0) + (trial.judge_cost_usd or 0.0)
        self._bar.update(self._task, advance=1, told=f"{self._failed} failed, spent {dollars(self._spent)}")

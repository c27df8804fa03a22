"""A bar on a terminal that says how many trials are done."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from two_loops.wording import dollars

if TYPE_CHECKING:
    from two_loops.evals.scored import Scored


@contextmanager
def scoring(planned: int, *, wanted: bool) -> Iterator["Callable[[Scored], None]"]:
    """A listener for trials. It shows the bar where standard error is a terminal and it is wanted."""
    console = Console(stderr=True)
    told = TextColumn("{task.fields[told]}", markup=False)
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), told)
    with Progress(*columns, console=console, transient=True, disable=not (wanted and console.is_terminal)) as progress:
        task = progress.add_task("", total=planned, told="")
        failed, spent = 0, 0.0

        def heard(trial: "Scored") -> None:
            nonlocal failed, spent
            failed += not trial.passed
            spent += (trial.cost_usd or 0.0) + (trial.judge_cost_usd or 0.0)
            progress.update(task, advance=1, told=f"{failed} failed, spent {dollars(spent)}")

        yield heard

"""Before a run of cases: options that fit, a judge, a cap on the money, and what the asker has to know."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from two_loops.cli.opening import client_for, of_the_model
from two_loops.cli.screen import say
from two_loops.errors import WrongUse
from two_loops.stand_ins import is_offline
from two_loops.values.limits import Limits, require_amount, require_count, require_share
from two_loops.wording import counted

if TYPE_CHECKING:
    from anthropic import Anthropic

    from two_loops.evals import Judge
    from two_loops.evals.reading import Cases
    from two_loops.evals.scored import EvalRun

BUDGET_USD = 5.0


def check_numbers(trials: int, workers: int, fail_under: float, budget: float | None) -> None:
    """Raise WrongUse for numbers that are none of their kind."""
    require_count("--trials", trials)
    require_count("--workers", workers)
    require_share("--fail-under", fail_under)
    if budget is not None:
        require_amount("--budget", budget)


def check_files(
    out: str | None, resume: str | None, baseline: str | None, report: str | None, *, fail_on_regression: bool
) -> None:
    """Raise WrongUse for files that do not go together, or have no place to be."""
    if out is not None and resume is not None:
        raise WrongUse("give one of --out and --resume, not both")
    if fail_on_regression and baseline is None:
        raise WrongUse("--fail-on-regression needs an earlier run: give it with --baseline")
    if report is not None and not Path(report).parent.is_dir():
        raise WrongUse(f"the report {report} can't be written: there is no folder {Path(report).parent}")
    if report is not None and Path(report).is_dir():
        raise WrongUse(f"the report {report} can't be written: it is a folder")


def check_apart(files: Mapping[str, str | None], baseline: str | None) -> None:
    """Raise WrongUse where two options name one file, which one of them would write over."""
    places: dict[str, str] = {}
    for option, path in {**files, "--baseline": baseline}.items():
        place = "" if path is None else os.path.realpath(path)
        if place in places and place:
            raise WrongUse(f"{places[place]} and {option} name the same file; give each a file of its own")
        places[place] = option


def check_baseline(baseline: "EvalRun | None", cases: "Cases") -> None:
    """Raise WrongUse for an earlier run of other cases, which nothing can be held against."""
    if baseline is not None and not {case.id for case in cases.cases} & {trial.case for trial in baseline.scored}:
        raise WrongUse("none of these cases is in the baseline: give an earlier run of the same cases")


@contextmanager
def judging(name: str | None, cases: "Cases") -> "Iterator[Judge | None]":
    """The judge of that name. Raises WrongUse where no case has a reference to grade against."""
    from two_loops.evals import Judge

    if name is None:
        yield None
        return
    if not any(case.judge for case in cases.cases):
        raise WrongUse("--judge has nothing to grade: no case of the file has a reference, as judge = {reference = …}")
    with client_for(name) as client:
        yield Judge(client, name)


def cap_of(budget: float | None, client: "Anthropic", model: str, judge: "Judge | None") -> float | None:
    """What the whole run may cost: by default something where a real model has a price."""
    from two_loops.evals.purse import require_price
    from two_loops.prices import prices_for

    paid = [*([] if is_offline(client) else [model]), *([judge.model] if judge else [])]
    if budget is None:
        return BUDGET_USD if paid and all(map(prices_for, paid)) else None
    for name in paid:
        require_price("--budget", name)
    return budget


def of_the_judge(judge: "Judge | None", cases: "Cases") -> list[str]:
    """What has to be known of the judge: what it is sent, or that there is none though cases ask for one."""
    many = sum(case.judge is not None for case in cases.cases)
    if judge is not None:
        return [f"Questions, answers and references of {counted(many, 'case')} go to the judge, {judge.model}."]
    return [f"Nobody grades the answers of {counted(many, 'case')}: there is no --judge."] if many else []


def of_the_run(client: "Anthropic", model: str | None, held: Limits, planned: int, cap: float | None) -> Iterator[str]:
    """What has to be known before anything is sent."""
    yield from of_the_model(client, model, held, sent="Snippets from the notes of the cases")
    if is_offline(client):
        return
    within = "" if cap is None else f", and none of them starts once ${cap:g} are spent"
    yield f"It pays for {counted(planned, 'run')} at most, each within its own limits{within}."


def say_waiting(running: int) -> None:
    """Say what goes on after Ctrl-C."""
    say(f"Waiting for what has begun ({counted(running, 'run')}); press Ctrl-C again to leave it.", error=True)

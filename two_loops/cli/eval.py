"""``two-loops eval``: cases whose rules were written before, asked and scored."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from two_loops.cli.exits import FAILED, told
from two_loops.cli.opening import capped, chosen, client_for, of_the_model
from two_loops.cli.options import AGENTS, Limited, Model, grouped
from two_loops.cli.scoring import scoring
from two_loops.cli.screen import say
from two_loops.cli.showing import Shown
from two_loops.errors import WrongUse
from two_loops.stand_ins import is_offline
from two_loops.values.limits import Limits, require_amount, require_count, require_share
from two_loops.wording import counted

if TYPE_CHECKING:
    from anthropic import Anthropic

BUDGET_USD = 5.0

AgentsName = Literal["manual", "runner", "both"]


@grouped
def evaluate(
    cases: Annotated[
        str,
        typer.Argument(
            metavar="CASES", help="A TOML file of cases, or one that ships, by its name: nine or injections."
        ),
    ],
    agent: Annotated[AgentsName, typer.Option(help="Which loop answers.")] = "manual",
    model: Model = None,
    trials: Annotated[int, typer.Option(metavar="N", help="How often each agent is asked each question.")] = 1,
    workers: Annotated[
        int,
        typer.Option(
            metavar="N", help="How many questions are asked at once; Ctrl-C waits for these, unless pressed twice."
        ),
    ] = 1,
    fail_under: Annotated[
        float, typer.Option(metavar="SHARE", help="The share of trials, from 0 to 1, that has to pass.")
    ] = 1.0,
    budget: Annotated[
        float | None,
        typer.Option(
            metavar="USD",
            help="US dollars for the whole run: once they are spent, no question is asked. "
            f"[default: {BUDGET_USD} where the model has a known price]",
        ),
    ] = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="RUN.jsonl", help="A new file for the run; each trial is in it as soon as it is done."),
    ] = None,
    resume: Annotated[
        str | None,
        typer.Option(metavar="RUN.jsonl", help="Finish the run in this file; what is done is not paid again."),
    ] = None,
    baseline: Annotated[
        str | None, typer.Option(metavar="RUN.jsonl", help="Show what was won and lost against this earlier run.")
    ] = None,
    fail_on_regression: Annotated[
        bool,
        typer.Option(
            "--fail-on-regression",
            help="Fail where a case passes less often than in the baseline, by more than chance may explain.",
        ),
    ] = False,
    report: Annotated[str | None, typer.Option("--junit", metavar="FILE", help="Write a JUnit report, too.")] = None,
    log: Annotated[
        str | None, typer.Option(metavar="FILE", help="The log to append each run to. [default: no log]")
    ] = None,
    *,
    limits: Limited,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Ask the questions of a case file, and hold each answer against the rules of its case.

    Exit code 0: every trial passed, or the share that --fail-under asks for. 1: not so. 2: wrong use, no case at all,
    no key, a rejected one, or no permission. 130: interrupted; what was done is shown.
    """
    from two_loops.evals import load_cases, run_cases
    from two_loops.evals.run_file import read_run

    with told():
        _check_numbers(trials, workers, fail_under, budget)
        _check_files(out, resume, baseline, report, fail_on_regression=fail_on_regression)
        loaded = load_cases(cases)
        shown = Shown(None if baseline is None else read_run(baseline), report, as_json=as_json)
        names = list(AGENTS) if agent == "both" else [agent]
        planned = len(loaded.cases) * len(names) * trials
        with client_for(model) as client:
            held = capped(limits(Limits()), client, chosen(model))
            cap = _cap(budget, held, client, chosen(model))
            for notice in _notices(client, model, held, planned, cap):
                say(notice, error=True)
            with shown.unfinished(), scoring(planned, wanted=not as_json) as on_scored:
                run = run_cases(
                    loaded,
                    {name: import_module(AGENTS[name]).ask for name in names},
                    client=client,
                    model=chosen(model),
                    limits=held,
                    trials=trials,
                    workers=workers,
                    max_cost_usd=cap,
                    log_path=log,
                    run_file=resume if out is None else out,
                    resume=resume is not None,
                    on_scored=on_scored,
                )
        lost = shown.show(run)
    raise typer.Exit(FAILED if run.passed < fail_under or (lost and fail_on_regression) else 0)


def _check_numbers(trials: int, workers: int, fail_under: float, budget: float | None) -> None:
    require_count("--trials", trials)
    require_count("--workers", workers)
    require_share("--fail-under", fail_under)
    if budget is not None:
        require_amount("--budget", budget)


def _check_files(
    out: str | None, resume: str | None, baseline: str | None, report: str | None, *, fail_on_regression: bool
) -> None:
    if out is not None and resume is not None:
        raise WrongUse("give one of --out and --resume, not both")
    if fail_on_regression and baseline is None:
        raise WrongUse("--fail-on-regression needs an earlier run: give it with --baseline")
    if report is not None and not Path(report).parent.is_dir():
        raise WrongUse(f"the report {report} can't be written: there is no folder {Path(report).parent}")


def _cap(budget: float | None, held: Limits, client: "Anthropic", model: str) -> float | None:
    """What the whole run may cost: by default something where a real model has a price."""
    from two_loops.evals.purse import require_price

    if is_offline(client) or (budget is None and held.max_cost_usd is None):
        return budget
    require_price("--budget", model)
    return BUDGET_USD if budget is None else budget


def _notices(client: "Anthropic", model: str | None, held: Limits, planned: int, cap: float | None) -> Iterator[str]:
    """What has to be known before anything is sent."""
    yield from of_the_model(client, model, held, sent="Snippets from the notes of the cases")
    if is_offline(client):
        return
    within = "" if cap is None else f", and none of them starts once ${cap:g} are spent"
    yield f"It pays for {counted(planned, 'run')} at most, each within its own limits{within}."

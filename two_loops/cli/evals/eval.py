"""``two-loops eval``: cases whose rules were written before, asked and scored."""

from importlib import import_module
from typing import Annotated, Literal

import typer

from two_loops.cli.evals.preparing import (
    BUDGET_USD,
    cap_of,
    check_apart,
    check_baseline,
    check_files,
    check_numbers,
    judging,
    of_the_judge,
    of_the_run,
    say_waiting,
)
from two_loops.cli.evals.scoring import scoring
from two_loops.cli.evals.showing import Shown
from two_loops.cli.exits import FAILED, told
from two_loops.cli.opening import capped, chosen, client_for
from two_loops.cli.options import AGENTS, Limited, Model, grouped
from two_loops.cli.screen import say
from two_loops.values.limits import Limits

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
    judge: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="A real model that grades the answers of cases with a reference. [default: nobody grades them]",
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
        check_numbers(trials, workers, fail_under, budget)
        check_files(out, resume, baseline, report, fail_on_regression=fail_on_regression)
        check_apart({"CASES": cases, "--out": out, "--resume": resume, "--junit": report, "--log": log}, baseline)
        loaded = load_cases(cases)
        earlier = None if baseline is None else read_run(baseline)
        check_baseline(earlier, loaded)
        shown = Shown(earlier, report, as_json=as_json)
        names = list(AGENTS) if agent == "both" else [agent]
        planned = len(loaded.cases) * len(names) * trials
        with client_for(model) as client, judging(judge, loaded) as grader:
            held = capped(limits(Limits()), client, chosen(model))
            cap = cap_of(budget, client, chosen(model), grader)
            for notice in [*of_the_run(client, model, held, planned, cap), *of_the_judge(grader, loaded)]:
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
                    judge=grader,
                    on_scored=on_scored,
                    on_wait=say_waiting,
                )
        lost = shown.show(run)
    raise typer.Exit(FAILED if run.passed < fail_under or (lost and fail_on_regression) else 0)

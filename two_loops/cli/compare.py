"""``two-loops compare``: the same question through both agents, and what of it is not the same."""

from importlib import import_module
from typing import Annotated, Literal

import typer

from two_loops import settings
from two_loops.cli.asking import from_standard_input
from two_loops.cli.exits import FAILED, told
from two_loops.cli.jobs import Job, copied_workspace_job, notes_job
from two_loops.cli.opening import capped, client_for, of_the_model
from two_loops.cli.options import AGENTS, Limited, Notes, Yes, grouped
from two_loops.cli.pairs import Setup, compare_answers, compare_runs
from two_loops.cli.screen import columns
from two_loops.compare.files import questions_in, script_in
from two_loops.compare.modes import MODES
from two_loops.errors import WrongUse

ModeName = Literal["plain", "streamed", "async", "async-streamed", "every"]

PAID = "Two runs are paid for each question, each within its own limits."


@grouped
def compare(
    question: Annotated[
        str | None, typer.Argument(metavar="QUESTION", help="The question, in quotes; - reads it from standard input.")
    ] = None,
    questions: Annotated[
        str | None, typer.Option(metavar="FILE", help="Ask each line of a file; one that begins with # is left out.")
    ] = None,
    notes: Notes = None,
    workspace: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="In place of notes: tasks in a folder of text files, each in a copy of it."),
    ] = None,
    yes: Yes = [],  # noqa: B006  # typer's way to say that it may be left out
    model: Annotated[
        str | None, typer.Option(metavar="NAME", help=f"A model's name. [default: {settings.OFFLINE}]")
    ] = None,
    script: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="In place of a model: a JSON list of replies, as the API would send them."),
    ] = None,
    mode: Annotated[ModeName, typer.Option(help="How both are asked; not for a real model.")] = "plain",
    bare: Annotated[
        bool, typer.Option("--bare", help="Show what the SDK's bare runner does, too; not for a real model.")
    ] = False,
    log: Annotated[
        str | None, typer.Option(metavar="FILE", help="The log to append each run to. [default: no log]")
    ] = None,
    *,
    limits: Limited,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, one line for each comparison.")] = False,
) -> None:
    """Ask both agents the same, and compare what they sent, ran, logged and returned.

    With the offline model or a script the two have to be identical, else the first difference is shown. A real model
    never answers twice the same: its two runs, both of which are paid, stand side by side.

    Exit code 0: identical, be it in how both failed; with a real model, both answered. 1: not so. 2: wrong use, no
    key, a rejected one, or no permission. 130: interrupted.
    """
    with told():
        _check(model, script, bare=bare, mode=mode)
        asked = _questions(question, questions)
        replies = None if script is None else script_in(script)
        job = _job(notes, workspace)
        setup = Setup(job, limits(job.limits), [*job.notices], yes, log, as_json, columns())
        agents = {name: import_module(package) for name, package in AGENTS.items()}
        if model is None or model == settings.OFFLINE:
            modes = list(MODES) if mode == "every" else [mode]
            good = compare_runs(agents, asked, setup, replies, modes=modes, bare=bare)
        else:
            with client_for(model) as client:
                setup.limits = capped(setup.limits, client, model)
                setup.notices += [*of_the_model(client, model, setup.limits, sent=job.sent), PAID]
                good = compare_answers(agents, asked, setup, client, model)
    raise typer.Exit(0 if good else FAILED)


def _check(model: str | None, script: str | None, *, bare: bool, mode: str) -> None:
    if model is not None and script is not None:
        raise WrongUse("give one of --model and --script, not both")
    real = model not in (None, settings.OFFLINE)
    for option, given in {"--bare": bare, "--mode": mode != "plain"}.items():
        if real and given:
            raise WrongUse(f"{option} is for the offline model and for scripts, not for a real model")


def _job(notes: str | None, workspace: str | None) -> Job:
    if notes is not None and workspace is not None:
        raise WrongUse("give one of --notes and --workspace, not both")
    return notes_job(notes) if workspace is None else copied_workspace_job(workspace)


def _questions(question: str | None, path: str | None) -> list[str]:
    if question is not None and path is not None:
        raise WrongUse("give a question or --questions, not both")
    if path is not None:
        return questions_in(path)
    if question is None:
        raise WrongUse("there is no question: give one, or a file of them with --questions")
    return [from_standard_input() if question == "-" else question]

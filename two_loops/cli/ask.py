"""``two-loops ask``: one question, one agent."""

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from two_loops import settings
from two_loops.cli.exits import FAILED, told
from two_loops.cli.following import following
from two_loops.cli.opening import capped, chosen, client_for, of_the_notes, of_the_server, toolset_of
from two_loops.cli.options import Limited, Notes, with_limits
from two_loops.cli.outcome import show, summed_up
from two_loops.errors import WrongUse
from two_loops.stand_ins import is_offline
from two_loops.values.limits import Limits

if TYPE_CHECKING:
    from anthropic import Anthropic

AgentName = Literal["manual", "runner"]

AGENTS: Mapping[str, str] = {"manual": "manual_agent", "runner": "runner_agent"}


@with_limits
def ask(
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="The question, in quotes; - reads it from standard input.")
    ],
    agent: Annotated[AgentName, typer.Option(help="Which loop answers.")] = "manual",
    notes: Notes = None,
    model: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help=f"A model's name, or 'offline'. [default: {settings.MODEL}; offline where there is neither a key "
            "nor ANTHROPIC_BASE_URL]",
        ),
    ] = None,
    log: Annotated[
        str | None, typer.Option(metavar="FILE", help=f"The log to append to. [default: {settings.LOG_PATH}]")
    ] = None,
    no_log: Annotated[bool, typer.Option("--no-log", help="Write no log.")] = False,
    *,
    limits: Limited,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole result as JSON.")] = False,
) -> None:
    """Answer a question from a folder of notes, citing them.

    Exit code 0: answered, or honestly not in the notes. 1: no answer, a check failed, or the API did. 2: wrong use, no
    key, a rejected one, or no permission. 130: interrupted.
    """
    with told():
        text = from_standard_input() if question == "-" else question
        toolset = toolset_of(notes)
        wanted = limits(toolset.limits)
        log_path = _log_path(log, no_log=no_log)
        with client_for(model) as client:
            held = capped(wanted, client, chosen(model))
            with summed_up(), following(_notices(client, notes, model, held), lively=not as_json) as follower:
                result = import_module(AGENTS[agent]).ask(
                    text,
                    toolset=toolset,
                    client=client,
                    model=chosen(model),
                    limits=held,
                    log_path=log_path,
                    on_event=follower,
                )
    show(result, follower.stopped, as_json=as_json)
    if not result.answered:
        raise typer.Exit(FAILED)


def from_standard_input() -> str:
    """All of it, whatever bytes it has."""
    return "" if sys.stdin is None else sys.stdin.buffer.read().decode(errors="replace")


def _log_path(log: str | None, *, no_log: bool) -> str | None:
    if no_log and log is not None:
        raise WrongUse("give one of --log and --no-log, not both")
    return None if no_log else settings.LOG_PATH if log is None else log


def _notices(client: "Anthropic", folder: str | None, model: str | None, limits: Limits) -> list[str]:
    """What the asker has to know before anything is sent: who answers from which notes, and an unknown cost."""
    if not is_offline(client):
        return [*of_the_notes(folder), *of_the_server(client, folder, chosen(model), limits)]
    return [*of_the_notes(folder), *([] if model else ["There is no key, so the offline model answers."])]

"""One run of one agent, as a command asks for it."""

import sys
from collections.abc import Callable
from importlib import import_module

import typer

from two_loops.cli.exits import FAILED, told
from two_loops.cli.following import Follower, following
from two_loops.cli.jobs import Job
from two_loops.cli.opening import capped, chosen, client_for, of_the_model
from two_loops.cli.options import AGENTS, Way
from two_loops.cli.outcome import show, summed_up
from two_loops.cli.reading import read_by_tools
from two_loops.guards.approval import Approve
from two_loops.toolsets.toolset import Toolset

Consenting = Callable[[Toolset, Follower], Approve | None]


def _nobody(_toolset: Toolset, _follower: Follower) -> None:
    """Nobody is asked, where a toolset has no risky tools."""


def asked(words: str, way: Way, opened: Callable[[], Job], consent: Consenting = _nobody) -> None:
    """Ask one agent and show what comes of it; exits where there is no answer.

    words: the question or the task; ``-`` reads it from standard input. consent: makes who decides on risky calls.
    """
    with told():
        text = from_standard_input() if words == "-" else words
        job = opened()
        wanted = way.limits(job.limits)
        log_path = way.log_path
        with job.opened() as toolset, client_for(way.model) as client:
            held = capped(wanted, client, chosen(way.model))
            notices = [*job.notices, *of_the_model(client, way.model, held, sent=job.sent)]
            with (
                summed_up(),
                following(notices, lively=not way.as_json) as follower,
                read_by_tools(job.folder, follower.line.say),
            ):
                result = import_module(AGENTS[way.agent]).ask(
                    text,
                    toolset=toolset,
                    client=client,
                    model=chosen(way.model),
                    limits=held,
                    log_path=log_path,
                    on_event=follower,
                    approve=consent(toolset, follower),
                )
    show(result, follower.stopped, as_json=way.as_json, quoted=job.quoted)
    if not result.answered:
        raise typer.Exit(FAILED)


def from_standard_input() -> str:
    """All of it, whatever bytes it has."""
    return "" if sys.stdin is None else sys.stdin.buffer.read().decode(errors="replace")

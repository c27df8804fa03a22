"""``two-loops ask``: one question, one agent."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from two_loops import samples, settings
from two_loops.cli.exits import FAILED, told
from two_loops.cli.following import following
from two_loops.cli.outcome import show, summed_up
from two_loops.errors import NoCredentials, WrongUse
from two_loops.search import holds_notes
from two_loops.toolsets.notes import notes as notes_toolset
from two_loops.toolsets.toolset import Toolset
from two_loops.values.limits import Limits

if TYPE_CHECKING:
    from anthropic import Anthropic

AgentName = Literal["manual", "runner"]

AGENTS: Mapping[str, str] = {"manual": "manual_agent", "runner": "runner_agent"}
MAX_SECONDS = 120.0
MAX_COST_USD = 0.5


def ask(
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="The question, in quotes; - reads it from standard input.")
    ],
    agent: Annotated[AgentName, typer.Option(help="Which loop answers.")] = "manual",
    notes: Annotated[
        str | None, typer.Option(metavar="DIR", help="The folder of notes. [default: the sample notes]")
    ] = None,
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
    max_steps: Annotated[
        int, typer.Option(metavar="N", help="Model calls at most; one search and the answer from it take two.")
    ] = Limits().max_steps,
    max_tool_calls: Annotated[
        int | None, typer.Option(metavar="N", help="Tool calls at most. [default: no limit]")
    ] = None,
    max_total_tokens: Annotated[
        int | None, typer.Option(metavar="N", help="Tokens at most. [default: no limit]")
    ] = None,
    max_cost: Annotated[
        float | None,
        typer.Option(
            metavar="USD", help=f"US dollars at most. [default: {MAX_COST_USD} where the model has a known price]"
        ),
    ] = None,
    max_seconds: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help=f"Seconds at most. [default: {MAX_SECONDS:.0f} with a real model]"),
    ] = None,
    answer_at_limit: Annotated[
        bool, typer.Option(help="Let the last of several steps answer in place of searching on.")
    ] = Limits().answer_at_limit,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole result as JSON.")] = False,
) -> None:
    """Answer a question from a folder of notes, citing them.

    Exit code 0: answered, or honestly not in the notes. 1: no answer, a check failed, or the API did. 2: wrong use, no
    key, a rejected one, or no permission. 130: interrupted.
    """
    with told():
        text = _from_standard_input() if question == "-" else question
        toolset = _toolset(notes)
        limits = toolset.limits.replace(
            max_steps=max_steps,
            max_tool_calls=max_tool_calls,
            max_total_tokens=max_total_tokens,
            max_cost_usd=max_cost,
            max_seconds=max_seconds,
            answer_at_limit=answer_at_limit,
        )
        log_path = _log_path(log, no_log=no_log)
        with _client(model) as client:
            limits = _capped(limits, client, _chosen(model))
            with summed_up(), following(_notices(client, notes, model, limits), lively=not as_json) as follower:
                result = import_module(AGENTS[agent]).ask(
                    text,
                    toolset=toolset,
                    client=client,
                    model=_chosen(model),
                    limits=limits,
                    log_path=log_path,
                    on_event=follower,
                )
    show(result, follower.stopped, as_json=as_json)
    if not result.answered:
        raise typer.Exit(FAILED)


def _from_standard_input() -> str:
    return "" if sys.stdin is None else sys.stdin.buffer.read().decode(errors="replace")


def _toolset(folder: str | None) -> Toolset:
    if folder is None:
        return notes_toolset(samples.NOTES)
    toolset = notes_toolset(folder)
    if not holds_notes(folder):
        raise WrongUse(f"there is no .txt or .md note to read in {folder}")
    return toolset


def _log_path(log: str | None, *, no_log: bool) -> str | None:
    if no_log and log is not None:
        raise WrongUse("give one of --log and --no-log, not both")
    return None if no_log else settings.LOG_PATH if log is None else log


def _chosen(model: str | None) -> str:
    return settings.MODEL if model is None else model


@contextmanager
def _client(model: str | None) -> "Iterator[Anthropic]":
    """The offline model where it was asked for, or where nothing else can be reached; else the SDK's own client."""
    from two_loops.run.clients import built, require_credentials
    from two_loops.run.opening import require_name
    from two_loops.stand_ins import offline_client

    require_name(_chosen(model))
    with built(_chosen(model)) as client:
        if model is None and settings.base_url() is None and _is_bare(client):
            with offline_client() as stand_in:
                yield stand_in
            return
        try:
            require_credentials(client)
        except NoCredentials:
            raise NoCredentials(_no_key()) from None
        yield client


def _no_key() -> str:
    free = "" if settings.base_url() is None else " (to any text for a server that asks for no key)"
    return f"no credentials: set ANTHROPIC_API_KEY{free}, or use --model offline"


def _is_bare(client: "Anthropic") -> bool:
    return client.api_key is None and client.auth_token is None and client.credentials is None


def _capped(limits: Limits, client: "Anthropic", model: str) -> Limits:
    """The limits, with our own for a real model's money and time."""
    from two_loops.prices import prices_for
    from two_loops.stand_ins.clients import is_offline

    if is_offline(client):
        return limits
    limits = limits.replace(max_seconds=limits.max_seconds or MAX_SECONDS)
    return limits if prices_for(model) is None else limits.replace(max_cost_usd=limits.max_cost_usd or MAX_COST_USD)


def _notices(client: "Anthropic", folder: str | None, model: str | None, limits: Limits) -> list[str]:
    """What the asker has to know before anything is sent: who answers from which notes, and an unknown cost."""
    from two_loops.stand_ins.clients import is_offline

    notices = [] if folder else ["Answering from the sample notes; give your own folder with --notes."]
    if is_offline(client):
        return notices if model else [*notices, "There is no key, so the offline model answers."]
    notices.append(f"Snippets from {folder or 'the sample notes'} go to {client.base_url.host}.")
    if limits.max_cost_usd is None:
        notices.append(f"No price is known for {_chosen(model)}: the cost is unknown and not capped.")
    return notices

"""``two-loops ask``: one question, one agent."""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from two_loops import samples, settings
from two_loops.cli.exits import FAILED, told
from two_loops.cli.progress import progress
from two_loops.cli.screen import cut, say
from two_loops.errors import WrongUse
from two_loops.search import holds_notes
from two_loops.toolsets.notes import notes as notes_toolset
from two_loops.toolsets.toolset import Toolset
from two_loops.values.limits import Limits
from two_loops.values.result import Result

if TYPE_CHECKING:
    from anthropic import Anthropic

AGENTS = {"manual": "manual_agent", "runner": "runner_agent"}
MAX_SECONDS = 120.0
MAX_COST_USD = 0.5
MOST_TRIED = 20  # calls that are listed where there is no answer


def ask(
    question: Annotated[str, typer.Argument(help="The question; - reads it from standard input.")],
    agent: Annotated[Literal["manual", "runner"], typer.Option(help="Which loop answers.")] = "manual",
    notes: Annotated[str | None, typer.Option(help="The folder of notes. [default: the sample notes]")] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help=f"A model's name, or 'offline'. [default: {settings.MODEL}; offline where there is neither a key "
            "nor ANTHROPIC_BASE_URL]"
        ),
    ] = None,
    log: Annotated[str, typer.Option(help="The log to append to.")] = settings.LOG_PATH,
    no_log: Annotated[bool, typer.Option("--no-log", help="Write no log.")] = False,
    max_steps: Annotated[int, typer.Option(help="Model calls at most.")] = Limits().max_steps,
    max_tool_calls: Annotated[int | None, typer.Option(help="Tool calls at most. [default: no limit]")] = None,
    max_total_tokens: Annotated[int | None, typer.Option(help="Tokens at most. [default: no limit]")] = None,
    max_cost: Annotated[
        float | None,
        typer.Option(help=f"US dollars at most. [default: {MAX_COST_USD} where the model has a known price]"),
    ] = None,
    max_seconds: Annotated[
        float | None, typer.Option(help=f"Seconds at most. [default: {MAX_SECONDS:.0f} with a real model]")
    ] = None,
    answer_at_limit: Annotated[
        bool, typer.Option(help="Let the last step answer in place of searching on.")
    ] = Limits().answer_at_limit,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole result as JSON.")] = False,
) -> None:
    """Answer a question from a folder of notes, citing them.

    Exit code 0: answered, or honestly not in the notes. 1: no answer, a check failed, or the API did. 2: wrong use, no
    key or a rejected one. 130: interrupted.
    """
    with told():
        text = _from_standard_input() if question == "-" else question
        toolset = _toolset(notes)
        named = {
            "max_steps": max_steps,
            "max_tool_calls": max_tool_calls,
            "max_total_tokens": max_total_tokens,
            "max_cost_usd": max_cost,
            "max_seconds": max_seconds,
            "answer_at_limit": answer_at_limit,
        }
        chosen = settings.MODEL if model is None else model
        with _client(model) as client:
            limits = _limits(client, chosen, notes, toolset.limits.replace(**named))
            with progress(wanted=not as_json) as on_event:
                result = import_module(AGENTS[agent]).ask(
                    text,
                    toolset=toolset,
                    client=client,
                    model=chosen,
                    limits=limits,
                    log_path=None if no_log else log,
                    on_event=on_event,
                )
    _show(result, as_json)
    if not result.answered:
        raise typer.Exit(FAILED)


def _from_standard_input() -> str:
    return "" if sys.stdin is None else sys.stdin.buffer.read().decode(errors="replace")


def _toolset(folder: str | None) -> Toolset:
    if folder is None:
        say("Answering from the sample notes; give your own folder with --notes.", error=True)
        return notes_toolset(samples.NOTES)
    toolset = notes_toolset(folder)
    if not holds_notes(folder):
        raise WrongUse(f"there is no .txt or .md note to read in {folder}")
    return toolset


def _client(model: str | None) -> "Anthropic":
    """The offline model where it was asked for, or where nothing else can be reached; else the SDK's own client."""
    from two_loops.run.opening import built, require_credentials
    from two_loops.stand_ins import offline_client
    from two_loops.stand_ins.clients import is_offline

    client = built(settings.MODEL if model is None else model)
    if is_offline(client):
        return client
    bare = client.api_key is None and client.auth_token is None and client.credentials is None
    if bare and model is None and settings.base_url() is None:
        client.close()
        say("There is no key, so the offline model answers.", error=True)
        return offline_client()
    require_credentials(client)
    return client


def _limits(client: "Anthropic", model: str, folder: str | None, limits: Limits) -> Limits:
    """The limits, with our own for a real model's money and time; and a word on where the notes go."""
    from two_loops.prices import prices_for
    from two_loops.stand_ins.clients import is_offline

    if is_offline(client):
        return limits
    say(f"Snippets from {folder or 'the sample notes'} go to {client.base_url.host}.", error=True)
    limits = limits.replace(max_seconds=limits.max_seconds or MAX_SECONDS)
    if limits.max_cost_usd is None and prices_for(model) is None:
        say(f"No price is known for {model}: the cost is unknown and not capped.", error=True)
        return limits
    return limits.replace(max_cost_usd=limits.max_cost_usd or MAX_COST_USD)


def _show(result: Result, as_json: bool) -> None:
    if as_json:
        typer.echo(result.model_dump_json(indent=2))
        return
    if result.answer is not None:
        say(result.answer)
    say(_summary(result), error=True, style="dim")
    for line in [*result.warnings, *_tried(result)]:
        say(cut(line), error=True)


def _summary(result: Result) -> str:
    cost = "cost unknown" if result.cost_usd is None else f"${result.cost_usd:.6f}"
    model = "offline (no language model: it quotes what it finds)" if result.model == settings.OFFLINE else result.model
    tokens = f"{result.tokens_in} + {result.tokens_out} tokens"
    return f"{result.status}: {result.agent} agent, {model}, {result.steps} steps, {tokens}, {cost}"


def _tried(result: Result) -> list[str]:
    """What the run did, where it brought no answer."""
    if result.answered:
        return []
    calls = result.tool_calls[:MOST_TRIED]
    tried = [f"tried: {_call(call.tool, call.input)} -> {', '.join(call.files_found) or 'nothing'}" for call in calls]
    left = len(result.tool_calls) - len(calls)
    return [*(tried or ["tried: no call was answered"]), *([f"… and {left} calls more"] if left else [])]


def _call(tool: str, given: Any) -> str:
    shown = ", ".join(str(value) for value in given.values()) if isinstance(given, dict) else str(given)
    return f"{cut(tool, 60)}({cut(shown, 200)})"

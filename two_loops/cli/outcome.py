"""What is said of a result: the answer on standard output, everything about it on standard error."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer
from pydantic_core import to_json

from two_loops import settings
from two_loops.cli.screen import SHORT_ID, arguments, cut, say
from two_loops.text import visible
from two_loops.values.events import GuardActed
from two_loops.values.result import Result
from two_loops.wording import counted, dollars

MOST_TRIED = 20  # calls that are listed where there is no answer


def show(result: Result, stopped: GuardActed | None, *, as_json: bool, quoted: bool = True) -> None:
    """Print a result. stopped: the guard that ended the run, if one did. quoted: say what of it nothing showed."""
    if as_json:
        evidence = [backing.model_dump() for backing in result.evidence]
        typer.echo(to_json(result.model_dump() | {"evidence": evidence}, indent=2).decode())
        _say_all(_why(result, stopped))
        return
    if result.answer is not None:
        say(result.answer)
    _sum_up(result)
    _say_all([*_why(result, stopped), *(_unsupported(result) if quoted else []), *result.warnings, *_tried(result)])


@contextmanager
def summed_up() -> Iterator[None]:
    """Say of a run that ends in an exception how far it came; the exception passes through."""
    try:
        yield
    except BaseException as error:
        partial = getattr(error, "partial", None)
        if isinstance(partial, Result):
            _sum_up(partial)
        raise


def _sum_up(result: Result) -> None:
    say(_summary(result), error=True, style="dim")


def _say_all(lines: list[str]) -> None:
    for line in lines:
        say(visible(cut(line)), error=True)


def _summary(result: Result) -> str:
    tokens = f"{result.tokens_in} + {counted(result.tokens_out, 'token')}"
    spent = f"{counted(result.steps, 'step')}, {tokens}, {dollars(result.cost_usd)}"
    return f"{result.status}: {result.agent} agent, {named(result.model)}, {spent}, run {result.run_id[:SHORT_ID]}"


def named(model: str) -> str:
    """The model's name, with a word about the one that is none."""
    return "offline (no language model: it quotes what it finds)" if model == settings.OFFLINE else model


def _why(result: Result, stopped: GuardActed | None) -> list[str]:
    """Why there is no answer: in the words of the guard that ended the run, or else of the server."""
    if result.answered:
        return []
    if stopped is None:
        return [f"why: the last reply stopped with {result.stop_reason}"]
    return [f"why: {stopped.why}{f': {stopped.detail}' if stopped.detail else ''}"]


def _unsupported(result: Result) -> list[str]:
    """What of the answer stands in nothing that the run's tools showed: it may still be right, as a sum is."""
    texts = result.unsupported if result.answered else []
    return [f"unsupported: nothing that was found holds {', '.join(texts)}"] if texts else []


def _tried(result: Result) -> list[str]:
    """What the run did, where it brought no answer."""
    if result.answered:
        return []
    calls = result.tool_calls[:MOST_TRIED]
    tried = [f"tried: {_call(call.tool, call.input)} -> {', '.join(call.files_found) or 'nothing'}" for call in calls]
    left = len(result.tool_calls) - len(calls)
    return [*(tried or ["tried: no call was answered"]), *([f"… and {counted(left, 'more call')}"] if left else [])]


def _call(tool: str, given: Any) -> str:
    return f"{cut(tool, 60)}({cut(arguments(given), 200)})"

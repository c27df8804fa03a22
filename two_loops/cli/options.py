"""Options that several commands have."""

import inspect
from collections.abc import Callable
from functools import wraps
from itertools import chain
from typing import Annotated, Any

import typer

from two_loops.values.limits import Limits

MAX_SECONDS = 120.0
MAX_COST_USD = 0.5

Limited = Callable[[Limits], Limits]

Notes = Annotated[str | None, typer.Option(metavar="DIR", help="The folder of notes. [default: the sample notes]")]


def limited(
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
) -> Limited:
    """What these options make of the limits of a toolset."""
    return lambda limits: limits.replace(
        max_steps=max_steps,
        max_tool_calls=max_tool_calls,
        max_total_tokens=max_total_tokens,
        max_cost_usd=max_cost,
        max_seconds=max_seconds,
        answer_at_limit=answer_at_limit,
    )


def with_limits(command: Callable[..., None]) -> Callable[..., None]:
    """The command with an option for each limit in place of its parameter ``limits``, which is a ``Limited``."""
    options = inspect.signature(limited).parameters

    @wraps(command)
    def asked(*arguments: Any, **given: Any) -> None:
        chosen = {name: given.pop(name) for name in options if name in given}
        command(*arguments, **given, limits=limited(**chosen))

    own = inspect.signature(command)
    added = [parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in options.values()]
    whole = [added if name == "limits" else [parameter] for name, parameter in own.parameters.items()]
    asked.__signature__ = own.replace(parameters=list(chain(*whole)))  # type: ignore[attr-defined]  # what typer reads
    return asked

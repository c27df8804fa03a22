"""Options that several commands have."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Annotated, Any, Literal, get_args

import typer

from two_loops import settings
from two_loops.errors import WrongUse
from two_loops.toolsets.workspace import MAX_STEPS
from two_loops.values.limits import Limits

MAX_SECONDS = 120.0
MAX_COST_USD = 0.5

AgentName = Literal["manual", "runner"]

AGENTS: Mapping[str, str] = {"manual": "manual_agent", "runner": "runner_agent"}

Notes = Annotated[str | None, typer.Option(metavar="DIR", help="The folder of notes. [default: the sample notes]")]
Model = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help=f"A model's name, or 'offline'. [default: {settings.MODEL}; offline where there is neither a key nor "
        "ANTHROPIC_BASE_URL]",
    ),
]
Yes = Annotated[
    list[str], typer.Option("--yes", metavar="TOOL", help="A tool that may run without a question; once for each tool.")
]


@dataclass(frozen=True)
class Group:
    """Marks a parameter of a command that stands for several options: those that ``made`` takes, which makes it."""

    made: Callable[..., Any]


def grouped(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command with the options themselves in place of each parameter that is marked with a ``Group``."""
    own = inspect.signature(command)
    groups = {name: group for name, parameter in own.parameters.items() if (group := _group(parameter))}

    @wraps(command)
    def asked(*arguments: Any, **given: Any) -> Any:
        made = {name: group(**_taken(group, given)) for name, group in groups.items()}
        return command(*arguments, **given, **made)

    whole = [option for parameter in own.parameters.values() for option in _options(parameter)]
    asked.__signature__ = own.replace(parameters=whole)  # type: ignore[attr-defined]  # what typer reads
    return asked


def _group(parameter: inspect.Parameter) -> Callable[..., Any] | None:
    return next((mark.made for mark in get_args(parameter.annotation) if isinstance(mark, Group)), None)


def _taken(group: Callable[..., Any], given: dict[str, Any]) -> dict[str, Any]:
    """The options of the group, taken out of all that were given."""
    return {name: given.pop(name) for name in inspect.signature(group).parameters if name in given}


def _options(parameter: inspect.Parameter) -> Iterator[inspect.Parameter]:
    group = _group(parameter)
    options = inspect.signature(group).parameters.values() if group else [parameter]
    return (option.replace(kind=inspect.Parameter.KEYWORD_ONLY) if group else option for option in options)


def limited(
    max_steps: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Model calls at most; one search and the answer from it take two. "
            f"[default: {Limits().max_steps}, in a workspace {MAX_STEPS}]",
        ),
    ] = None,
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
    parallel_tools: Annotated[
        int, typer.Option(metavar="N", help="Read-only calls of one reply that may run at the same time.")
    ] = Limits().parallel_tools,
    answer_at_limit: Annotated[
        bool, typer.Option(help="Let the last of several steps answer in place of calling tools.")
    ] = Limits().answer_at_limit,
) -> Callable[[Limits], Limits]:
    """What these options make of the limits of a toolset."""
    return lambda limits: limits.replace(
        max_steps=limits.max_steps if max_steps is None else max_steps,
        max_tool_calls=max_tool_calls,
        max_total_tokens=max_total_tokens,
        max_cost_usd=max_cost,
        max_seconds=max_seconds,
        parallel_tools=parallel_tools,
        answer_at_limit=answer_at_limit,
    )


Limited = Annotated[Callable[[Limits], Limits], Group(limited)]


@dataclass(frozen=True)
class Way:
    """How one question is asked of one agent.

    limits: what the options make of the limits of a toolset.
    """

    agent: str
    model: str | None
    log: str | None
    no_log: bool
    limits: Callable[[Limits], Limits]
    as_json: bool

    @property
    def log_path(self) -> str | None:
        """The log to append to, None for no log. Raises WrongUse where both were asked for."""
        if self.no_log and self.log is not None:
            raise WrongUse("give one of --log and --no-log, not both")
        return None if self.no_log else settings.LOG_PATH if self.log is None else self.log


@grouped
def way(
    agent: Annotated[AgentName, typer.Option(help="Which loop answers.")] = "manual",
    model: Model = None,
    log: Annotated[
        str | None, typer.Option(metavar="FILE", help=f"The log to append to. [default: {settings.LOG_PATH}]")
    ] = None,
    no_log: Annotated[bool, typer.Option("--no-log", help="Write no log.")] = False,
    *,
    limits: Limited,
    as_json: Annotated[bool, typer.Option("--json", help="Print the whole result as JSON.")] = False,
) -> Way:
    """What these options make of a question."""
    return Way(agent, model, log, no_log, limits, as_json)


Asked = Annotated[Way, Group(way)]

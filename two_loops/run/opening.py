"""Before a run: everything that a caller of ``ask`` can get wrong is checked."""

import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from two_loops.errors import WrongUse
from two_loops.guards.approval import ApproveAsync
from two_loops.prices import prices_for
from two_loops.run.clients import require_credentials
from two_loops.run.reporter import OnEvent
from two_loops.stand_ins import is_offline
from two_loops.text import well_formed
from two_loops.toolsets.notes import notes
from two_loops.toolsets.toolset import Toolset
from two_loops.values.limits import Limits, require_count

StrPath = str | os.PathLike[str]
LONGEST_UNSTREAMED = 21_333  # tokens; above, the SDK wants a time-out that was chosen on purpose


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a run will do, checked."""

    question: str
    toolset: Toolset
    model: str
    max_tokens: int
    limits: Limits
    log_path: StrPath | None
    log_content: bool
    on_event: OnEvent | None
    approve: ApproveAsync | None
    stream: bool


def planned(
    question: str,
    *,
    notes_dir: StrPath | None,
    toolset: Toolset | None,
    model: str,
    max_tokens: int | None,
    limits: Limits | None,
    log_path: StrPath | None,
    log_content: bool,
    on_event: OnEvent | None,
    approve: ApproveAsync | None,
    stream: bool,
) -> Plan:
    """The plan for these arguments. Raises WrongUse where they can't work."""
    if not isinstance(question, str) or not question.strip():
        raise WrongUse("the question is empty")
    chosen = _toolset(notes_dir, toolset)
    _check_types(model, max_tokens, limits, stream)
    _check_callables(approve=approve, on_event=on_event)
    return Plan(
        question=well_formed(question),
        toolset=chosen,
        model=model,
        max_tokens=max_tokens or chosen.max_tokens,
        limits=limits or chosen.limits,
        log_path=log_path,
        log_content=log_content,
        on_event=on_event,
        approve=approve,
        stream=stream,
    )


def _toolset(notes_dir: StrPath | None, toolset: Toolset | None) -> Toolset:
    if (notes_dir is None) == (toolset is None):
        raise WrongUse("give exactly one of notes_dir and toolset")
    if toolset is None:
        if not isinstance(notes_dir, (str, os.PathLike)):
            raise WrongUse(f"notes_dir must be a path, not {type(notes_dir).__name__}")
        return notes(os.fspath(notes_dir))
    if not isinstance(toolset, Toolset):
        raise WrongUse(f"toolset must be a Toolset, not {type(toolset).__name__}")
    return toolset


def _check_types(model: object, max_tokens: object, limits: object, stream: object) -> None:
    require_name(model)
    if max_tokens is not None:
        require_count("max_tokens", max_tokens)
    if limits is not None and not isinstance(limits, Limits):
        raise WrongUse(f"limits must be a Limits, not {type(limits).__name__}")
    if not isinstance(stream, bool):
        raise WrongUse(f"stream must be True or False, not {stream!r}")


def require_name(model: object) -> None:
    """Raise WrongUse unless it can be the name of a model."""
    if not isinstance(model, str) or not model.strip():
        raise WrongUse("model is empty: the model has no name")
    if well_formed(model) != model:
        raise WrongUse("model can't be sent: its name holds characters that no request can carry")


def _check_callables(*, approve: Callable[..., Any] | None, on_event: Callable[..., Any] | None) -> None:
    for name, given, of_what in (("approve", approve, "call"), ("on_event", on_event, "event")):
        if given is not None and not callable(given):
            raise WrongUse(f"{name} must be a function of one {of_what}, not {type(given).__name__}")
    if on_event is not None and any(map(inspect.iscoroutinefunction, (on_event, type(on_event).__call__))):
        raise WrongUse("on_event must be a plain function: nobody would wait for a coroutine")


def check_client(plan: Plan, client: Any) -> None:
    """Raise WrongUse where the client can't do what is planned."""
    import anthropic

    require_credentials(client)
    unhurried = plan.stream or getattr(client, "timeout", None) != anthropic.DEFAULT_TIMEOUT
    if plan.max_tokens > LONGEST_UNSTREAMED and not unhurried:
        longer = "stream=True, or a client with a timeout of its own: Anthropic(timeout=900)"
        raise WrongUse(f"max_tokens over {LONGEST_UNSTREAMED} takes {longer}")
    if plan.limits.max_cost_usd is not None and prices_for(plan.model) is None and not is_offline(client):
        raise WrongUse(f"max_cost_usd can't be kept: no price is known for the model {plan.model!r}")

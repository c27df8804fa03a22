"""Before a run: the arguments of ``ask`` checked, and the client found or built."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from two_loops import settings
from two_loops.errors import NoCredentials, WrongUse
from two_loops.guards.approval import Approve
from two_loops.prices import prices_for
from two_loops.text import well_formed
from two_loops.toolsets.notes import notes
from two_loops.toolsets.toolset import Toolset
from two_loops.values.limits import Limits

if TYPE_CHECKING:
    from anthropic import Anthropic

LONGEST_UNSTREAMED = 21_333  # tokens; above, the SDK wants a time-out that was chosen on purpose


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a run will do, checked. free: the model is the offline one, which costs nothing."""

    question: str
    toolset: Toolset
    client: "Anthropic"
    model: str
    free: bool
    max_tokens: int
    limits: Limits
    approve: Approve | None


@contextmanager
def planned(
    question: str,
    *,
    notes_dir: str | os.PathLike[str] | None,
    toolset: Toolset | None,
    client: "Anthropic | None",
    model: str,
    max_tokens: int | None,
    limits: Limits | None,
    approve: Approve | None,
    on_event: object,
) -> Iterator[Plan]:
    """Check everything that a caller can get wrong, raising WrongUse, and close at the end the client built here."""
    if not isinstance(question, str) or not question.strip():
        raise WrongUse("the question is empty")
    chosen = _toolset(notes_dir, toolset)
    _check_types(model, max_tokens, limits)
    _check_callables(approve=approve, on_event=on_event)
    connection = _built(model) if client is None else client
    try:
        plan = Plan(
            question=well_formed(question),
            toolset=chosen,
            client=connection,
            model=settings.OFFLINE if _is_free(connection) else model,
            free=_is_free(connection),
            max_tokens=max_tokens or chosen.max_tokens,
            limits=limits or chosen.limits,
            approve=approve,
        )
        _check_client(plan)
        yield plan
    finally:
        if client is None:
            connection.close()


def _toolset(notes_dir: str | os.PathLike[str] | None, toolset: Toolset | None) -> Toolset:
    if (notes_dir is None) == (toolset is None):
        raise WrongUse("give exactly one of notes_dir and toolset")
    if toolset is None:
        assert notes_dir is not None
        return notes(os.fspath(notes_dir))
    if not isinstance(toolset, Toolset):
        raise WrongUse(f"toolset must be a Toolset, not {type(toolset).__name__}")
    return toolset


def _check_types(model: object, max_tokens: object, limits: object) -> None:
    if not isinstance(model, str) or not model.strip():
        raise WrongUse("the model has no name")
    if max_tokens is not None and (not isinstance(max_tokens, int) or isinstance(max_tokens, bool) or max_tokens < 1):
        raise WrongUse(f"max_tokens must be a whole number of 1 or more, not {max_tokens!r}")
    if limits is not None and not isinstance(limits, Limits):
        raise WrongUse(f"limits must be a Limits, not {type(limits).__name__}")


def _check_callables(*, approve: object, on_event: object) -> None:
    for name, given, of_what in (("approve", approve, "call"), ("on_event", on_event, "event")):
        if given is not None and not callable(given):
            raise WrongUse(f"{name} must be a function of one {of_what}, not {type(given).__name__}")


def _built(model: str) -> "Anthropic":
    if model == settings.OFFLINE:
        from two_loops.stand_ins.clients import OfflineClient

        return OfflineClient()
    from anthropic import Anthropic, AnthropicError

    try:
        return Anthropic(timeout=settings.TIMEOUT)
    except AnthropicError as error:
        raise NoCredentials(str(error)) from error


def _is_free(client: Any) -> bool:
    from two_loops.stand_ins.clients import is_offline

    return is_offline(client)


def _check_client(plan: Plan) -> None:
    import anthropic

    client = plan.client
    if isinstance(client, anthropic.AsyncAnthropic):
        raise WrongUse("ask() needs an Anthropic client, not an asynchronous one")
    if type(client) is anthropic.Anthropic and not _has_credentials(client):
        raise NoCredentials("no credentials: set ANTHROPIC_API_KEY, or give a client that has a key of its own")
    if plan.max_tokens > LONGEST_UNSTREAMED and client.timeout == anthropic.DEFAULT_TIMEOUT:
        told = f"max_tokens over {LONGEST_UNSTREAMED} takes a client with a timeout of its own: Anthropic(timeout=900)"
        raise WrongUse(told)
    if plan.limits.max_cost_usd is not None and not plan.free and prices_for(plan.model) is None:
        raise WrongUse(f"max_cost_usd can't be kept: no price is known for the model {plan.model!r}")


def _has_credentials(client: "Anthropic") -> bool:
    sent = {name.lower() for name, value in client.default_headers.items() if isinstance(value, str) and value}
    return client.credentials is not None or not sent.isdisjoint({"authorization", "x-api-key"})

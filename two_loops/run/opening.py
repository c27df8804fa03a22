"""Before a run: the arguments of ``ask`` checked, and the client found or built."""

import inspect
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Any

from two_loops import settings
from two_loops.errors import NoCredentials, WrongUse
from two_loops.guards.approval import Approve
from two_loops.prices import prices_for
from two_loops.run.waiting import refuse_long_waits
from two_loops.text import well_formed
from two_loops.toolsets.notes import notes
from two_loops.toolsets.toolset import Toolset
from two_loops.values.limits import Limits, require_count

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
    _check_client_type(client)
    _check_callables(approve=approve, on_event=on_event)
    connection = built(model) if client is None else client
    try:
        free = _is_free(connection)
        plan = Plan(
            question=well_formed(question),
            toolset=chosen,
            client=connection,
            model=settings.OFFLINE if free else model,
            free=free,
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
        if not isinstance(notes_dir, (str, os.PathLike)):
            raise WrongUse(f"notes_dir must be a path, not {type(notes_dir).__name__}")
        return notes(os.fspath(notes_dir))
    if not isinstance(toolset, Toolset):
        raise WrongUse(f"toolset must be a Toolset, not {type(toolset).__name__}")
    return toolset


def _check_types(model: object, max_tokens: object, limits: object) -> None:
    require_name(model)
    if max_tokens is not None:
        require_count("max_tokens", max_tokens)
    if limits is not None and not isinstance(limits, Limits):
        raise WrongUse(f"limits must be a Limits, not {type(limits).__name__}")


def require_name(model: object) -> None:
    """Raise WrongUse unless it can be the name of a model."""
    if not isinstance(model, str) or not model.strip():
        raise WrongUse("model is empty: the model has no name")
    if well_formed(model) != model:
        raise WrongUse("model can't be sent: its name holds characters that no request can carry")


def _check_callables(*, approve: object, on_event: object) -> None:
    for name, given, of_what in (("approve", approve, "call"), ("on_event", on_event, "event")):
        if given is not None and not callable(given):
            raise WrongUse(f"{name} must be a function of one {of_what}, not {type(given).__name__}")
    if inspect.iscoroutinefunction(on_event):
        raise WrongUse("on_event must be a plain function: nobody would wait for a coroutine")


def built(model: str) -> "Anthropic":
    """The offline model's client for its name, else the SDK's own. Raises WrongUse where there can be none."""
    if model == settings.OFFLINE:
        from two_loops.stand_ins.clients import OfflineClient

        return OfflineClient()
    from anthropic import Anthropic, AnthropicError, DefaultHttpxClient

    try:
        waits = DefaultHttpxClient(event_hooks={"response": [refuse_long_waits]})
        client = Anthropic(timeout=settings.TIMEOUT, http_client=waits)
    except AnthropicError as error:
        raise NoCredentials(str(error)) from error
    except Exception as error:  # the environment can hold anything: a server's address that is none, say
        raise WrongUse(f"no client can be built: {error}") from error
    if client.base_url.scheme not in ("http", "https") or not client.base_url.host:
        client.close()
        raise WrongUse("ANTHROPIC_BASE_URL must be the address of a server, like http://localhost:8000, or not be set")
    return client


def _is_free(client: Any) -> bool:
    from two_loops.stand_ins.clients import is_offline

    return is_offline(client)


def _check_client_type(client: object) -> None:
    """Let through the SDK's clients of every kind of server, and whatever behaves like one."""
    import anthropic

    if client is None:
        return
    if isinstance(client, anthropic.AsyncAnthropic):
        raise WrongUse("ask() needs an Anthropic client, not an asynchronous one")
    calls = ("messages.create", "beta.messages.tool_runner")
    if isinstance(client, type) or not all(callable(_found(client, path)) for path in calls):
        raise WrongUse(f"client must be an anthropic.Anthropic(), not {client!r}")


def _found(value: object, path: str) -> object:
    return reduce(lambda found, name: getattr(found, name, None), path.split("."), value)


def _check_client(plan: Plan) -> None:
    import anthropic

    client = plan.client
    require_credentials(client)
    if plan.max_tokens > LONGEST_UNSTREAMED and getattr(client, "timeout", None) == anthropic.DEFAULT_TIMEOUT:
        told = f"max_tokens over {LONGEST_UNSTREAMED} takes a client with a timeout of its own: Anthropic(timeout=900)"
        raise WrongUse(told)
    if plan.limits.max_cost_usd is not None and not plan.free and prices_for(plan.model) is None:
        raise WrongUse(f"max_cost_usd can't be kept: no price is known for the model {plan.model!r}")


def require_credentials(client: "Anthropic") -> None:
    """Raise NoCredentials for a client of the vendor's own API that has nothing to show; others sign in their way."""
    import anthropic

    if type(client) is not anthropic.Anthropic or client.api_key or client.auth_token or client.credentials:
        return
    if not secrets(client):
        raise NoCredentials("no credentials: set ANTHROPIC_API_KEY, or give a client that has a key of its own")


def secrets(client: Any) -> list[str]:
    """The keys and tokens that the client sends."""
    named = getattr(client, "default_headers", {})
    headers = {name.lower(): value for name, value in named.items() if isinstance(value, str)}
    sent = [headers.get("x-api-key", ""), headers.get("authorization", "").removeprefix("Bearer ")]
    held = [getattr(client, name, None) for name in ("api_key", "auth_token")]
    return [secret for secret in [*sent, *held] if isinstance(secret, str) and secret]

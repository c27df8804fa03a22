"""What a command needs before it asks: a client, limits, and what the asker has to know."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from two_loops import settings
from two_loops.cli.options import MAX_COST_USD, MAX_SECONDS
from two_loops.errors import NoCredentials
from two_loops.stand_ins import is_offline, offline_client
from two_loops.values.limits import Limits

if TYPE_CHECKING:
    from anthropic import Anthropic


def chosen(model: str | None) -> str:
    """The model's name, by default that of the settings."""
    return settings.MODEL if model is None else model


@contextmanager
def client_for(model: str | None) -> "Iterator[Anthropic]":
    """The offline model where it was asked for, or where nothing else can be reached; else the SDK's own client."""
    from two_loops.run.clients import built, require_credentials
    from two_loops.run.opening import require_name

    require_name(chosen(model))
    with built(chosen(model)) as client:
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


def capped(limits: Limits, client: "Anthropic", model: str) -> Limits:
    """The limits, with our own for a real model's money and time."""
    from two_loops.prices import prices_for

    if is_offline(client):
        return limits
    limits = limits.replace(max_seconds=limits.max_seconds or MAX_SECONDS)
    return limits if prices_for(model) is None else limits.replace(max_cost_usd=limits.max_cost_usd or MAX_COST_USD)


def of_the_model(client: "Anthropic", model: str | None, limits: Limits, *, sent: str) -> list[str]:
    """What the asker has to know of the model: that it is none, or where what is ``sent`` goes, and an unknown cost."""
    if is_offline(client):
        return [] if model else ["There is no key, so the offline model answers."]
    unpriced = f"No price is known for {chosen(model)}: the cost is unknown and not capped."
    return [f"{sent} go to {client.base_url.host}.", *([unpriced] if limits.max_cost_usd is None else [])]

"""Every way to ask, through a real client whose requests go to a real server."""

from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any

import httpx2
from anthropic import Anthropic, AsyncAnthropic, DefaultAsyncHttpxClient, DefaultHttpxClient

from tests.both.ways import Way
from two_loops import Result

Timeout = float | httpx2.Timeout

# To load the certificates of the world takes longer than a run, and a proxy would hide the server.
NO_TLS: Mapping[str, Any] = {"verify": False, "trust_env": False}


def ask(way: Way, question: str, *, base_url: str, max_retries: int, timeout: Timeout, **options: Any) -> Result:
    """Ask in one way with a client of its own; ``options`` are those of an agent's ``ask``."""
    named: dict[str, Any] = {"base_url": base_url, "max_retries": max_retries, "timeout": timeout}
    connection = client(waits=way.waits, **named)
    with nullcontext() if way.waits else connection:  # a way that waits closes its client on its event loop
        return way(question, client=connection, **options)


def client(*, waits: bool, **options: Any) -> Any:
    """The SDK's client, blocking or for an event loop."""
    if waits:
        return AsyncAnthropic(api_key="none", http_client=DefaultAsyncHttpxClient(**NO_TLS), **options)
    return Anthropic(api_key="none", http_client=DefaultHttpxClient(**NO_TLS), **options)

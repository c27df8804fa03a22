"""Every way to ask: each agent, through a real client whose requests go to a real server."""

from collections.abc import Callable, Mapping
from typing import Any

import httpx2
from anthropic import Anthropic, DefaultHttpxClient

import manual_agent
import runner_agent
from two_loops import Result

Way = Callable[..., Result]
Timeout = float | httpx2.Timeout


def sync_way(ask: Callable[..., Result], **always: Any) -> Way:
    """A way with the SDK's own client; ``always`` are options of ``ask``."""

    def way(question: str, *, base_url: str, max_retries: int, timeout: Timeout, **options: Any) -> Result:
        with Anthropic(
            api_key="none",
            base_url=base_url,
            max_retries=max_retries,
            timeout=timeout,
            http_client=DefaultHttpxClient(**NO_TLS),
        ) as client:
            return ask(question, client=client, **always, **options)

    return way


# To load the certificates of the world takes longer than a run, and a proxy would hide the server.
NO_TLS: Mapping[str, Any] = {"verify": False, "trust_env": False}

WAYS: Mapping[str, Way] = {
    "manual sync": sync_way(manual_agent.ask),
    "runner sync": sync_way(runner_agent.ask),
}


def is_streamed(way: str) -> bool:
    """Whether the way asks for its replies as streams."""
    return "stream" in way

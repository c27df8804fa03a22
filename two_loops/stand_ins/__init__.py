"""Stand-ins for the model, below the real SDK: a scripted one for tests, and an offline one that needs no key."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from two_loops.stand_ins.clients import AsyncOfflineClient, AsyncScriptedClient, OfflineClient, ScriptedClient


def offline_client(**options: Any) -> "OfflineClient":
    """An SDK client whose model is a deterministic stand-in: it searches, quotes and cites, and it costs nothing.

    ``options`` are those of ``anthropic.Anthropic``, and ``on_request``, which is given the JSON body of each request.
    """
    from two_loops.stand_ins.clients import OfflineClient

    return OfflineClient(**options)


def async_offline_client(**options: Any) -> "AsyncOfflineClient":
    """The same for ``ask_async``; ``options`` are those of ``anthropic.AsyncAnthropic``, and ``on_request``."""
    from two_loops.stand_ins.clients import AsyncOfflineClient

    return AsyncOfflineClient(**options)


def is_offline(client: object) -> bool:
    """Whether the client's requests go to the offline model, which costs nothing, and nowhere else."""
    from two_loops.stand_ins import clients

    return clients.is_offline(client)


def scripted_client(replies: Iterable[Any], **options: Any) -> "ScriptedClient":
    """An SDK client that replays replies, one a request; its ``requests`` holds the JSON body of each request.

    A reply is a message as a dict (see ``two_loops.stand_ins.script`` for short ways to write one), an
    ``httpx2.Response``, an exception to raise in the transport, or a function from the request's body to any of these.
    A message is sent as a stream where the request asks for one. A request beyond the last reply gets status 400.
    ``options`` are those of ``anthropic.Anthropic``, and ``on_request``, which is given each body as it comes.
    """
    from two_loops.stand_ins.clients import ScriptedClient

    return ScriptedClient(replies, **options)


def async_scripted_client(replies: Iterable[Any], **options: Any) -> "AsyncScriptedClient":
    """The same for ``ask_async``; ``options`` are those of ``anthropic.AsyncAnthropic``, and ``on_request``."""
    from two_loops.stand_ins.clients import AsyncScriptedClient

    return AsyncScriptedClient(replies, **options)

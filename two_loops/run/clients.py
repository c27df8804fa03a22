"""The SDK's client of a run: the caller's own, or one that is built here and closed at the end."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeVar

from two_loops import settings
from two_loops.errors import NoCredentials, WrongUse
from two_loops.run.retries import refuse_long_waits, refuse_long_waits_async
from two_loops.stand_ins import async_offline_client, offline_client

if TYPE_CHECKING:
    from anthropic import Anthropic, AsyncAnthropic

Client = TypeVar("Client", "Anthropic", "AsyncAnthropic")
SDK_CLIENTS = frozenset({"SyncAPIClient", "AsyncAPIClient"})  # what every client of the SDK is made of


def opened(client: "Anthropic | None", model: str) -> "AbstractContextManager[Anthropic]":
    """The client to ask with. Raises WrongUse for one that can't work, or where none can be built."""
    if _is_a(client, "AsyncAPIClient"):
        raise WrongUse("ask() needs an Anthropic client, not an asynchronous one: use ask_async()")
    return built(model) if client is None else nullcontext(_checked(client, "Anthropic"))


def opened_async(client: "AsyncAnthropic | None", model: str) -> "AbstractAsyncContextManager[AsyncAnthropic]":
    """The same on an event loop."""
    if _is_a(client, "SyncAPIClient"):
        raise WrongUse("ask_async() needs an AsyncAnthropic client, not a blocking one: use ask()")
    return built_async(model) if client is None else nullcontext(_checked(client, "AsyncAnthropic"))


def built(model: str) -> "Anthropic":
    """The offline model's client for its name, else the SDK's own. Raises WrongUse where there can be none."""
    if model == settings.OFFLINE:
        return offline_client()
    from anthropic import Anthropic, DefaultHttpxClient

    return _of_the_sdk(Anthropic, DefaultHttpxClient, refuse_long_waits)


def built_async(model: str) -> "AsyncAnthropic":
    """The same on an event loop."""
    if model == settings.OFFLINE:
        return async_offline_client()
    from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient

    return _of_the_sdk(AsyncAnthropic, DefaultAsyncHttpxClient, refuse_long_waits_async)


def _of_the_sdk(kind: Callable[..., Client], http: Callable[..., Any], on_response: Callable[..., Any]) -> Client:
    try:
        client = kind(timeout=settings.TIMEOUT, http_client=http(event_hooks={"response": [on_response]}))
    except Exception as error:
        raise _not_built(error) from error
    if client.base_url.scheme not in ("http", "https") or not client.base_url.host:
        raise WrongUse("ANTHROPIC_BASE_URL must be the address of a server, like http://localhost:8000, or not be set")
    return client


def _not_built(error: Exception) -> WrongUse:
    """The environment can hold anything: a profile that does not exist, a server's address that is none."""
    from anthropic import AnthropicError

    if isinstance(error, AnthropicError):
        return NoCredentials(str(error))
    return WrongUse(f"no client can be built: {error}")


def _checked(client: Any, wanted: str) -> Any:
    """Let through the SDK's clients of every kind of server, and whatever behaves like one."""
    if isinstance(client, type) or not (_kinds(type(client)) & SDK_CLIENTS or _behaves_like_one(client)):
        raise WrongUse(f"client must be an anthropic.{wanted}(), not {client!r}")
    if callable(is_closed := _found(client, "is_closed")) and is_closed() is True:
        raise WrongUse("the client is closed")
    return client


def _is_a(client: object, base: str) -> bool:
    """Whether the client is of one of the SDK's two kinds, for whichever cloud."""
    return base in _kinds(type(client))


def _kinds(kind: type) -> frozenset[str]:
    return frozenset(base.__name__ for base in kind.__mro__)


def _behaves_like_one(client: object) -> bool:
    return all(callable(_found(client, path)) for path in ("messages.create", "beta.messages.tool_runner"))


def _found(value: object, path: str) -> object:
    return reduce(lambda found, name: getattr(found, name, None), path.split("."), value)


def require_credentials(client: "Anthropic | AsyncAnthropic") -> None:
    """Raise NoCredentials for a client of the vendor's own API that has nothing to show; others sign in their way."""
    import anthropic

    own = type(client) in (anthropic.Anthropic, anthropic.AsyncAnthropic)
    if not own or client.api_key or client.auth_token or client.credentials or secrets(client):
        return
    raise NoCredentials("no credentials: set ANTHROPIC_API_KEY, or give a client that has a key of its own")


def secrets(client: Any) -> list[str]:
    """The keys and tokens that the client sends."""
    named = getattr(client, "default_headers", {})
    headers = {name.lower(): value for name, value in named.items() if isinstance(value, str)}
    sent = [headers.get("x-api-key", ""), headers.get("authorization", "").removeprefix("Bearer ")]
    held = [getattr(client, name, None) for name in ("api_key", "auth_token")]
    return [secret for secret in [*sent, *held] if isinstance(secret, str) and secret]

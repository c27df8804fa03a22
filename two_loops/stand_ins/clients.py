"""Real SDK clients whose requests end in this process. Importing this module loads the SDK."""

import json
from collections.abc import Callable, Iterable
from typing import Any

import httpx2
from anthropic import Anthropic, AsyncAnthropic

from two_loops.stand_ins import wire
from two_loops.stand_ins.offline import reply_to

NOWHERE = "http://stand-in.invalid"  # a name that no resolver knows, should a request ever leave the process
Reply = dict[str, Any] | httpx2.Response | Exception | Callable[[dict[str, Any]], Any]
Answer = Callable[[httpx2.Request], httpx2.Response]


class OfflineClient(Anthropic):
    """The SDK's client in front of the offline model."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**_options(httpx2.Client, _answer_offline, options))


class AsyncOfflineClient(AsyncAnthropic):
    """The same on an event loop."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**_options(httpx2.AsyncClient, _answer_offline, options))


class ScriptedClient(Anthropic):
    """The SDK's client in front of a list of replies; ``requests`` holds the JSON body of each request so far."""

    def __init__(self, replies: Iterable[Reply] = (), **options: Any) -> None:
        self._script = Script(replies)
        self.requests = self._script.requests
        super().__init__(**_options(httpx2.Client, self._script.answer, options))


class AsyncScriptedClient(AsyncAnthropic):
    """The same on an event loop."""

    def __init__(self, replies: Iterable[Reply] = (), **options: Any) -> None:
        self._script = Script(replies)
        self.requests = self._script.requests
        super().__init__(**_options(httpx2.AsyncClient, self._script.answer, options))


class Script:
    """Replies in their order, one a request."""

    def __init__(self, replies: Iterable[Reply]) -> None:
        self.requests: list[dict[str, Any]] = []
        self._replies = iter(replies)

    def answer(self, request: httpx2.Request) -> httpx2.Response:
        """The next reply as the API would send it; an exception of the script is raised."""
        body = json.loads(request.content)
        self.requests.append(body)
        try:
            reply = next(self._replies)
        except StopIteration:
            told = f"the script has no reply left for request {len(self.requests)}"
            return wire.error(400, "invalid_request_error", told)
        return _as_response(reply, body)


def is_offline(client: object) -> bool:
    """Whether the client's requests go to the offline model and nowhere else."""
    if not isinstance(client, (OfflineClient, AsyncOfflineClient)):
        return False
    return client.base_url.host == httpx2.URL(NOWHERE).host


def _options(http: Callable[..., Any], answer: Answer, given: dict[str, Any]) -> dict[str, Any]:
    """What the SDK's client is built with, so that each request is handed to a function."""
    on_request = given.pop("on_request", None)
    handed = answer if on_request is None else _heard(answer, on_request)
    http_client = given.get("http_client") or http(transport=httpx2.MockTransport(handed))
    return {"api_key": "none", "base_url": NOWHERE, "max_retries": 0} | given | {"http_client": http_client}


def _heard(answer: Answer, on_request: Callable[[dict[str, Any]], object]) -> Answer:
    """The same answers; before each, somebody is given the request's body."""

    def heard(request: httpx2.Request) -> httpx2.Response:
        on_request(json.loads(request.content))
        return answer(request)

    return heard


def _answer_offline(request: httpx2.Request) -> httpx2.Response:
    body = json.loads(request.content)
    return wire.response(reply_to(body), streamed=bool(body.get("stream")))


def _as_response(reply: Any, body: dict[str, Any]) -> httpx2.Response:
    if callable(reply):
        reply = reply(body)
    if isinstance(reply, Exception):
        raise reply
    return reply if isinstance(reply, httpx2.Response) else wire.response(reply, streamed=bool(body.get("stream")))

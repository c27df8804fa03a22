"""Real SDK clients whose requests end in this process. Importing this module loads the SDK."""

import json
from collections.abc import Callable, Iterable
from typing import Any

import httpx2
from anthropic import Anthropic

from two_loops.stand_ins import wire
from two_loops.stand_ins.offline import reply_to

NOWHERE = "http://stand-in.invalid"  # a name that no resolver knows, should a request ever leave the process
Reply = dict[str, Any] | httpx2.Response | Exception | Callable[[dict[str, Any]], Any]


class OfflineClient(Anthropic):
    """The SDK's client in front of the offline model."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**_options(_answer_offline, options))


class ScriptedClient(Anthropic):
    """The SDK's client in front of a list of replies; ``requests`` holds the JSON body of each request so far."""

    def __init__(self, replies: Iterable[Reply] = (), **options: Any) -> None:
        self.requests: list[dict[str, Any]] = []
        self._replies = iter(replies)
        super().__init__(**_options(self._answer, options))

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
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
    return isinstance(client, OfflineClient) and client.base_url.host == httpx2.URL(NOWHERE).host


def _options(answer: Callable[[httpx2.Request], httpx2.Response], given: dict[str, Any]) -> dict[str, Any]:
    """What the SDK's client is built with, so that each request is handed to a function."""
    http_client = given.get("http_client") or httpx2.Client(transport=httpx2.MockTransport(answer))
    return {"api_key": "none", "base_url": NOWHERE, "max_retries": 0} | given | {"http_client": http_client}


def _answer_offline(request: httpx2.Request) -> httpx2.Response:
    body = json.loads(request.content)
    return wire.response(reply_to(body), streamed=bool(body.get("stream")))


def _as_response(reply: Any, body: dict[str, Any]) -> httpx2.Response:
    if callable(reply):
        reply = reply(body)
    if isinstance(reply, Exception):
        raise reply
    return reply if isinstance(reply, httpx2.Response) else wire.response(reply, streamed=bool(body.get("stream")))

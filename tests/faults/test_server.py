"""The server itself, seen by the bare SDK: what the tests of the agents stand on."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import anthropic
import httpx2
import pytest
from anthropic import Anthropic

from tests.both.guard_cases import ANSWER, find
from tests.faults import ways
from tests.faults.acts import Act, cut, cut_chunks, refuse, reply, reset, status
from tests.faults.cases import LONG, event_ends
from tests.faults.server import serving

REQUEST: Any = {"model": "m", "max_tokens": 10, "messages": [{"role": "user", "content": "When?"}]}
ENDS = event_ends(ANSWER)


@contextmanager
def client_of(*script: Act) -> Iterator[tuple[Anthropic, list[dict[str, Any]]]]:
    """The bare SDK in front of a script, and the requests that the server saw."""
    with (
        serving(*script) as server,
        ways.client(waits=False, base_url=server.url, max_retries=0, timeout=LONG) as client,
    ):
        yield client, server.requests


@pytest.mark.parametrize("message", [ANSWER, find("a", "b")])
def test_a_reply_is_the_same_whole_and_streamed(message: dict[str, Any]) -> None:
    with client_of(reply(message), reply(message)) as (client, requests):
        whole = client.messages.create(**REQUEST)
        with client.messages.stream(**REQUEST) as events:
            added_up = events.get_final_message()

    assert whole.to_dict() == message
    assert added_up.to_dict() == message | {"stop_details": None}
    assert requests == [REQUEST, REQUEST | {"stream": True}]


def test_a_request_beyond_the_script_is_told_of() -> None:
    with client_of() as (client, requests), pytest.raises(anthropic.BadRequestError):
        client.messages.create(**REQUEST)

    assert requests == [REQUEST]


def test_a_refused_connection_can_follow_on_a_reply() -> None:
    with client_of(reply(ANSWER), refuse()) as (client, requests):
        client.messages.create(**REQUEST)
        with pytest.raises(anthropic.APIConnectionError) as raised:
            client.messages.create(**REQUEST)

    assert type(raised.value.__cause__) is httpx2.ConnectError
    assert requests == [REQUEST]


def test_a_reset_connection_is_no_polite_end() -> None:
    with client_of(reset()) as (client, _), pytest.raises(anthropic.APIConnectionError) as raised:
        client.messages.create(**REQUEST)

    assert type(raised.value.__cause__) is httpx2.ReadError


def test_a_header_reaches_the_client() -> None:
    with (
        client_of(status(529, retry_after_ms=1)) as (client, _),
        pytest.raises(anthropic.APIStatusError) as raised,
    ):
        client.messages.create(**REQUEST)

    assert raised.value.status_code == 529
    assert raised.value.response.headers["retry-after-ms"] == "1"


@pytest.mark.parametrize("length", ENDS[:-1])
def test_the_sdk_takes_a_stream_that_just_ends_for_a_message(length: int) -> None:
    with client_of(cut(ANSWER, length)) as (client, _), client.messages.stream(**REQUEST) as events:
        message = events.get_final_message()

    assert message.stop_reason == ("end_turn" if length == ENDS[-2] else None)


@pytest.mark.parametrize("length", [0, *ENDS])
def test_the_sdk_tells_of_a_stream_that_lacks_its_last_chunk(length: int) -> None:
    with (
        client_of(cut_chunks(ANSWER, length)) as (client, _),
        client.messages.stream(**REQUEST) as events,
        pytest.raises(httpx2.RemoteProtocolError),
    ):
        events.get_final_message()


def test_the_sdk_has_no_word_for_a_stream_without_events() -> None:
    with (
        client_of(cut(ANSWER, 0)) as (client, _),
        client.messages.stream(**REQUEST) as events,
        pytest.raises(AssertionError),
    ):
        events.get_final_message()

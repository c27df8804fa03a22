"""The stand-ins speak the Messages API, plain and streamed, below the real SDK."""

from typing import Any

import anthropic
import httpx2
import pytest

from two_loops import offline_client, scripted_client
from two_loops.stand_ins.clients import is_offline
from two_loops.stand_ins.script import calls, message, says, tool_use

ASKED: dict[str, Any] = {
    "model": "claude-haiku-5-5",
    "max_tokens": 100,
    "messages": [{"role": "user", "content": "When?"}],
}
BLOCKS = [
    {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
    {"type": "redacted_thinking", "data": "ZGF0YQ=="},
    {"type": "text", "text": "Let me see."},
    tool_use("find", query="a", deep={"list": [1, None, "ü"]}),
]


def test_a_streamed_message_is_the_plain_one() -> None:
    reply = message(BLOCKS, stop_reason="tool_use")
    with scripted_client([reply, reply]) as client:
        plain = client.messages.create(**ASKED)
        with client.messages.stream(**ASKED) as stream:
            streamed = stream.get_final_message()

    assert [block.to_dict() for block in streamed.content] == [block.to_dict() for block in plain.content] == BLOCKS
    assert streamed.stop_reason == plain.stop_reason == "tool_use"
    assert streamed.usage.output_tokens == plain.usage.output_tokens == 60
    assert [request.get("stream") for request in client.requests] == [None, True]


def test_a_script_can_answer_in_every_way() -> None:
    def echo(body: dict[str, Any]) -> dict[str, Any]:
        return says(f"{body['messages'][0]['content']} indeed")

    broken = httpx2.Response(500, json={"type": "error", "error": {"type": "api_error", "message": "no"}})
    with scripted_client([echo, broken, httpx2.ReadTimeout("slow")]) as client:
        said = client.messages.create(**ASKED).content[0]
        with pytest.raises(anthropic.InternalServerError):
            client.messages.create(**ASKED)
        with pytest.raises(anthropic.APITimeoutError):
            client.messages.create(**ASKED)
        with pytest.raises(anthropic.BadRequestError, match="no reply left for request 4"):
            client.messages.create(**ASKED)

    assert said.type == "text"
    assert said.text == "When? indeed"
    assert client.requests == [ASKED] * 4


def test_a_call_in_words() -> None:
    assert calls(tool_use("find", "toolu_7", query="a"))["content"] == [
        {"type": "tool_use", "id": "toolu_7", "name": "find", "input": {"query": "a"}}
    ]


def test_the_offline_model_streams_the_same() -> None:
    with offline_client() as client:
        plain = client.messages.create(**ASKED)
        with client.messages.stream(**ASKED) as stream:
            streamed = stream.get_final_message()

    assert plain.model == "offline"
    assert [block.to_dict() for block in streamed.content] == [block.to_dict() for block in plain.content]


def test_only_our_own_client_is_offline() -> None:
    with offline_client() as client, scripted_client([]) as scripted:
        assert is_offline(client)
        assert is_offline(client.with_options(timeout=3))
        assert not is_offline(client.with_options(base_url="https://api.example.com"))
        assert not is_offline(scripted)
        assert not is_offline(None)


def test_a_listener_hears_each_request_before_it_is_answered() -> None:
    heard: list[Any] = []

    def count(_body: dict[str, Any]) -> dict[str, Any]:
        return says(f"{len(heard)} heard")

    with (
        scripted_client([count], on_request=heard.append) as scripted,
        offline_client(on_request=heard.append) as offline,
    ):
        said = scripted.messages.create(**ASKED).content[0]
        offline.with_options(timeout=3).messages.create(**ASKED)
        with pytest.raises(anthropic.BadRequestError, match="no reply left"):
            scripted.messages.create(**ASKED)

    assert getattr(said, "text", None) == "1 heard"
    assert heard == [ASKED] * 3

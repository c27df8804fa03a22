"""What can't work is refused before anything is logged or sent, with a text that says what to change."""

import inspect
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import anthropic
import pytest

import manual_agent
import runner_agent
from tests.both.bench import Bench
from tests.both.guard_cases import ANSWER
from tests.both.ways import Way
from two_loops import Limits, NoCredentials, Tool, Toolset, WrongUse, offline_client, scripted_client, tool

Ask = Way
BENCH = Bench().toolset()


async def later(event: object) -> None:
    """A listener that nobody waits for."""


class Later:
    """The same as an object."""

    async def __call__(self, event: object) -> None:
        """Listen."""


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "an empty question": ({"question": ""}, "the question is empty"),
    "a blank question": ({"question": " \n"}, "the question is empty"),
    "a question that is no text": ({"question": None}, "the question is empty"),
    "neither notes nor toolset": ({"toolset": None}, "exactly one of notes_dir and toolset"),
    "both notes and toolset": ({"notes_dir": "."}, "exactly one of notes_dir and toolset"),
    "no such folder": ({"toolset": None, "notes_dir": "/no/such/folder"}, "there is no folder '/no/such/folder'"),
    "a file as folder": ({"toolset": None, "notes_dir": __file__}, "there is no folder"),
    "a toolset that is none": ({"toolset": "notes"}, "toolset must be a Toolset, not str"),
    "limits that are none": ({"limits": {"max_steps": 3}}, "limits must be a Limits, not dict"),
    "no tokens": ({"max_tokens": 0}, "max_tokens must be a whole number of 1 or more, not 0"),
    "half a token": ({"max_tokens": 1.5}, "max_tokens must be a whole number"),
    "a model without a name": ({"model": " "}, "the model has no name"),
    "an asker that can't be asked": ({"approve": True}, "approve must be a function of one call, not bool"),
    "a listener that can't listen": ({"on_event": "print"}, "on_event must be a function of one event, not str"),
    "a cost limit without a price": (
        {"limits": Limits(max_cost_usd=1), "model": "unheard-of"},
        "no price is known for the model 'unheard-of'",
    ),
    "a listener that would be waited for": ({"on_event": later}, "on_event must be a plain function"),
    "a listener of another kind that would be waited for": ({"on_event": Later()}, "on_event must be a plain function"),
    "a client that is none": ({"client": "x"}, "client must be an anthropic.Anthropic(), not 'x'"),
    "a client's class": ({"client": anthropic.Anthropic}, "client must be an anthropic.Anthropic()"),
    "a model that can't be sent": ({"model": "x\ud800"}, "no request can carry"),
    "a folder that is a number": ({"toolset": None, "notes_dir": 5}, "notes_dir must be a path, not int"),
    "a folder of no name": ({"toolset": None, "notes_dir": ""}, "there is no folder ''"),
    "a folder of too long a name": ({"toolset": None, "notes_dir": "x" * 300}, "File name too long"),
    "a log that is a number": ({"log_path": 5}, "log_path must be a path or None, not int"),
    "a log with an impossible name": ({"log_path": "a\0b"}, "can't be opened"),
    "a log of no name": ({"log_path": ""}, "can't be opened: is a directory"),
    "a note as log": ({"log_path": __file__}, "what it holds is no log"),
    "a log in no folder": ({"log_path": "/no/such/folder/log.jsonl"}, "can't be opened: no such file or directory"),
    "a folder as log": ({"log_path": "/tmp"}, "can't be opened: is a directory"),
    "a stream that is neither": ({"stream": "yes"}, "stream must be True or False, not 'yes'"),
    "a device as log": ({"log_path": "/dev/null"}, "can't be opened: it is no regular file"),
    "a full device as log": ({"log_path": "/dev/full"}, "can't be opened: it is no regular file"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_wrong_use(wrong: str, ask: Ask, tmp_path: Path) -> None:
    changes, told = WRONG[wrong]
    log = tmp_path / "log.jsonl"
    arguments: dict[str, Any] = {"question": "When?", "toolset": BENCH, "log_path": log} | changes

    with scripted_client([ANSWER]) as client, pytest.raises(WrongUse) as raised:
        ask(arguments.pop("question"), **{"client": client} | arguments)

    assert told in str(raised.value)
    assert raised.value.exit_code == 2
    assert client.requests == []
    assert not log.exists()


def test_a_log_that_is_a_link_or_a_pipe(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "target").touch()
    (tmp_path / "link").symlink_to(tmp_path / "target")
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))

    for name, told in (("link", "it is a link"), ("pipe", "no regular file"), ("socket", "no regular file")):
        with scripted_client([ANSWER]) as client, pytest.raises(WrongUse, match=told):
            ask("When?", toolset=BENCH, client=client, log_path=tmp_path / name)
        assert client.requests == []
    assert (tmp_path / "target").read_text() == ""


@contextmanager
def no_credentials(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[None]:
    """An environment in which the SDK finds no key, token or profile."""
    for name in [name for name in os.environ if name.startswith("ANTHROPIC_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    yield


def test_no_credentials(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with no_credentials(monkeypatch, tmp_path), pytest.raises(NoCredentials, match="set ANTHROPIC_API_KEY"):
        ask("When?", toolset=BENCH, log_path=tmp_path / "log.jsonl")
    with no_credentials(monkeypatch, tmp_path), anthropic.Anthropic() as bare, pytest.raises(NoCredentials):
        ask("When?", toolset=BENCH, client=bare, log_path=tmp_path / "log.jsonl")

    assert not (tmp_path / "log.jsonl").exists()


def test_a_profile_that_does_not_exist(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with no_credentials(monkeypatch, tmp_path):
        monkeypatch.setenv("ANTHROPIC_PROFILE", "nobody")
        with pytest.raises(NoCredentials, match="not found"):
            ask("When?", toolset=BENCH, log_path=tmp_path / "log.jsonl")


def test_an_address_that_is_none(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with no_credentials(monkeypatch, tmp_path):
        monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://[::1")
        with pytest.raises(WrongUse, match="no client can be built"):
            ask("When?", toolset=BENCH, log_path=tmp_path / "log.jsonl")


def test_a_key_in_the_headers_is_a_credential(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        no_credentials(monkeypatch, tmp_path),
        scripted_client([]) as scripted,
        anthropic.Anthropic(default_headers={"X-Api-Key": "k"}, http_client=scripted._client) as client,
        pytest.raises(anthropic.BadRequestError, match="no reply left"),
    ):
        ask("When?", toolset=BENCH, client=client, log_path=None)


def test_an_asynchronous_client(ask: Ask) -> None:
    with pytest.raises(WrongUse, match="not an asynchronous one"):
        ask.module.ask("When?", toolset=BENCH, client=anthropic.AsyncAnthropic(api_key="k"), log_path=None)


def test_a_client_of_the_other_kind_for_another_cloud(ask: Ask) -> None:
    waiting = anthropic.AsyncAnthropicVertex(region="x", project_id="x", access_token="x", base_url="http://x")

    with pytest.raises(WrongUse, match="not an asynchronous one"):
        ask.module.ask("When?", toolset=BENCH, client=waiting, log_path=None)


def test_a_client_that_is_closed(ask: Ask) -> None:
    client = scripted_client([ANSWER])
    client.close()

    with pytest.raises(WrongUse, match="the client is closed"):
        ask("When?", toolset=BENCH, client=client, log_path=None)


def test_more_tokens_than_the_sdk_asks_for_in_one_go(ask: Ask) -> None:
    with scripted_client([]) as client, pytest.raises(WrongUse, match="a timeout of its own"):
        ask("When?", toolset=BENCH, client=client, max_tokens=21_334, log_path=None)
    with scripted_client([ANSWER], timeout=900) as client:
        result = ask("When?", toolset=BENCH, client=client, max_tokens=21_334, log_path=None)

    assert result.steps == 1


class Gateway:
    """A client of another kind of server: it sends and signs in its own way, and has no key to show."""

    def __init__(self, inner: anthropic.Anthropic) -> None:
        self.messages = inner.messages
        self.beta = inner.beta


def test_a_client_of_another_kind_of_server(ask: Ask, tmp_path: Path) -> None:
    with scripted_client([ANSWER]) as inner:
        result = ask("When?", toolset=BENCH, client=Gateway(inner), log_path=tmp_path / "log.jsonl")

    assert (result.steps, result.model) == (1, "claude-haiku-5-5")


def test_the_offline_client_is_recognised_and_free(ask: Ask) -> None:
    with offline_client() as client:
        result = ask("When?", toolset=BENCH, client=client, limits=Limits(max_cost_usd=0.01), log_path=None)

    assert (result.model, result.cost_usd, result.status) == ("offline", 0, "not_in_notes")


def test_the_offline_model_by_name(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with no_credentials(monkeypatch, tmp_path):
        result = ask("When?", toolset=BENCH, model="offline", log_path=None)

    assert (result.model, result.cost_usd) == ("offline", 0)


def test_both_agents_have_the_same_signature() -> None:
    assert inspect.signature(manual_agent.ask) == inspect.signature(runner_agent.ask)
    assert list(inspect.signature(manual_agent.ask).parameters) == [
        "question",
        "notes_dir",
        "toolset",
        "client",
        "model",
        "max_tokens",
        "limits",
        "log_path",
        "log_content",
        "on_event",
        "approve",
        "stream",
    ]


def test_the_asynchronous_twin_has_the_same_signature() -> None:
    blocking = inspect.signature(manual_agent.ask).parameters
    waiting = inspect.signature(manual_agent.ask_async).parameters

    assert inspect.signature(manual_agent.ask_async) == inspect.signature(runner_agent.ask_async)
    assert list(waiting) == list(blocking)
    assert {name for name in waiting if waiting[name] != blocking[name]} == {"client", "approve"}


def opened_toolset(opened: list[str]) -> Toolset:
    """A toolset that opens something for one run."""

    def page(number: int) -> str:
        """Read a page."""
        return f"page {number} of an {opened[-1]} book"

    @contextmanager
    def opening() -> Iterator[tuple[Tool, ...]]:
        opened.append("open")
        yield (tool(page, risky=False),)
        opened.append("closed")

    return Toolset(name="book", system="Read.", opening=opening)


def test_what_a_toolset_opens_is_closed_at_the_end(ask: Ask) -> None:
    from two_loops.stand_ins.script import calls, says, tool_use

    opened: list[str] = []
    with scripted_client([calls(tool_use("page", number=3)), says("Not in the notes")]) as client:
        result = ask("What?", toolset=opened_toolset(opened), client=client, log_path=None)

    assert result.messages[2]["content"][0]["content"] == '"page 3 of an open book"'
    assert opened == ["open", "closed"]

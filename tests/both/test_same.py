"""The two agents are each other's oracle: one script, and everything that can be compared is equal."""

import logging
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from tests.both.conversations import CONVERSATIONS
from tests.both.trial import AGENTS, Conversation, Trial, comparable, run

Try = Callable[[Conversation], Trial]


@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=str)
def test_both_agents_do_the_same(conversation: Conversation, tmp_path: Path) -> None:
    manual, runner = (run(ask, conversation, tmp_path) for ask in AGENTS.values())

    assert runner.requests == manual.requests
    assert runner.ran == manual.ran
    assert comparable(runner.log) == comparable(manual.log)
    assert comparable(runner.events) == comparable(manual.events)
    assert comparable(runner.outcome.model_dump()) == comparable(manual.outcome.model_dump())
    assert (type(runner.error), str(runner.error)) == (type(manual.error), str(manual.error))


@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=str)
def test_every_run_is_whole(
    conversation: Conversation,
    trial: Try,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """No run is lost, nothing is printed, every call sent back has one result, and each history extends the last."""
    with caplog.at_level(logging.WARNING):
        made = trial(conversation)

    assert made.error is None
    assert capfd.readouterr() == ("", "")
    assert caplog.records == []
    for request in made.requests:
        assert_paired(request["messages"])
    assert_paired([*made.outcome.messages, {"role": "user", "content": "And?"}])
    for before, after in pairwise(made.requests):
        assert after["messages"][: len(before["messages"])] == before["messages"]
    assert len(made.requests) == made.outcome.steps
    assert [line["event"] for line in made.log].count("result") == 1


def assert_paired(messages: list[dict[str, object]]) -> None:
    """Every tool_use has exactly one tool_result in the next message, and no message is empty."""
    for message, answer in pairwise(messages):
        assert message["content"]
        asked = _ids(message, "tool_use", "id")
        assert message["role"] == "assistant" or asked == []
        assert asked == [] or _ids(answer, "tool_result", "tool_use_id") == asked


def _ids(message: dict[str, object], kind: str, key: str) -> list[str]:
    content = message["content"]
    return [block[key] for block in content if block["type"] == kind] if isinstance(content, list) else []

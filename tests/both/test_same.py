"""The two agents are each other's oracle: one script, and everything that can be compared is equal, in every mode."""

import logging
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.both.conversations import CONVERSATIONS, UNSTREAMABLE
from tests.both.trial import Conversation, Trial, run
from tests.both.ways import MODES, WAYS, Way, pair
from two_loops import UnusableReply
from two_loops.compare.comparing import comparable

STREAMED = [conversation for conversation in CONVERSATIONS if conversation not in UNSTREAMABLE]
CAN_STREAM = {way: STREAMED if WAYS[way].streamed else CONVERSATIONS for way in WAYS}
EACH_WAY = [(way, conversation) for way, conversations in CAN_STREAM.items() for conversation in conversations]


def seen(made: Trial) -> dict[str, Any]:
    """Everything about a run that can be compared."""
    return {
        "requests": made.requests,
        "ran": made.ran,
        "log": comparable(made.log),
        "events": comparable(made.events),
        "result": comparable(made.outcome.model_dump()),
        "error": (type(made.error), str(made.error)),
    }


@pytest.mark.parametrize("conversation", CONVERSATIONS, ids=str)
@pytest.mark.parametrize("mode", MODES)
def test_both_agents_do_the_same(mode: str, conversation: Conversation, tmp_path: Path) -> None:
    manual, runner = (run(way, conversation, tmp_path) for way in pair(mode))

    assert seen(runner) == seen(manual)


@pytest.mark.parametrize("conversation", STREAMED, ids=str)
def test_every_mode_does_the_same(conversation: Conversation, tmp_path: Path) -> None:
    plain, *others = (seen(run(pair(mode)[0], conversation, tmp_path)) for mode in MODES)

    for other in others:
        for request in other["requests"]:
            request.pop("stream", None)
        other["events"] = [event for event in other["events"] if event["event"] != "text_delta"]
    assert others == [plain] * len(others)


@pytest.mark.parametrize("conversation", UNSTREAMABLE, ids=str)
@pytest.mark.parametrize("way", [way for way in WAYS.values() if way.streamed], ids=str)
def test_what_no_stream_adds_up_to_is_unusable(way: Way, conversation: Conversation, tmp_path: Path) -> None:
    made = run(way, conversation, tmp_path)

    assert type(made.error) is UnusableReply
    assert len(made.requests) == 1


@pytest.mark.parametrize(("way", "conversation"), EACH_WAY, ids=str)
def test_every_run_is_whole(
    way: str,
    conversation: Conversation,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    caplog: pytest.LogCaptureFixture,
) -> None:
    """No run is lost, nothing is printed, every call sent back has one result, and each history extends the last."""
    with caplog.at_level(logging.WARNING):
        made = run(WAYS[way], conversation, tmp_path)

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

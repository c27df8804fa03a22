"""Runs one scripted conversation through one agent, and keeps everything that can be compared afterwards."""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.both.bench import Bench
from tests.both.ways import Way
from two_loops import Limits, Result
from two_loops.compare.comparing import recorded
from two_loops.values.events import Event


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """What the model will say, and what the caller asked for."""

    name: str
    replies: Sequence[Any]
    question: str = "When?"
    limits: Limits | None = None
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Trial:
    """What came of it."""

    result: Result | None
    error: BaseException | None
    requests: list[dict[str, Any]]
    ran: list[str]
    events: list[dict[str, Any]]
    log: list[dict[str, Any]]

    @property
    def outcome(self) -> Result:
        """The result, or the unfinished one that the error carries."""
        if self.result is not None:
            return self.result
        partial: Result = self.error.partial  # type: ignore[union-attr]
        return partial

    @property
    def story(self) -> list[str]:
        """The log in short words."""
        return [_in_short(line) for line in self.log]

    @property
    def answers(self) -> list[str]:
        """What the model read, call by call, refusals marked."""
        blocks = [block for message in self.outcome.messages[1:] if message["role"] == "user" for block in _of(message)]
        marks = {True: "! ", False: ""}
        return [f"{marks['is_error' in block]}{block['content']}" for block in blocks if block["type"] == "tool_result"]


def run(way: Way, conversation: Conversation, folder: Path, bench: Bench | None = None) -> Trial:
    """One run on a bench, by default one of its own, with a log in the folder."""
    bench, events, log = bench or Bench(), list[Event](), folder / f"{os.urandom(4).hex()}.jsonl"
    client = way.client(conversation.replies)
    options: dict[str, Any] = {"toolset": bench.toolset(), "limits": conversation.limits, "on_event": events.append}
    result, error = None, None
    try:
        result = way(conversation.question, client=client, log_path=log, **options | dict(conversation.options))
    except BaseException as raised:  # noqa: BLE001  # Ctrl-C is one of the cases
        error = raised
    if not way.waits:
        client.close()
    lines = [json.loads(line) for line in log.read_text("ascii").splitlines()] if log.exists() else []
    return Trial(result, error, client.requests, bench.ran, recorded(events), lines)


def _of(message: dict[str, Any]) -> list[dict[str, Any]]:
    return message["content"] if isinstance(message["content"], list) else []


def _in_short(line: dict[str, Any]) -> str:
    words = {
        "model_call": ["stop_reason"],
        "tool_call": ["tool", "is_error"],
        "guard": ["guard", "outcome"],
        "result": ["status"],
        "error": ["reason", "error"],
    }.get(line["event"], [])
    said = [str(line[word]) for word in words if line[word] is not False]
    return " ".join([line["event"], *(word.replace("True", "refused") for word in said)])

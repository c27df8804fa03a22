"""A story played through one agent, and two playings compared."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from two_loops import samples
from two_loops.demo.stories import Message, Story
from two_loops.stand_ins import scripted_client
from two_loops.values.events import Event
from two_loops.values.result import Result

CHARACTERS_A_TOKEN = 4  # a rough measure for English and JSON

# A time or an id of one run, and the agent's own name: all in which the two agents may differ.
_OWN = frozenset({"agent", "duration_s", "request_id", "run_id"})


@dataclass(frozen=True)
class Playing:
    """What came of it. requests: the body of each request, in order."""

    result: Result
    events: list[Event]
    requests: list[dict[str, Any]]


def play(story: Story, ask: Callable[..., Result]) -> Playing:
    """Ask the story's question of the sample notes. Nothing leaves the process, and no log is written."""
    events: list[Event] = []
    with scripted_client(partial(metered, reply) for reply in story.replies()) as client:
        result = ask(story.question, notes_dir=samples.NOTES, client=client, log_path=None, on_event=events.append)
    return Playing(result, events, client.requests)


def metered(reply: Message, request: dict[str, Any]) -> Message:
    """The reply with the tokens that it and its request might have had, by their length."""
    tokens = {"input_tokens": _tokens(request), "output_tokens": _tokens(reply["content"])}
    return reply | {"usage": tokens}


def _tokens(value: Any) -> int:
    return len(json.dumps(value)) // CHARACTERS_A_TOKEN


def differences(one: Playing, other: Playing) -> list[str]:
    """What is not equal in two playings, times and ids aside; an empty list when all is."""
    mine, theirs = _compared(one), _compared(other)
    return [what for what in mine if mine[what] != theirs[what]]


def _compared(playing: Playing) -> dict[str, object]:
    return {
        "requests": playing.requests,
        "events": [(event.event, _comparable(vars(event))) for event in playing.events],
        "results": _comparable(playing.result.model_dump()),
    }


def _comparable(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in _OWN}

"""A story played through one agent."""

import json
from collections.abc import Callable
from functools import partial
from typing import Any

from two_loops import samples
from two_loops.compare.modes import PLAIN
from two_loops.compare.playing import Playing, Recording
from two_loops.compare.playing import play as play_question
from two_loops.demo.stories import Message, Story
from two_loops.toolsets.notes import notes
from two_loops.values.result import Result

CHARACTERS_A_TOKEN = 4  # a rough measure for English and JSON


def play(story: Story, ask: Callable[..., Result]) -> Playing:
    """Ask the story's question of the sample notes. Nothing leaves the process, and no log is written."""
    recording, replies = Recording(), (partial(metered, reply) for reply in story.replies())
    with PLAIN.opened(replies, on_request=recording.sent) as client:
        return play_question(ask, story.question, recording, toolset=notes(samples.NOTES), client=client, log_path=None)


def metered(reply: Message, request: dict[str, Any]) -> Message:
    """The reply with the tokens that it and its request might have had, by their length."""
    tokens = {"input_tokens": _tokens(request), "output_tokens": _tokens(reply["content"])}
    return reply | {"usage": tokens}


def _tokens(value: Any) -> int:
    return len(json.dumps(value)) // CHARACTERS_A_TOKEN

"""The end of a run: a history that can be sent again, and the result."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from two_loops.guards.steps import ANSWER_NOW
from two_loops.values.citation import Citation

Message = dict[str, Any]


@dataclass(frozen=True)
class Ending:
    """Why a run is over. at_limit: the judged answer is the reply to the last request that was allowed."""

    status: str
    why: str
    answer: str | None = None
    citations: list[Citation] = field(default_factory=list)
    at_limit: bool = False


def tool_result(call_id: str, text: str, *, is_error: bool) -> Message:
    """The block that answers one call."""
    block: Message = {"type": "tool_result", "tool_use_id": call_id, "content": text}
    return block | {"is_error": True} if is_error else block


def no_result(call_id: str, stopped_by: str | None) -> Message:
    """The result of a call that has none: the run was stopped before, or an error ended it, perhaps during the call."""
    told = f"Not run: the run was stopped ({stopped_by})." if stopped_by else "No result: an error ended the run."
    return tool_result(call_id, told, is_error=True)


def closed(messages: Iterable[Message], results: list[Message], stopped_by: str | None, *, sent: int) -> list[Message]:
    """The history made whole: ``results`` are those of the last reply's calls that were answered but not yet sent.

    Every call gets its result, a last reply without content is left out, and so is a request to answer that never
    went out. sent: how many of the messages went out.
    """
    history = list(messages)
    if history[-1]["role"] == "assistant":
        return _with_results(history, results, stopped_by) if history[-1]["content"] else history[:-1]
    return history if len(history) <= sent else [*history[:-1], _without_unsent_words(history[-1])]


def _with_results(history: list[Message], results: list[Message], stopped_by: str | None) -> list[Message]:
    calls = [block for block in history[-1]["content"] if block["type"] == "tool_use"]
    if not calls:
        return history
    missing = [no_result(block["id"], stopped_by) for block in calls]
    return [*history, {"role": "user", "content": [*results, *missing[len(results) :]]}]


def _without_unsent_words(message: Message) -> Message:
    content = message["content"]
    if isinstance(content, list) and content[-1:] == [ANSWER_NOW]:
        return message | {"content": content[:-1]}
    return message

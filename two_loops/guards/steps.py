"""The step limit: how many model calls a run may make, and an answer in place of tools at the last of them."""

from typing import Any

from two_loops.values.limits import Limits
from two_loops.values.spent import Spent
from two_loops.wording import counted

ANSWER_NOW = {
    "type": "text",
    "text": "This is your last turn: no more tool calls are possible. Answer now with what you have found so far.",
}
NO_TOOLS: dict[str, Any] = {"type": "none"}


def before_request(limits: Limits, spent: Spent) -> str | None:
    """Why there is no further request: every allowed model call was made."""
    if spent.steps < limits.max_steps:
        return None
    return f"{spent.steps} of {counted(limits.max_steps, 'model call')} made"


def before_calls(limits: Limits, spent: Spent, _asked: int) -> str | None:
    """Why the calls of the last allowed reply never run: nobody could read their results."""
    return before_request(limits, spent)


def answers_next(limits: Limits, steps: int) -> bool:
    """Whether the next request is the last allowed one, and so has to bring an answer.

    A run of one step alone has no tool results to answer from, so its only request stays as it is.
    """
    return limits.answer_at_limit and 1 < limits.max_steps == steps + 1

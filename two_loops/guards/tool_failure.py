"""What the model reads when a tool raises: a deliberate message as it is, anything else by its type alone."""

from two_loops.errors import ToolError
from two_loops.text import clean
from two_loops.values.decisions import Refused

NAME = "tool_failure"
LONGEST = 2000  # characters of a deliberate message

HINT = "Try other arguments once, or go on without this tool."


def refusal(error: Exception) -> Refused:
    """The error result for an exception that a tool raised; its text and values stay in the log."""
    kind = type(error).__name__
    if isinstance(error, ToolError):
        told = clean(str(error)).strip() or "The tool could not do this."
        return Refused(NAME, _cut(told), "the tool raised ToolError")
    return Refused(NAME, f"The tool failed with {kind}. {HINT}", f"the tool raised {kind}", detail=repr(error))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… (cut: {LONGEST} of {len(text)} characters)"

"""What the model reads when a tool raises: a deliberate message as it is, anything else by its type alone."""

from two_loops.errors import ToolError
from two_loops.text import clean, described
from two_loops.values.decisions import Refused

NAME = "tool_failure"

HINT = "Try other arguments once, or go on without this tool."


def refusal(error: BaseException) -> Refused:
    """The error result for an exception that a tool raised; its text and values stay in the log."""
    if isinstance(error, ToolError):
        told = clean(described(error)).strip() or "The tool could not do this."
        return Refused(NAME, told, "the tool raised ToolError")
    kind = clean(type(error).__name__)
    return Refused(NAME, f"The tool failed with {kind}. {HINT}", f"the tool raised {kind}", described(error, repr))

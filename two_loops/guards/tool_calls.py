"""The limit on tool calls: a reply that would pass it runs none of its calls."""

from two_loops.values.limits import Limits
from two_loops.values.spent import Spent
from two_loops.wording import counted


def before_calls(limits: Limits, spent: Spent, asked: int) -> str | None:
    """Why none of the reply's calls runs; ``asked`` is how many there are."""
    limit = limits.max_tool_calls
    if limit is None or spent.tool_calls + asked <= limit:
        return None
    return f"{asked} more after {spent.tool_calls} would pass the limit of {counted(limit, 'tool call')}"

"""The time limit."""

from two_loops.values.limits import Limits
from two_loops.values.spent import Spent


def before_request(limits: Limits, spent: Spent) -> str | None:
    """Why there is no further request: the time is used up."""
    if limits.max_seconds is None or spent.seconds < limits.max_seconds:
        return None
    return f"the limit of {limits.max_seconds} s has passed"

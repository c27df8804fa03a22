"""The token limit."""

from two_loops.values.limits import Limits
from two_loops.values.spent import Spent
from two_loops.wording import counted


def before_request(limits: Limits, spent: Spent) -> str | None:
    """Why there is no further request: the tokens are used up, or a reply did not say how many it used."""
    if limits.max_total_tokens is None:
        return None
    if spent.tokens is None:
        return "a reply did not report its tokens, so the limit can't be kept"
    if spent.tokens >= limits.max_total_tokens:
        return f"{spent.tokens} of {counted(limits.max_total_tokens, 'token')} used"
    return None

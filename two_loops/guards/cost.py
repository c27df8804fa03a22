"""The cost limit."""

from decimal import Decimal

from two_loops.values.limits import Limits
from two_loops.values.spent import Spent


def before_request(limits: Limits, spent: Spent) -> str | None:
    """Why there is no further request: the money is spent, or a reply has no known price."""
    if limits.max_cost_usd is None:
        return None
    if spent.cost_usd is None:
        return "a reply could not be priced, so the limit can't be kept"
    if spent.cost_usd >= Decimal(str(limits.max_cost_usd)):
        return f"${spent.cost_usd:f} of ${limits.max_cost_usd} spent"
    return None

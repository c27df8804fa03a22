"""What a whole run may cost."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from two_loops.errors import WrongUse
from two_loops.values.limits import require_amount

T = TypeVar("T")


def added_up(costs: Iterable[float | None]) -> float | None:
    """The sum of some costs in US dollars; None where one is not known."""
    known = list(costs)
    return None if None in known else sum(cost or 0.0 for cost in known)


class Purse:
    """Adds up costs in US dollars. spent: None once one of them is not known."""

    def __init__(self, max_cost_usd: float | None) -> None:
        if max_cost_usd is not None:
            require_amount("max_cost_usd", max_cost_usd)
        self._max = max_cost_usd
        self.spent: float | None = 0.0

    def pay(self, *costs_usd: float | None) -> None:
        """Count some costs."""
        self.spent = added_up([self.spent, *costs_usd])

    @property
    def empty(self) -> bool:
        """Whether nothing more may be spent, or nobody can tell."""
        return self._max is not None and (self.spent is None or self.spent >= self._max)

    def lasting(self, jobs: Iterable[T]) -> Iterator[T]:
        """The jobs one by one, until the purse is empty."""
        for job in jobs:
            if self.empty:
                return
            yield job


def require_price(name: str, model: str) -> None:
    """Raise WrongUse where a cap of that name can't be kept, as nobody knows what the model costs."""
    from two_loops.prices import prices_for

    if prices_for(model) is None:
        raise WrongUse(f"{name} can't be kept: no price is known for the model {model!r}")

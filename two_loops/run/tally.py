"""What a run has used: steps, calls, tokens, money and time."""

from decimal import Decimal

from two_loops.prices import cost, prices_for, total
from two_loops.run.clock import Clock
from two_loops.values.reply import Reply
from two_loops.values.result import ToolCallMade
from two_loops.values.spent import Spent
from two_loops.values.usage import Usage


class Tally:
    """Adds up the replies and calls of one run. ``free`` says that the model costs nothing, as the offline one does."""

    def __init__(self, model: str, *, free: bool) -> None:
        self._model = model
        self._free = free
        self._metered = True
        self.clock = Clock()
        self.steps = 0
        self.calls: list[ToolCallMade] = []
        self.usage = Usage()
        self.cost_usd: Decimal | None = Decimal(0)

    def add(self, reply: Reply) -> Decimal | None:
        """Count a reply. Returns its own price in US dollars, None where it has none that is known."""
        price = self._price(reply)
        self.steps += 1
        self.usage += reply.usage
        self._metered = self._metered and reply.metered
        self.cost_usd = None if price is None or self.cost_usd is None else total(self.cost_usd, price)
        return price

    def spent(self) -> Spent:
        """A snapshot to hold the limits against."""
        tokens = self.usage.tokens_in + self.usage.output_tokens if self._metered else None
        return Spent(self.steps, len(self.calls), tokens, self.cost_usd, self.clock.seconds())

    def _price(self, reply: Reply) -> Decimal | None:
        if self._free:
            return Decimal(0)
        prices = prices_for(reply.model) or prices_for(self._model)
        if prices is None or not reply.metered:
            return None
        return cost(prices, cache_creation_1h=reply.cache_creation_1h, **vars(reply.usage))


def as_float(amount: Decimal | None) -> float | None:
    """An exact amount as results and log lines hold it."""
    return None if amount is None else float(amount)

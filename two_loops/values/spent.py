"""What a run has used up so far."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Spent:
    """A snapshot that the limits are held against.

    steps: model calls. tool_calls: answered calls, refused ones too. tokens: input and output, cached or not; None
    when a reply did not report them. cost_usd: exact; None when a reply could not be priced. seconds: wall clock,
    without the time a person took to approve calls.
    """

    steps: int = 0
    tool_calls: int = 0
    tokens: int | None = 0
    cost_usd: Decimal | None = Decimal(0)
    seconds: float = 0.0

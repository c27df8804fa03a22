"""How far one run may go."""

import dataclasses
import sys
from dataclasses import dataclass
from typing import Any

from two_loops.errors import WrongUse


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What one run may spend before it is stopped; ``None`` means no limit of that kind.

    Steps, tokens, cost and time are checked before each request and stop the run once what was spent has reached the
    limit, so each of them can be passed by one request at most.

    max_steps: model calls.
    max_tool_calls: tool calls, counting refused and unknown ones.
    max_total_tokens: input (cached or not) and output tokens together.
    max_cost_usd: US dollars at the price of each reply's model.
    max_seconds: wall-clock seconds, not counting the time a person takes to approve a call.
    parallel_tools: calls of one reply to read-only tools that may run at the same time, in threads.
    answer_at_limit: the last allowed request asks for an answer in place of more tool calls.

    Raises WrongUse for a count below 1 and for an amount that is not a finite number above 0.
    """

    max_steps: int = 6
    max_tool_calls: int | None = None
    max_total_tokens: int | None = None
    max_cost_usd: float | None = None
    max_seconds: float | None = None
    parallel_tools: int = 1
    answer_at_limit: bool = True

    def __post_init__(self) -> None:
        require_count("max_steps", self.max_steps)
        require_count("parallel_tools", self.parallel_tools)
        for name in ("max_tool_calls", "max_total_tokens"):
            if getattr(self, name) is not None:
                require_count(name, getattr(self, name))
        for name in ("max_cost_usd", "max_seconds"):
            if getattr(self, name) is not None:
                require_amount(name, getattr(self, name))
        if not isinstance(self.answer_at_limit, bool):
            raise WrongUse(f"answer_at_limit must be True or False, not {self.answer_at_limit!r}")

    def replace(self, **changes: Any) -> "Limits":
        """The same limits with some changed, checked like new ones."""
        try:
            return dataclasses.replace(self, **changes)
        except TypeError:
            unknown = sorted(changes.keys() - {field.name for field in dataclasses.fields(self)})
            raise WrongUse(f"no such limit: {', '.join(unknown)}") from None


def require_count(name: str, value: object) -> None:
    """Raise WrongUse unless the value is a whole number of 1 or more."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise WrongUse(f"{name} must be a whole number of 1 or more, not {value!r}")


def require_amount(name: str, value: object) -> None:
    """Raise WrongUse unless the value is a finite number above 0."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not 0 < value <= sys.float_info.max:  # type: ignore[operator]
        raise WrongUse(f"{name} must be a finite number above 0, not {value!r}")


def require_share(name: str, value: float) -> None:
    """Raise WrongUse unless the value is a number from 0 to 1."""
    if not 0 <= value <= 1:
        raise WrongUse(f"{name} must be a share from 0 to 1, not {value!r}")

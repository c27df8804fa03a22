"""What a scripted reply is worth, reckoned from the script alone: tokens, dollars, and what no stream adds up to."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from two_loops.prices import prices_for

KINDS = ("input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
PROMPT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def tokens(reply: Any) -> dict[str, int]:
    """How many tokens of each kind the reply used; what is no count is 0."""
    return {kind: _counted(_usage(reply), kind) or 0 for kind in KINDS}


def metered(reply: Any) -> bool:
    """Whether the server said how many tokens it used."""
    return None not in (_counted(_usage(reply), kind) for kind in ("input_tokens", "output_tokens"))


def dollars(reply: Any, requested: str) -> Fraction | None:
    """Its exact price; None where it has none."""
    prices = prices_for(_name(reply["model"])) or prices_for(requested)
    if prices is None or not metered(reply):
        return None
    count = tokens(reply)
    hour = min(_counted(_usage(reply).get("cache_creation") or {}, "ephemeral_1h_input_tokens") or 0, count[PROMPT[1]])
    prompt = sum(count[kind] for kind in PROMPT)
    *_, tier = (tier for tier in prices.tiers if tier.over < prompt)
    rates = [
        (tier.input, count["input_tokens"]),
        (tier.output, count["output_tokens"]),
        (tier.cache_write_5m, count["cache_creation_input_tokens"] - hour),
        (tier.cache_write_1h, hour),
        (tier.cache_read, count["cache_read_input_tokens"]),
    ]
    return sum((Fraction(rate) * number for rate, number in rates), Fraction()) / 1_000_000


def _usage(reply: Any) -> Mapping[str, Any]:
    return reply["usage"] or {}


def _counted(usage: Mapping[str, Any], kind: str) -> int | None:
    value = usage.get(kind)
    return value if type(value) is int and 0 <= value <= 10**12 else None


def _name(model: str) -> str:
    return model.encode("utf-8", "replace").decode()


def _no_usage(reply: Mapping[str, Any]) -> bool:
    return reply["usage"] is None


def _no_number_as_count(reply: Mapping[str, Any]) -> bool:
    return any(type(_usage(reply).get(kind)) not in (int, type(None)) for kind in KINDS)


def _no_object_as_input(reply: Mapping[str, Any]) -> bool:
    return any(not isinstance(value, dict) for value in _inputs(reply))


def _lone_surrogate_in_an_input(reply: Mapping[str, Any]) -> bool:
    return any(_has_surrogate(value) for value in _inputs(reply))


def _inputs(reply: Mapping[str, Any]) -> list[Any]:
    return [block["input"] for block in reply["content"] if block["type"] == "tool_use" and "input" in block]


def _has_surrogate(value: Any) -> bool:
    if isinstance(value, str):
        return any("\ud800" <= char <= "\udfff" for char in value)
    if isinstance(value, dict):
        return any(_has_surrogate(part) for item in value.items() for part in item)
    return isinstance(value, list) and any(map(_has_surrogate, value))


# The exceptions by nature: what the SDK does not add up from a stream to what it was.
UNSTREAMABLE = {
    "no usage": _no_usage,
    "a count that is no whole number": _no_number_as_count,
    "an input that is no object": _no_object_as_input,
    "a lone surrogate in an input": _lone_surrogate_in_an_input,
}


def unstreamable(reply: Any) -> list[str]:
    """The exceptions that the reply falls under; a fault falls under none."""
    return [name for name, holds in UNSTREAMABLE.items() if isinstance(reply, dict) and holds(reply)]

"""Numbers in words."""


def counted(number: int, noun: str) -> str:
    """The number and its noun, which takes an s where it is not one: "1 step", "0 steps"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def dollars(*costs: float | None) -> str:
    """The sum of some costs in US dollars; none where one is not known."""
    known = [cost for cost in costs if cost is not None]
    return f"${sum(known):.6f}" if len(known) == len(costs) else "cost unknown"

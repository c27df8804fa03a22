"""Numbers and places in words."""


def counted(number: int, noun: str) -> str:
    """The number and its noun, which takes an s where it is not one: "1 step", "0 steps"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def dollars(*costs: float | None) -> str:
    """The sum of some costs in US dollars; none where one is not known."""
    known = [cost for cost in costs if cost is not None]
    return f"${sum(known):.6f}" if len(known) == len(costs) else "cost unknown"


def place(file: str, line: int | None = None, last_line: int | None = None) -> str:
    """A file, and lines of it, as they are cited: ``boiler.txt``, ``boiler.txt:2`` or ``boiler.txt:2-4``."""
    if line is None:
        return file
    return f"{file}:{line}" if last_line in (None, line) else f"{file}:{line}-{last_line}"

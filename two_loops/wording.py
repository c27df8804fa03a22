"""Numbers with their nouns."""


def counted(number: int, noun: str) -> str:
    """The number and its noun, which takes an s where it is not one: "1 step", "0 steps"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

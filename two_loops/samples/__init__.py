"""A folder of made-up notes and nine questions about it, to try the agents on."""

from pathlib import Path

_HERE = Path(__file__).parent

NOTES = _HERE / "notes"
"""The folder of sample notes."""


def questions() -> list[str]:
    """The nine sample questions, in order."""
    return (_HERE / "questions.txt").read_text(encoding="utf-8").splitlines()

"""Made-up files to try the agents on: notes with nine questions about them, a workspace, and a script of replies."""

from pathlib import Path

_HERE = Path(__file__).parent

NOTES = _HERE / "notes"
"""The folder of sample notes."""

WORKSPACE = _HERE / "workspace"
"""The sample workspace. Its tools can write: let them do so in a copy."""


def questions() -> list[str]:
    """The nine sample questions, in order."""
    return (_HERE / "questions.txt").read_text(encoding="utf-8").splitlines()

"""The notes toolset: questions answered from a folder of plain-text notes, with one read-only search."""

from pathlib import Path

from two_loops.tools.places import existing_folder
from two_loops.toolsets.searching import search_tool
from two_loops.toolsets.toolset import Toolset
from two_loops.values.citation import NOT_IN_NOTES

SYSTEM = f"""\
You answer questions from a folder of the user's notes, and from nothing else.

- Search before you answer. When a search brings nothing useful, try other words.
- Say only what the snippets say. After each statement name its file and line in brackets, like [garden.txt:3], \
exactly as a search result gave them.
- When the notes do not hold the answer, reply with exactly this sentence and nothing more: {NOT_IN_NOTES}
- Be brief."""


def notes(folder: str | Path) -> Toolset:
    """The toolset for a folder of .txt and .md notes. Raises WrongUse when there is no such folder."""
    return Toolset(name="notes", system=SYSTEM, tools=(search_tool(existing_folder(folder, of="notes")),))

"""The notes toolset: questions answered from a folder of plain-text notes, with one read-only search."""

from collections.abc import Iterable
from pathlib import Path

from two_loops.errors import WrongUse
from two_loops.search import SearchResults, search_notes
from two_loops.toolsets.tool import tool
from two_loops.toolsets.toolset import Toolset
from two_loops.values.citation import NOT_IN_NOTES
from two_loops.values.evidence import Shown

SNIPPETS = 5
WIDTH = 200  # characters of one snippet

SYSTEM = f"""\
You answer questions from a folder of the user's notes, and from nothing else.

- Search before you answer. When a search brings nothing useful, try other words.
- Say only what the snippets say. After each statement name its file and line in brackets, like [garden.txt:3], \
exactly as a search result gave them.
- When the notes do not hold the answer, reply with exactly this sentence and nothing more: {NOT_IN_NOTES}
- Be brief."""


def notes(folder: str | Path) -> Toolset:
    """The toolset for a folder of .txt and .md notes. Raises WrongUse when there is no such folder."""
    if not Path(folder).is_dir():
        raise WrongUse(f"there is no folder {str(folder)!r}; give the folder that holds the notes")
    bound = {"notes_dir": Path(folder).absolute(), "limit": SNIPPETS, "width": WIDTH}
    search = tool(search_notes, risky=False, bind=bound, evidence=_shown, warnings=_not_read)
    return Toolset(name="notes", system=SYSTEM, tools=(search,))


def _shown(found: SearchResults) -> Iterable[Shown]:
    return (Shown(snippet.file, snippet.line, snippet.last_line) for snippet in found)


def _not_read(found: SearchResults) -> Iterable[str]:
    return (f"{missed.file} was not searched: {missed.reason}" for missed in found.not_read)

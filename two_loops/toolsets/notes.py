"""The notes toolset: questions answered from a folder of plain-text notes, with one read-only search."""

from collections.abc import Iterable
from pathlib import Path

from two_loops.errors import WrongUse
from two_loops.search import SearchResults, search_notes
from two_loops.text import visible
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
    bound = {"notes_dir": _existing(folder), "limit": SNIPPETS, "width": WIDTH}
    search = tool(search_notes, risky=False, bind=bound, evidence=_shown, warnings=_not_read)
    return Toolset(name="notes", system=SYSTEM, tools=(search,))


def _existing(folder: str | Path) -> Path:
    try:
        if str(folder) and Path(folder).is_dir():
            return Path(folder).absolute()
    except OSError as error:
        raise WrongUse(f"the folder can't be looked at ({error.strerror}): {visible(str(folder))}") from error
    raise WrongUse(f"there is no folder {visible(str(folder))!r}; give the folder that holds the notes")


def _shown(found: SearchResults) -> Iterable[Shown]:
    return (Shown(snippet.file, snippet.line, snippet.last_line) for snippet in found)


def _not_read(found: SearchResults) -> Iterable[str]:
    return (f"not everything was searched: {missed.file}: {missed.reason}" for missed in found.not_read)

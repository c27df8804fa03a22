"""The search as a tool of a toolset, with what its result shows."""

from collections.abc import Iterable
from pathlib import Path

from two_loops.search import SearchResults, search_notes
from two_loops.toolsets.tool import Tool, tool
from two_loops.values.evidence import Shown

SNIPPETS = 5
WIDTH = 200  # characters of one snippet


def search_tool(folder: Path) -> Tool:
    """``search_notes`` over the folder."""
    bound = {"notes_dir": folder, "limit": SNIPPETS, "width": WIDTH}
    return tool(search_notes, risky=False, bind=bound, evidence=_shown, warnings=_not_read)


def _shown(found: SearchResults) -> Iterable[Shown]:
    return (Shown(snippet.file, snippet.line, snippet.last_line) for snippet in found)


def _not_read(found: SearchResults) -> Iterable[str]:
    return (f"not everything was searched: {missed.file}: {missed.reason}" for missed in found.not_read)

"""A note's bytes to what is indexed of it."""

from two_loops.search.analysing import analysed
from two_loops.search.chunks import chunks_of
from two_loops.search.entries import Entry
from two_loops.text import visible

LONGEST_TITLE = 200  # characters of the first line that count as the note's title


def entries_of(path: str, text: str) -> list[Entry]:
    """The chunks of the note with that path and text, at least one."""
    name = visible(path).rpartition(".")[0]
    first_line = text.lstrip()[:LONGEST_TITLE].partition("\n")[0]
    title = analysed(f"{name} {first_line}")
    return [Entry(title, analysed(chunk.text), path, chunk.line, chunk.start) for chunk in chunks_of(text)]

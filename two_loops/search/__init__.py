"""Searching a folder of plain-text notes, read-only.

tool.py       search_notes, the function that a model calls
results.py    what it returns: snippets, and the notes that were not read
reading.py    the notes as text, and why some could not be read
walking.py    which files are notes
opening.py    one file opened safely and read up to a bound
decoding.py   bytes to text
words.py      folding, and a query cut into terms
hits.py       which lines of a note hold which terms
matching.py   which notes hold which terms
forgiving.py  one edit forgiven to a word that no note holds
ranking.py    the best lines first
snippets.py   what is shown of a line
"""

from two_loops.search.reading import holds_notes
from two_loops.search.results import NotRead, SearchResults, Snippet
from two_loops.search.tool import search_notes

__all__ = ["NotRead", "SearchResults", "Snippet", "holds_notes", "search_notes"]

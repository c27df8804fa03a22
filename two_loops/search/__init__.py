"""Searching a folder of plain-text notes, read-only.

tool.py       search_notes, the function that a model calls
notes.py      Notes, a folder with its index open
results.py    what a search returns: snippets, and the notes that were not read
finding.py    one search, step by step

freshness.py  the index kept as the folder is
settling.py   when a file's times tell each later change
mounts.py     whether only this machine changes a folder
watching.py   being told of changes
walking.py    which files are notes
folders.py    what is in each folder
opening.py    one file opened safely and read up to a bound
decoding.py   bytes to text
reading.py    a note's text to what is indexed of it
chunks.py     text cut into chunks
entries.py    what an index holds
index.py      which chunks hold which words
plain.py      the same in plain Python
storing.py    the same in a file
making.py     which of them it is

words.py      folding, and what belongs to a word
analysing.py  text cut into words
query.py      a query cut into terms
expanding.py  what counts as a term in these notes
asking.py     words that only ask
forms.py      forms of one word
forgiving.py  the nearest words to one that is unknown
ranking.py    the best lines
nearness.py   words that stand together
choosing.py   the best snippets of the best notes
snippets.py   what is shown of a line
"""

from two_loops.search.freshness import holds_notes
from two_loops.search.notes import Notes
from two_loops.search.results import NotRead, SearchResults, Snippet
from two_loops.search.tool import search_notes

__all__ = ["NotRead", "Notes", "SearchResults", "Snippet", "holds_notes", "search_notes"]

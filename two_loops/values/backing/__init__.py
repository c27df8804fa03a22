"""What backs an answer: for each of its sentences the snippets that share something that can be checked.

sentences.py   an answer in sentences
dates.py       days, months and weekdays of a text
numbers.py     numbers of a text, however they are written
quotations.py  what a text quotes, and its names
sources.py     what the tools of a run showed
backed.py      each sentence held against all of it
"""

from two_loops.values.backing.backed import Backing, backed
from two_loops.values.backing.sources import Source

__all__ = ["Backing", "Source", "backed"]

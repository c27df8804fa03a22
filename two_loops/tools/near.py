"""Files with a name like one that does not exist."""

from collections import defaultdict
from difflib import get_close_matches
from itertools import islice
from pathlib import Path

from two_loops.tools.listing import files_below

MOST_COMPARED = 20_000
LONGEST_COMPARED = 30  # characters of a name: comparing takes time that grows with the square of its length
MOST_NAMED = 3


def near(path: str, workspace: str | Path) -> list[str]:
    """At most three files whose names, folders aside, are most like that of the path; the best first."""
    by_name: dict[str, list[str]] = defaultdict(list)
    for file in islice(files_below(workspace), MOST_COMPARED):
        if isinstance(file, str):
            by_name[_compared(file)].append(file)
    names = get_close_matches(_compared(path), by_name, n=MOST_NAMED)
    return [file for name in names for file in sorted(by_name[name])][:MOST_NAMED]


def _compared(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2].lower()[:LONGEST_COMPARED]

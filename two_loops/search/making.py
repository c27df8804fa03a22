"""A new index, of the kind that this Python can have."""

from contextlib import closing
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from two_loops.search.plain import PlainIndex

if TYPE_CHECKING:
    from two_loops.search.index import Index

AnyIndex: TypeAlias = "Index | PlainIndex"


def made() -> AnyIndex:
    """An index in memory: sqlite's, or one in plain Python where there is no sqlite with FTS5."""
    if not has_fts5():
        return PlainIndex()
    from two_loops.search.index import Index

    index = Index()
    index.create()
    return index


def stored(where: Path, root: str) -> AnyIndex:
    """The index of the notes below the resolved folder that is kept in the directory; it needs FTS5."""
    from two_loops.search.storing import StoredIndex

    return StoredIndex(where, root)


@cache
def has_fts5() -> bool:
    """Whether this Python has sqlite, with FTS5."""
    try:
        import sqlite3

        with closing(sqlite3.connect(":memory:")) as database:
            database.execute("CREATE VIRTUAL TABLE tried USING fts5(text)")
    except ImportError:
        return False
    except sqlite3.OperationalError:
        return False
    return True

"""The index: which chunks hold which words, kept by sqlite's FTS5 in a database in memory, or in the one given."""

import os
import sqlite3
import weakref
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

from two_loops.search.analysing import words_in
from two_loops.search.entries import IN_TITLE, Counts, Entry, Known, Signature

PENDING_BYTES = 16 * 1024 * 1024  # of new chunks in memory, before they join the index
_GREATEST = 2**63 - 1  # of the integers that sqlite keeps
_BEHIND_ALL = "\U0010ffff"

_ENTRY = "title, text, path, line, start"
_KNOWN = "mtime, ctime, size, inode, settled, digest, first, last, characters, problems"
_ADD = f"INSERT INTO chunks(rowid, {_ENTRY}) VALUES (?, ?, ?, ?, ?, ?)"  # noqa: S608
_NOTE = f"INSERT OR REPLACE INTO notes(path, {_KNOWN}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608


class Index:
    """Chunks of notes in a database of sqlite, and what is known of the file of each note."""

    def __init__(self, database: sqlite3.Connection | None = None) -> None:
        made = database or sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._database = made
        self.close = weakref.finalize(self, made.close)
        self.close.atexit = False  # a fork that ends would close what its parent still uses, or wait for it
        self._run("PRAGMA temp_store = MEMORY")
        self._counts: Counts | None = None
        self._holding: dict[str, int] = {}
        self._vocabulary: set[str] | None = None

    def create(self) -> None:
        """Make the tables. Raises ``sqlite3.OperationalError`` where sqlite was built without FTS5."""
        columns = "title, text, path UNINDEXED, line UNINDEXED, start UNINDEXED"
        self._run(f"CREATE VIRTUAL TABLE chunks USING fts5({columns}, tokenize = 'ascii')")
        self._run("INSERT INTO chunks(chunks, rank) VALUES ('hashsize', ?)", PENDING_BYTES)
        self._run("CREATE VIRTUAL TABLE words USING fts5vocab(chunks, 'col')")
        self._run(f"CREATE TABLE notes(path BLOB PRIMARY KEY, {_KNOWN}) WITHOUT ROWID")

    def start(self) -> bool:
        """Begin a search. Returns whether the index is another than at the end of the last one."""
        return False

    def begin(self) -> None:
        """Start to change the index, where that is not under way."""
        if not self._database.in_transaction:
            self._run("BEGIN")
        self._counts = None
        self._holding.clear()

    def finish(self) -> None:
        """End a search, and keep all that was changed."""
        if self._database.in_transaction:
            self._run("COMMIT")

    def extent(self) -> tuple[int, int]:
        """How many files are known, and the greatest number that a chunk has."""
        ((files, last),) = self._run("SELECT count(*), ifnull(max(last), 0) FROM notes")
        return files, last

    def paths(self) -> list[str]:
        """The files that are known."""
        return [_path(raw) for (raw,) in self._run("SELECT path FROM notes")]

    def sound(self) -> Iterator[tuple[str, Signature]]:
        """Those of them that are sound, each with its signature, but for the few whose numbers are kept as text."""
        usual = "typeof(max(mtime, ctime, inode)) = 'integer'"  # text is greater than all numbers
        sound = f"settled AND problems = '' AND {usual}"
        rows = self._run(f"SELECT path, mtime, ctime, size, inode FROM notes WHERE {sound}")  # noqa: S608
        return ((_path(row[0]), row[1:]) for row in rows)

    def known(self, path: str) -> Known | None:
        """What is known of a file."""
        row = self._run(f"SELECT {_KNOWN} FROM notes WHERE path = ?", _raw(path)).fetchone()  # noqa: S608
        return row and Known(_signature(row[:4]), bool(row[4]), *row[5:])

    def note(self, path: str, known: Known) -> None:
        """Take down what is known of a file."""
        values = (_raw(path), *map(_number, known.signature), *known[1:])
        self._run(_NOTE, *values)

    def forget(self, path: str) -> None:
        """Forget what is known of a file."""
        self._run("DELETE FROM notes WHERE path = ?", _raw(path))

    def add(self, first: int, entries: Sequence[Entry]) -> None:
        """Index the chunks of a note under the numbers from ``first`` on."""
        rows = [(number, *entry[:2], _raw(entry.path), *entry[3:]) for number, entry in enumerate(entries, first)]
        if self._vocabulary is not None:
            self._vocabulary.update(word for entry in entries for word in words_in(f"{entry.title} {entry.text}"))
        self._database.executemany(_ADD, rows)

    def remove(self, first: int, last: int) -> None:
        """Take the chunks of these numbers out of the index."""
        self._run("DELETE FROM chunks WHERE rowid BETWEEN ? AND ?", first, last)

    def counts(self) -> Counts:
        """How much the index holds."""
        if self._counts is None:
            chunks = "last - first + 1"
            found = self._run(f"SELECT sum(first <= last), total({chunks}), total(characters) FROM notes")  # noqa: S608
            ((notes, chunks, whole),) = found
            self._counts = Counts(notes or 0, int(chunks), max(whole, 1) / max(chunks, 1))
        return self._counts

    def holding(self, word: str) -> int:
        """How many chunks hold the word. A title, which stands with each chunk of its note, counts once for a note."""
        if word not in self._holding:
            self._holding[word] = self.beginning(word, 1, word + "\0").get(word, 0)
        return self._holding[word]

    def beginning(self, start: str, most: int, end: str | None = None) -> dict[str, int]:
        """The words that begin so, those of most chunks first, each with the number of chunks that hold it."""
        counts = self.counts()
        once = counts.notes / max(counts.chunks, 1)
        query = """
            SELECT term, max(CASE col WHEN 'title' THEN cast(doc * ? + 0.999999 AS INT) ELSE doc END) AS held
            FROM words WHERE term >= ? AND term < ? GROUP BY term ORDER BY held DESC, term LIMIT ?"""
        found: dict[str, int] = dict(self._run(query, once, start, end or start + _BEHIND_ALL, most))
        self._holding.update(found)
        return found

    def vocabulary(self) -> Collection[str]:
        """Every word that a chunk holds, and perhaps some that one held."""
        if self._vocabulary is None:
            self._vocabulary = {word for (word,) in self._run("SELECT DISTINCT term FROM words")}
        return self._vocabulary

    def best(self, words: Iterable[str], most: int) -> list[Entry]:
        """The best chunks, by BM25, of those that hold any of the words."""
        any_of = " OR ".join(f'"{word}"' for word in words)
        if not any_of:
            return []
        # First the numbers alone: with the text beside them sqlite would load that of every chunk that matches.
        best = "SELECT rowid FROM chunks WHERE chunks MATCH ? ORDER BY bm25(chunks, ?, 1.0) LIMIT ?"
        query = f"SELECT {_ENTRY} FROM chunks WHERE rowid IN ({best})"  # noqa: S608
        return _entries(self._run(query, any_of, IN_TITLE, min(most, _GREATEST)))

    def with_text(self, text: str, most: int) -> list[Entry]:
        """Chunks that hold the text as it is, in a word or between words."""
        query = f"SELECT {_ENTRY} FROM chunks WHERE instr(title, ?1) OR instr(text, ?1) LIMIT ?2"  # noqa: S608
        return _entries(self._run(query, text, min(most, _GREATEST)))

    def _run(self, query: str, *values: Any) -> sqlite3.Cursor:
        return self._database.execute(query, values)


def _entries(rows: Iterable[Sequence[Any]]) -> list[Entry]:
    return [Entry(title, text, _path(path), line, start) for title, text, path, line, start in rows]


def _raw(path: str) -> bytes:
    """A path as it is kept: the bytes by which the system knows it, which may be no text."""
    return os.fsencode(path)


def _path(raw: bytes) -> str:
    return os.fsdecode(raw)


def _number(number: int) -> int | str:
    """A time or an inode as it is kept: a few are too great, or too far below zero, for an integer of sqlite's."""
    return number if abs(number) <= _GREATEST else str(number)


def _signature(numbers: Iterable[int | str]) -> Signature:
    """A file's signature as it was before it was kept."""
    modified, changed, size, inode = map(int, numbers)
    return modified, changed, size, inode

"""An index kept in a file, which holds the notes' text: for its owner alone, and made anew when it is not sound.

Several processes may search with one file. Each search reads from one state of it; what one process writes the others
find there. The file is written whole or not at all, also by a process that is killed.
"""

import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from urllib.parse import quote

from two_loops.errors import WrongUse
from two_loops.search.entries import MovedOn
from two_loops.search.index import Index
from two_loops.search.opening import RefusedError, reason
from two_loops.text import visible

APPLICATION = 0x74776F6C  # what tells our file from others: "twol"
VERSION = 1  # of what the tables hold, and of how text is analysed
PATIENCE = 120.0  # seconds to wait for another process that makes the first index of a large folder

Error = sqlite3.Error

_OPEN = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_NO_FAULT_OF_THE_FILE = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOMEM),
    *(sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_INTERRUPT),
}
_KIND = 0xFF  # of an error; the other bits of its code say more about it
_SETTINGS = (
    *("trusted_schema = OFF", "cell_size_check = ON", "secure_delete = ON"),
    *("journal_mode = DELETE", "synchronous = NORMAL"),
)


class StoredIndex(Index):
    """The index of the notes below a resolved folder, in a file of the directory ``where``.

    Raises WrongUse where the directory or the file is not the user's alone, and ``sqlite3.Error`` where it can't be
    used as an index.
    """

    def __init__(self, where: Path, root: str) -> None:
        self.path = private_file(where, _name(root))
        database = sqlite3.connect(
            f"file:{quote(os.fsencode(self.path))}?mode=rw",
            uri=True,
            timeout=PATIENCE,
            isolation_level=None,
            check_same_thread=False,
        )
        super().__init__(database)
        self._generation = -1
        self._writing = self._removed = False
        for setting in _SETTINGS:
            self._run(f"PRAGMA {setting}")
        self._prepare()

    def _prepare(self) -> None:
        """Make the tables in an empty file. Raises ``sqlite3.DatabaseError`` where it holds something else."""
        if self._mark() == (0, 0):
            self._run("BEGIN IMMEDIATE")
            if self._mark() == (0, 0):
                self.create()
                self._run("CREATE TABLE state(generation)")
                self._run("INSERT INTO state VALUES (0)")
                self._run(f"PRAGMA application_id = {APPLICATION}")
                self._run(f"PRAGMA user_version = {VERSION}")
            self._run("COMMIT")
        if self._mark() != (APPLICATION, VERSION):
            raise sqlite3.DatabaseError("the index is of another kind or version")

    def _mark(self) -> tuple[int, int]:
        ((application,),), ((version,),) = self._run("PRAGMA application_id"), self._run("PRAGMA user_version")
        return application, version

    def start(self) -> bool:
        """Begin to read from one state of the file. Returns whether it is another than at the end of the last one."""
        if not self._database.in_transaction:
            self._run("BEGIN")
        ((generation,),) = self._run("SELECT generation FROM state")
        moved_on = generation != self._generation
        self._generation = generation
        if moved_on:
            self._counts, self._vocabulary = None, None
            self._holding.clear()
        return bool(moved_on)

    def begin(self) -> None:
        """Start to change the index where that is not under way. Raises ``MovedOn`` where another process was first."""
        if not self._writing:
            self._run("ROLLBACK")
            self._run("BEGIN IMMEDIATE")
            self._writing = True
            ((generation,),) = self._run("SELECT generation FROM state")
            if generation != self._generation:
                raise MovedOn
        super().begin()

    def remove(self, first: int, last: int) -> None:
        """Take the chunks of these numbers out of the index."""
        self._removed = True
        super().remove(first, last)

    def finish(self) -> None:
        """End a search, and keep all that was changed; of what was removed nothing stays in the file."""
        if self._writing:
            self._generation += 1
            self._run("UPDATE state SET generation = ?", self._generation)
        if self._removed:
            self._run("INSERT INTO chunks(chunks) VALUES ('optimize')")
        super().finish()
        self._writing = self._removed = False


def private_file(where: Path, name: str) -> Path:
    """The file of that name in the directory, both made where missing. Raises WrongUse unless both are ours."""
    file = where / name
    try:
        with suppress(FileExistsError):
            where.mkdir(mode=0o700)
        _require_private(where, where.lstat(), stat.S_ISDIR)
        descriptor = os.open(file, _OPEN, 0o600)
        try:
            _require_private(file, os.fstat(descriptor), stat.S_ISREG)
            if os.fstat(descriptor).st_nlink != 1:
                raise RefusedError(f"{visible(str(file))} has a second name elsewhere; remove it")
        finally:
            os.close(descriptor)
    except OSError as error:
        raise WrongUse(f"no index can be kept in {visible(str(where))}: {reason(error)}") from error
    return file


def _require_private(path: Path, status: os.stat_result, is_right: Callable[[int], bool]) -> None:
    if not is_right(status.st_mode):
        raise RefusedError(f"{visible(str(path))} is a link, or something else that is not expected there")
    if status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise RefusedError(f"{visible(str(path))} must be yours, and no one else may open it (chmod go-rwx)")


def discarded(where: Path, root: str, error: sqlite3.Error) -> bool:
    """Remove a file that is no sound index of ours. Returns False where the error says nothing against it."""
    if getattr(error, "sqlite_errorcode", 0) & _KIND in _NO_FAULT_OF_THE_FILE:
        return False
    file = private_file(where, _name(root))
    for gone in (file, file.with_name(f"{file.name}-journal")):
        gone.unlink(missing_ok=True)
    return True


def _name(root: str) -> str:
    return f"notes-{sha256(os.fsencode(root)).hexdigest()[:16]}.sqlite"

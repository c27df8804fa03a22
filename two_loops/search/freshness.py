"""The index kept as the folder is: each search first looks at every file, and reads those that changed."""

import os
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import blake2b
from operator import attrgetter, itemgetter
from pathlib import Path

from two_loops.search.decoding import decode
from two_loops.search.entries import Known, MovedOn, Signature, characters
from two_loops.search.folders import Folder, Signatures, folders
from two_loops.search.making import AnyIndex
from two_loops.search.mounts import is_local
from two_loops.search.opening import MAX_NOTE_BYTES, Bytes, reason
from two_loops.search.reading import entries_of
from two_loops.search.results import NotRead
from two_loops.search.settling import is_settled
from two_loops.search.walking import Source, notes_of, read, walk
from two_loops.search.watching import Watch
from two_loops.text import visible

MAX_FOLDER_BYTES = 512 * 1024 * 1024

BINARY = "it looks binary"
TOO_LARGE = f"too large: only its first {MAX_NOTE_BYTES >> 20} MiB are searched"
TOO_MUCH = f"the folder holds more than the {MAX_FOLDER_BYTES >> 20} MiB that are searched"


@dataclass
class _Look:
    """One look at the folder ``root``: how many bytes of it may still be read, and what was found.

    same: the folders whose notes are all sound, and as they were. seen: the notes of the others. sound: those of them
    that need not be looked into again as long as they are so.
    """

    root: str
    left: int = field(default_factory=lambda: MAX_FOLDER_BYTES)
    not_read: list[NotRead] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    same: dict[str, Signatures] = field(default_factory=dict)
    sound: dict[str, Signatures] = field(default_factory=dict)

    @cached_property
    def is_local(self) -> bool:
        """Whether only this machine changes the notes."""
        return is_local(self.root)

    def has(self, path: str) -> bool:
        """Whether the note is in the folder. One that is not sound may be gone from a folder that is the same."""
        folder, _, name = path.rpartition("/")
        return path in self.seen or name in self.same.get(folder, ())


def _nobody(_path: str) -> None:
    """Nobody hears of the notes that are read."""


class Fresh:
    """An index of the notes below a resolved folder, and what it knows of their files, by path."""

    def __init__(
        self, root: str, index: AnyIndex, *, watch: bool = False, on_read: Callable[[str], object] = _nobody
    ) -> None:
        self.root = root
        self._on_read = on_read
        self.index = index
        self._sound: dict[str, Signatures] = {}
        self._files = self._last = 0  # a new index is empty, and any other is taken over at the first search
        self._not_read: list[NotRead] = []
        self._looked = False  # at every file, with success
        self._watch = _watch(root) if watch else None

    def _take_over(self) -> None:
        """Know what the index says, which another process may have written."""
        self._files, self._last = self.index.extent()
        sound: dict[str, dict[str, Signature]] = defaultdict(dict)
        for path, signature in self.index.sound():
            folder, _, name = path.rpartition("/")
            sound[folder][name] = signature
        self._sound = dict(sound)

    def refresh(self) -> list[NotRead]:
        """Bring the index to what the folder holds now. Returns what was not read, or not to its end.

        It stays open, for one search, until it is told to ``finish``.
        """
        while True:
            if moved_on := self.index.start():
                self._take_over()
            try:
                if moved_on or self._may_have_changed():
                    self._not_read = self._refreshed()
                return list(self._not_read)
            except MovedOn:  # while this process waited for its turn to write
                continue

    def _may_have_changed(self) -> bool:
        """Whether every file has to be looked at, as nothing tells that none changed."""
        if self._watch is None:
            return True
        try:
            if self._looked and self._watch.is_quiet():
                return False
            self._watch.cover()
        except OSError:  # the root is gone, or there is more than the machine will watch
            self._watch.close()
            self._watch = None
        return True

    def close(self) -> None:
        """Give back what the index and the watch take."""
        self.index.close()
        if self._watch is not None:
            self._watch.close()

    def _refreshed(self) -> list[NotRead]:
        self._looked = False
        look = _Look(self.root)
        for path, folder in folders(self.root, signed=True, before=self._sound):
            if isinstance(folder, OSError):
                look.not_read.append(NotRead(visible(path) or ".", reason(folder)))
            elif not (self._is_same(path, folder, look) or self._look_through(path, folder, look)):
                break
        if len(look.seen) + sum(map(len, look.same.values())) != self._files:
            for path in self.index.paths():
                if not look.has(path):
                    self._forget(path, self.index.known(path))
        self._sound = look.same | look.sound
        self._looked = all(of.reason in (BINARY, TOO_LARGE) for of in look.not_read)
        return sorted(look.not_read, key=attrgetter("file"))

    def _is_same(self, path: str, folder: Folder, look: _Look) -> bool:
        """Whether all notes in the folder are as they were, compared in one go: that is what most searches find."""
        if not folder.is_as_before:
            return False
        size = sum(map(itemgetter(2), folder.before.values()))
        if size > look.left:
            return False
        look.same[path] = folder.before
        look.left -= size
        return True

    def _look_through(self, path: str, folder: Folder, look: _Look) -> bool:
        """Look at each note in the folder. Returns False where there is more than can be searched."""
        sound: dict[str, Signature] = {}
        for note, signature, source in notes_of(folder, path, self.root):
            if isinstance(signature, OSError):
                look.not_read.append(NotRead(visible(note), reason(signature)))
                continue
            look.left -= min(signature[2], MAX_NOTE_BYTES)
            if look.left < 0:
                look.not_read.append(NotRead(visible(note), TOO_MUCH))
                return False
            name = note.rpartition("/")[2]
            try:
                if folder.before.get(name) == signature or self._look(note, signature, source, look):
                    sound[name] = signature
            except OSError as error:
                look.not_read.append(NotRead(visible(note), reason(error)))
            else:
                look.seen.add(note)
        look.sound[path] = sound
        return True

    def _look(self, path: str, signature: Signature, source: Source, look: _Look) -> bool:
        """Read the file where it may have changed. Returns whether all is well with it. Raises ``OSError``."""
        known = self.index.known(path)
        if known is None or known.signature != signature or not known.settled:
            self._on_read(path)
            settled = is_settled(signature, local=look.is_local)
            known = self._read(path, signature, settled, read(path, source, self.root), known)
        look.not_read += [NotRead(visible(path), problem) for problem in known.problems.splitlines()]
        return known.is_sound

    def _read(self, path: str, signature: Signature, settled: bool, content: Bytes, before: Known | None) -> Known:
        digest = digest_of(content)
        if before is not None and before.digest == digest:
            known = before._replace(signature=signature, settled=settled)
        else:
            self._forget(path, before)
            known = self._indexed(path, signature, settled, digest, content)
            self._files += 1
        if known != before:
            self.index.begin()
            self.index.note(path, known)
        return known

    def _indexed(self, path: str, signature: Signature, settled: bool, digest: bytes, content: Bytes) -> Known:
        text = decode(content[0])
        entries = [] if text is None else entries_of(path, text)
        problems = [*([] if content[1] else [TOO_LARGE]), *([BINARY] if text is None else [])]
        first, self._last = self._last + 1, self._last + len(entries)
        self.index.begin()
        self.index.add(first, entries)
        length = sum(map(characters, entries))
        return Known(signature, settled, digest, first, self._last, length, "\n".join(problems))

    def _forget(self, path: str, known: Known | None) -> None:
        if known is not None:
            self.index.begin()
            self.index.remove(known.first, known.last)
            self.index.forget(path)
            self._files -= 1


def digest_of(content: Bytes) -> bytes:
    """What tells the bytes of a file, and whether they are all, from all others."""
    raw, complete = content
    return blake2b(raw, digest_size=16, person=b"all" if complete else b"begin").digest()


def holds_notes(notes_dir: str | Path) -> bool:
    """Whether any note below the folder can be read; it stops at the first."""
    root = os.path.realpath(notes_dir)
    return any(_can_be_read(path, signature, source, root) for path, signature, source in walk(root))


def _can_be_read(path: str, signature: Signature | OSError, source: Source, root: str) -> bool:
    try:
        return not isinstance(signature, OSError) and decode(read(path, source, root)[0]) is not None
    except OSError:
        return False


def _watch(root: str) -> Watch | None:
    """A watch of the folder, None where the machine has none to give."""
    try:
        return Watch(root)
    except OSError:
        return None

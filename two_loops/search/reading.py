"""The notes of a folder as text, and a word about each that could not be read."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from two_loops.search.decoding import decode
from two_loops.search.opening import MAX_NOTE_BYTES, reason
from two_loops.search.results import NotRead
from two_loops.search.walking import walk
from two_loops.search.words import fold
from two_loops.text import visible

MAX_FOLDER_BYTES = 512 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Note:
    """A note's text with ``\\n`` line ends, and the same folded for matching: both have the same lines."""

    file: str
    text: str
    folded: str


def read_notes(notes_dir: str | Path) -> Iterator[Note | NotRead]:
    """Every note below the folder, and what was not read, or not to its end. At most ``MAX_FOLDER_BYTES`` are kept."""
    left = MAX_FOLDER_BYTES
    for path, found in walk(os.path.realpath(notes_dir)):
        file = visible(path) or "."
        if isinstance(found, OSError):
            yield NotRead(file, reason(found))
            continue
        raw, complete = found
        left -= len(raw)
        if left < 0:
            yield NotRead(file, f"the folder holds more than the {MAX_FOLDER_BYTES >> 20} MiB that are searched")
            return
        if not complete:
            yield NotRead(file, f"too large: only its first {MAX_NOTE_BYTES >> 20} MiB are searched")
        yield _note(file, raw)


def holds_notes(notes_dir: str | Path) -> bool:
    """Whether any note below the folder can be read; it stops at the first."""
    return any(isinstance(found, Note) for found in read_notes(notes_dir))


def _note(file: str, raw: bytes) -> Note | NotRead:
    text = decode(raw)
    return NotRead(file, "it looks binary") if text is None else Note(file, text, fold(text))

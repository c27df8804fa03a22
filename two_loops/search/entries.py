"""What an index holds: chunks of notes, and what is known of the file of each note."""

from dataclasses import dataclass
from typing import NamedTuple

IN_TITLE = 2.0  # how much more a word counts in a title or a name than in the text

# A file's time of change, time of its status's change, size and inode: one of them changes whenever the file does.
Signature = tuple[int, int, int, int]


class MovedOn(Exception):
    """Another process changed the index since it was read."""


class Entry(NamedTuple):
    """A chunk as it is indexed: the analysed title of its note, its own analysed text, and where it stands.

    title: the note's name and its first line. line: of the chunk's first line in the note. start: where in that line
    it begins, when it is a piece of a long one; both count from 0.
    """

    title: str
    text: str
    path: str
    line: int
    start: int


class Known(NamedTuple):
    """What is known of a file: how it was when it was read, and where it stands in the index.

    settled: it was old enough when it was read that each later change must show in its signature.
    digest: of the bytes that were read. first, last: the numbers of its chunks, none where ``last`` is smaller.
    characters: of all its chunks. problems: what kept it from being read, or read to its end, each in a line.
    """

    signature: Signature
    settled: bool
    digest: bytes
    first: int
    last: int
    characters: int
    problems: str

    @property
    def is_sound(self) -> bool:
        """Whether nothing is to be done or told as long as the file has this signature."""
        return self.settled and not self.problems


@dataclass(frozen=True, slots=True)
class Counts:
    """How many notes and chunks an index holds, and how many characters the usual chunk has."""

    notes: int
    chunks: int
    usual: float


def characters(entry: Entry) -> int:
    """The length of a chunk, its title included."""
    return len(entry.title) + len(entry.text)

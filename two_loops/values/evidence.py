"""What a run has shown to the model: which lines of which files."""

import re
import unicodedata
from dataclasses import dataclass
from math import inf

# Normalising takes quadratic time over one run of combining marks; no file's name has runs as long as this.
_NON_ASCII_RUN = re.compile(r"[\x00-\x7f]?[^\x00-\x7f]{1,1000}")


@dataclass(frozen=True)
class Shown:
    """Lines ``line`` to ``last_line`` of a file (1-based, both included) were shown; without lines, all of it."""

    file: str
    line: int | None = None
    last_line: int | None = None

    def __post_init__(self) -> None:
        lines = (self.line, self.last_line)
        if not isinstance(self.file, str) or not all(line is None or isinstance(line, int) for line in lines):
            raise TypeError("a file that was shown is a str, and its lines are whole numbers or None")


@dataclass(frozen=True)
class Named:
    """A file's name was shown, and nothing of what it holds: to cite it is to cite what was not shown."""

    file: str

    def __post_init__(self) -> None:
        if not isinstance(self.file, str):
            raise TypeError("a file that was named is a str")


class Evidence:
    """The files and lines that a run showed; two spellings of a name that are equal in Unicode NFC are one file."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._ranges: dict[str, list[tuple[float, float]]] = {}

    def take(self, item: Shown | Named) -> None:
        """Count what a tool's result shows, or take note of the name in it."""
        if isinstance(item, Shown):
            self.add(item.file, item.line, item.last_line)
        else:
            self.name(item.file)

    def add(self, file: str, first: int | None = None, last: int | None = None) -> None:
        """Count lines ``first`` to ``last`` as shown; without lines the whole file, without ``last`` one line."""
        key = self.name(file)
        start, end = (1, inf) if first is None else (first, first if last is None else last)
        shown = self._ranges.setdefault(key, [])
        if 1 <= start <= end:
            self._ranges[key] = _merged([*shown, (start, end)])

    def name(self, file: str) -> str:
        """Take note of a file's name, which shows nothing. Returns the spelling by which it is known here."""
        key = canonical(file)
        self._names.setdefault(key, escaped(file))
        return key

    def names(self) -> list[str]:
        """Return the names of all files, shown or only named, as they were first spelled."""
        return list(self._names.values())

    def files(self) -> list[str]:
        """Return the names of the files that were shown, sorted, as they were first spelled."""
        return sorted(self._names[key] for key in self._ranges)

    def shows(self, file: str, line: int | None = None, last_line: int | None = None) -> bool:
        """Whether the file, and every line of the range where one is given, was shown."""
        key = canonical(file)
        if line is None:
            return key in self._ranges and last_line is None
        end = line if last_line is None else last_line
        return line <= end and any(first <= line and end <= last for first, last in self._ranges.get(key, ()))


def canonical(text: str) -> str:
    """The spelling in which names are compared."""
    if text.isascii():
        return text
    return _NON_ASCII_RUN.sub(lambda run: unicodedata.normalize("NFC", run[0]), escaped(text))


def escaped(text: str) -> str:
    """The text without lone surrogates (in names that are no Unicode), which no result can carry."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def _merged(ranges: list[tuple[float, float]]) -> list[tuple[float, float]]:
    merged: list[tuple[float, float]] = []
    for first, last in sorted(ranges):
        if merged and first <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], last))
        else:
            merged.append((first, last))
    return merged

"""What a task asks for, as far as its words tell: files to read, sums to do, a note to save, and a question."""

import re
from dataclasses import dataclass

from two_loops.text import well_formed

_LONGEST = 2000  # characters of a task that are read
_AROUND = ",;:?!\"'“”()[]"  # what may stand around a file's name in a sentence

_FILE = re.compile(r"\.{0,2}/\S+|\S*\w\.[A-Za-z]\w{1,4}")
_EXPRESSION = re.compile(r"(?<![\w.,/-])[\d(][\d.() ]*(?:(?:[+*%]|\*\*|//| [-/] ) *-?[\d(][\d.() ]*)+(?![\w/])")
_NOTE = re.compile(
    r"\bnotes?(?: that says| saying)?: *(?P<said>.+)|\bnote that +(?P<told>.+)", re.IGNORECASE | re.DOTALL
)
_QUOTED = re.compile('["“](?P<said>[^"“”]+)["”]')
_TOTAL = re.compile(r"\b(?:total|sum|add(?: them| it)? up)\b", re.IGNORECASE)
_SAVE = re.compile(r"\bsave\b|\bnote down\b", re.IGNORECASE)
_LIST = re.compile(r"\b(?:list|which|what)\b.{0,20}\bfiles\b", re.IGNORECASE)
_COMMANDS = re.compile(
    r"\b(?:calculate|compute|read|save|total|sum|add(?: them| it)? up|costs?|notes?|list|files?|result|and|then)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Task:
    """files: their paths as typed. expressions: arithmetic. note: the words to save, where the task gives them.

    question: what is left of the task's words once all that is taken out.
    """

    files: tuple[str, ...]
    expressions: tuple[str, ...]
    lists: bool
    totals: bool
    saves: bool
    note: str | None
    question: str


def read_task(text: str) -> Task:
    """The task in ``text``."""
    text = well_formed(text[:_LONGEST])
    saves = bool(_SAVE.search(text))
    note, rest = _note(text) if saves else (None, text)
    expressions = [match.group() for match in _EXPRESSION.finditer(rest)]
    rest = _EXPRESSION.sub(" ", rest)
    words = [word.strip(_AROUND).removesuffix(".") for word in rest.split()]
    files = [word for word in words if _FILE.fullmatch(word)]
    return Task(
        files=tuple(dict.fromkeys(files)),
        expressions=tuple(dict.fromkeys(expression.strip() for expression in expressions)),
        lists=bool(_LIST.search(rest)),
        totals=bool(_TOTAL.search(rest)),
        saves=saves,
        note=note,
        question=_COMMANDS.sub(" ", " ".join(word for word in words if word not in files)),
    )


def _note(text: str) -> tuple[str | None, str]:
    """The words that are to be saved, and the task without them."""
    if match := _NOTE.search(text) or _QUOTED.search(text):
        said = next(words for words in match.groupdict().values() if words)
        return said.strip().strip('"“”').strip() or None, text[: match.start()] + text[match.end() :]
    return None, text

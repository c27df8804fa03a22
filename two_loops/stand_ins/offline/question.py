"""What a question asks, as far as its words tell."""

import re
from dataclasses import dataclass

from two_loops.stand_ins.offline.calendar import A_DATE, months_before_or_after
from two_loops.stand_ins.offline.vocabulary import BROAD_WORDS, FUNCTION_WORDS, LIGHT_STEMS
from two_loops.stand_ins.offline.words import Word, words_of

_WANTED = (
    (re.compile(r"\bwhen\b|\b(what|which) (date|day|time|month)\b", re.IGNORECASE), A_DATE),
    (re.compile(r"\bwho\b", re.IGNORECASE), re.compile(r"\b(by|with|from|to) [A-Z]\w|[A-Z]\w+ [A-Z]\w")),
    (re.compile(r"\bhow (much|many|long|often|old|far)\b|\b(cost|price)\b", re.IGNORECASE), re.compile(r"\d")),
    (re.compile(r"\bwhere\b", re.IGNORECASE), re.compile(r"\b(in|on|under|behind|at|near|by|inside)\b", re.IGNORECASE)),
)
_LONGEST = 2000  # characters of a question that are read
_NOTHING_WANTED = re.compile(r"(?!)")


@dataclass(frozen=True)
class Question:
    """The content words, and what else a line should hold: one of the ``months`` (1-12), if any; better the wanted."""

    words: tuple[Word, ...]
    broad: bool
    months: tuple[int, ...]
    wanted: re.Pattern[str]

    @property
    def specific(self) -> tuple[Word, ...]:
        """The words without which a line is about something else."""
        return tuple(word for word in self.words if word.stem not in LIGHT_STEMS) or self.words


def read_question(text: str) -> Question:
    """The question in ``text``; without content words it can't be searched for."""
    months, rest = months_before_or_after(text[:_LONGEST])
    spoken = words_of(rest)
    content = {word.stem: word for word in reversed(spoken) if _has_content(word)}
    broad = bool(months) or any(word.plain in BROAD_WORDS for word in spoken)
    wanted = next((line for asked, line in _WANTED if asked.search(rest)), _NOTHING_WANTED)
    return Question(tuple(reversed(content.values())), broad, months, wanted)


def _has_content(word: Word) -> bool:
    if word.plain == "may":
        return word.typed == "May"
    letter = len(word.plain) == 1 and word.plain.isascii() and word.plain.isalpha()
    return not letter and word.plain not in FUNCTION_WORDS and word.plain not in BROAD_WORDS

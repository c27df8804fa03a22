"""Text in the form that is indexed: words between ASCII punctuation, cut alike by sqlite and by ``words_in``.

Folded text of ASCII is in that form already. Elsewhere a space stands for what is no word, a symbol is a word of its
own, and where a script puts no spaces between words, each two neighbouring characters are one. Lines stay lines.
"""

import re
import unicodedata
from collections.abc import Iterable
from itertools import pairwise

from two_loops.search.words import UNSPACED, fold, is_word_char

# As sqlite's tokenizer "ascii" cuts: every character beyond ASCII belongs to a word.
_WORD = re.compile("[a-z0-9\x80-\U0010ffff]+")
_PERHAPS_NO_WORD = re.compile(r"[^\w\x00-\x7f]")
_UNSPACED_RUN = re.compile(f"{UNSPACED}+")
_APOSTROPHE = re.compile("[\u2018\u2019\u02bc\uff07]")


class _Separated(dict[str, str]):
    """From each character to what stands for it, found out once: marks stay, a symbol is a word, the rest is none."""

    def __missing__(self, char: str) -> str:
        apart = f" {char} " if unicodedata.category(char)[0] == "S" else " "
        self[char] = char if is_word_char(char) else apart
        return self[char]


_separated = _Separated()


def analysed(text: str) -> str:
    """The text in the form that is indexed."""
    if text.isascii():
        return text.lower()
    folded = fold(_APOSTROPHE.sub("'", text))
    apart = _PERHAPS_NO_WORD.sub(lambda char: _separated[char.group()], folded)
    return _UNSPACED_RUN.sub(lambda run: f" {' '.join(pairs(run.group()))} ", apart)


def words_in(line: str) -> list[str]:
    """The words of analysed text, in order."""
    return _WORD.findall(line)


def stands_in(text: str, line: str) -> bool:
    """Whether analysed text holds the other as a whole: no word goes on before or after it."""
    at = line.find(text)
    while at >= 0 and (_goes_on(line[at - 1 : at]) or _goes_on(line[at + len(text) : at + len(text) + 1])):
        at = line.find(text, at + 1)
    return at >= 0


def _goes_on(char: str) -> bool:
    return char.isalnum() or char >= "\x80"


def pairs(run: str) -> Iterable[str]:
    """Each two neighbouring characters of the run; of one character, that."""
    return [first + second for first, second in pairwise(run)] or [run]

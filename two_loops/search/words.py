"""Text folded for matching, and a query cut into the terms to look for."""

import re
import unicodedata
from itertools import groupby, pairwise
from typing import NamedTuple

MAX_TERMS = 64
MAX_QUERY = 2000

# Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic, and what is not seen: none of it tells words apart.
_UNWRITTEN = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u0652\u0670"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\xad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_PLAIN_LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "\u0131": "i", "æ": "ae", "œ": "oe"}
_NOT_PLAIN = re.compile("[øłđħ\u0131æœ]")
# Thai, Lao, Tibetan, Burmese, Khmer, Kana, Bopomofo and Han put no spaces between words.
_UNSPACED = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff]"
)
# Quotation marks, brackets and the ends of sentences; not the + of C++ or the # of C#.
_AROUND_A_CODE = (
    "\"'`.,;:!?()[]{}<>*_\xa1\xab\xbb\xbf\u0964\u060c\u061f"
    "\u2013\u2014\u2018\u2019\u201a\u201c\u201d\u201e\u2026\u2039\u203a\u3001\u3002\u300c\u300d\u300e\u300f\uff01\uff08\uff09\uff0c\uff1f"
)


class Term(NamedTuple):
    """Something to look for in folded text.

    words: it is made of words, so it is whole only where no word goes on before or after it.
    """

    text: str
    words: bool


def fold(text: str) -> str:
    """The text without case, accents and other differences that a reader would overlook. Keeps every ``\\n``."""
    if text.isascii():
        return text.lower()
    parts = _UNWRITTEN.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return _NOT_PLAIN.sub(lambda letter: _PLAIN_LETTERS[letter.group()], unicodedata.normalize("NFC", parts))


def is_word_char(char: str) -> bool:
    """Letters, marks and numbers: with ``\\w`` alone the vowel signs of Hindi or Thai would end a word."""
    return char.isalnum() or (not char.isascii() and unicodedata.category(char)[0] == "M")


def terms_of(query: str) -> list[Term]:
    """The query's terms, at most ``MAX_TERMS``, each once: its words, pairs of characters where a script has
    no spaces between words, and codes such as 12/03, INV-2031 or a mail address also as a whole. Without any word,
    the query itself.
    """
    folded = fold(query[:MAX_QUERY])
    terms = [term for chunk in folded.split() for term in _terms_of_chunk(chunk)]
    terms = terms or [Term(text, words=False) for text in [folded.strip()] if text]
    return list(dict.fromkeys(terms))[:MAX_TERMS]


def _terms_of_chunk(chunk: str) -> list[Term]:
    words = ["".join(run) for is_word, run in groupby(chunk, is_word_char) if is_word]
    code = chunk.strip(_AROUND_A_CODE)
    terms = [term for word in words for term in _terms_of_word(word)]
    is_code = words and code not in words and not _UNSPACED.search(code)
    return [Term(code, words=True), *terms] if is_code else terms


def _terms_of_word(word: str) -> list[Term]:
    runs = [(unspaced, "".join(run)) for unspaced, run in groupby(word, lambda char: bool(_UNSPACED.match(char)))]
    return [term for unspaced, run in runs for term in (_pairs(run) if unspaced else [Term(run, words=True)])]


def _pairs(run: str) -> list[Term]:
    return [Term(first + second, words=False) for first, second in pairwise(run)] or [Term(run, words=False)]

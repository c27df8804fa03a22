"""Text folded for matching, and what belongs to a word."""

import re
import unicodedata

# Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic, and what is not seen: none of it tells words apart.
_UNWRITTEN = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u0652\u0670"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\xad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_PLAIN_LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "\u0131": "i", "æ": "ae", "œ": "oe"}
_NOT_PLAIN = re.compile("[øłđħ\u0131æœ]")
# Thai, Lao, Tibetan, Burmese, Khmer, Kana, Bopomofo and Han put no spaces between words.
UNSPACED = (
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff]"
)


def fold(text: str) -> str:
    """The text without case, accents and other differences that a reader would overlook. Keeps every ``\\n``."""
    if text.isascii():
        return text.lower()
    parts = _UNWRITTEN.sub("", unicodedata.normalize("NFKD", text.casefold()))
    return _NOT_PLAIN.sub(lambda letter: _PLAIN_LETTERS[letter.group()], unicodedata.normalize("NFC", parts))


def is_word_char(char: str) -> bool:
    """Letters, marks and numbers: with ``\\w`` alone the vowel signs of Hindi or Thai would end a word."""
    return char.isalnum() or (not char.isascii() and unicodedata.category(char)[0] == "M")

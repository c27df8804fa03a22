"""Words and how far two of them agree: the same, of one stem, or one slip of the keyboard apart."""

import re
from functools import lru_cache
from itertools import groupby, takewhile
from typing import NamedTuple

from two_loops.search.words import fold, is_word_char

_VERB_ENDINGS = (("ings", ""), ("ing", ""), ("ed", ""))
_ENDINGS = (
    *(("ies", "y"), ("ied", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")),
    *(*_VERB_ENDINGS, ("s", "")),
)
_LOST_ITS_E = re.compile("[^aeiou][aeiou][^aeiouwxy]")
_LONGEST_WITH_E = 4
_SHORTEST_STEM = 3
_SHORTEST_FORGIVEN = 5


class Word(NamedTuple):
    """A word as typed, with case and accents folded, and cut to its stem."""

    typed: str
    plain: str
    stem: str


class Held(NamedTuple):
    """The words that a text holds."""

    plain: frozenset[str]
    stems: frozenset[str]


def words_of(text: str) -> list[Word]:
    """The words of ``text`` in order: runs of letters, their marks, and digits."""
    runs = ("".join(run) for is_word, run in groupby(text, is_word_char) if is_word)
    return [Word(run, fold(run), stem(fold(run))) for run in runs if fold(run)]


def held_by(text: str) -> Held:
    """The words of ``text`` as a set to look words up in."""
    words = words_of(text)
    return Held(frozenset(word.plain for word in words), frozenset(word.stem for word in words))


@lru_cache(maxsize=4096)
def stem(plain: str) -> str:
    """``plain`` without the commonest English endings: "services" and "serviced" meet in "servic"; "tax" stays."""
    root = _without_ending(plain) if plain.isalpha() and not plain.endswith("ss") else plain
    if len(root) > _SHORTEST_STEM and root[-1] == root[-2]:
        return root[:-1]
    return root.removesuffix("e") if len(root) > _LONGEST_WITH_E else root


def misspelt(word: str, other: str) -> bool:
    """Whether two stems are one slip apart; never so for short words, numbers or another first letter."""
    lengths = sorted((len(word), len(other)))
    if lengths[0] < _SHORTEST_FORGIVEN or lengths[1] == _SHORTEST_FORGIVEN or lengths[1] - lengths[0] > 1:
        return False
    return word[0] == other[0] and word.isalpha() and other.isalpha() and _one_edit(word, other)


def _one_edit(word: str, other: str) -> bool:
    """Whether one letter more, less, changed or swapped with its neighbour turns ``word`` into ``other``."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False)))
    rest, others = word[same:], other[same:]
    swapped = rest[:2] == others[1::-1] and rest[2:] == others[2:]
    return swapped or rest[1:] == others[1:] or rest[1:] == others or rest == others[1:]


def _without_ending(plain: str) -> str:
    for ending, instead in _ENDINGS:
        root = plain.removesuffix(ending) + instead
        if plain.endswith(ending) and len(root) >= _SHORTEST_STEM and any(vowel in root for vowel in "aeiouy"):
            # "cared" comes from "care": from "car" it would be "carred".
            return root + "e" if (ending, instead) in _VERB_ENDINGS and _LOST_ITS_E.fullmatch(root) else root
    return plain

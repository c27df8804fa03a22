"""One edit forgiven to a word of the query that no note holds."""

import re
from collections.abc import Iterable

from two_loops.search.words import Term

SHORTEST_FORGIVEN = 4

# Cheap, for whole notes: anything between spaces, ASCII punctuation and the common punctuation of other scripts.
_WORD = re.compile(
    r"[^\s\x00-/:-@\[-`{-\xa9\xab-\xb4\xb6-\xb9\xbb-\xbf\u060c\u061b\u061f\u0964\u0965\u2000-\u206f\u3000-\u303f]{3,}"
)


def vocabulary(texts: Iterable[str]) -> set[str]:
    """The words of folded texts."""
    return {word for text in texts for word in _WORD.findall(text)}


def is_forgivable(term: Term) -> bool:
    """Only a longer word of letters: one edit makes another code, date or short word of it."""
    return term.words and len(term.text) >= SHORTEST_FORGIVEN and not any(char.isdigit() for char in term.text)


def nearest(term: Term, known: Iterable[str]) -> list[Term]:
    """The known words that are one edit away, in the order of the alphabet."""
    half = len(term.text) // 2
    # Wherever the edit is, the word still begins or ends alike: this leaves few words to look at closely.
    head, tail = term.text[: half - 1], term.text[half + 1 :]
    alike = (word for word in known if word.startswith(head) or word.endswith(tail))
    return [Term(word, words=True) for word in sorted(alike) if is_one_edit(term.text, word)]


def is_one_edit(one: str, other: str) -> bool:
    """Whether one character put in, left out, replaced or swapped with the next makes one of the other."""
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1:
        return False
    same = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    if len(one) < len(other):
        return one[same:] == other[same + 1 :]
    swapped = one[same : same + 2] == other[same : same + 2][::-1]
    return one != other and (one[same + 1 :] == other[same + 1 :] or (swapped and one[same + 2 :] == other[same + 2 :]))

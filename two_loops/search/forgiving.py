"""The nearest known words to one that no note holds: begun alike, one edit away, around it, or two edits away."""

from collections.abc import Collection, Iterable

SHORTEST_FORGIVEN = 4
SHORTEST_INSIDE = 3
SHORTEST_TWICE_FORGIVEN = 6


def inside(word: str, known: Iterable[str]) -> list[str]:
    """The known words that hold the word, when it is long enough to mean something there."""
    long_enough = len(word) >= SHORTEST_INSIDE or not word.isascii()
    return [other for other in known if word in other] if long_enough else []


def is_forgivable(word: str) -> bool:
    """Only a longer word of letters: one edit makes another code, date or short word of it."""
    return len(word) >= SHORTEST_FORGIVEN and not any(char.isdigit() for char in word)


def one_edit_away(word: str, known: Iterable[str]) -> list[str]:
    """The known words that one edit makes of the word."""
    half = len(word) // 2
    # Wherever the edit is, the word still begins or ends alike: this leaves few words to look at closely.
    head, tail = word[: half - 1], word[half + 1 :]
    return [other for other in known if (other.startswith(head) or other.endswith(tail)) and is_one_edit(word, other)]


def two_edits_away(word: str, known: Collection[str]) -> list[str]:
    """The known words of the same first letter that at most two edits make of the word, when it is long enough."""
    if len(word) < SHORTEST_TWICE_FORGIVEN:
        return []
    letters = frozenset(word)
    alike = (other for other in known if other[0] == word[0] and abs(len(other) - len(word)) <= 2)
    return [other for other in alike if len(letters.symmetric_difference(other)) <= 4 and edits(word, other) <= 2]


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


def edits(one: str, other: str) -> int:
    """How many characters put in, left out, replaced or swapped with the next make one of the other."""
    before: list[int] = []
    above = list(range(len(other) + 1))
    for row, char in enumerate(one, 1):
        line = [row]
        for column, opposite in enumerate(other, 1):
            cost = min(above[column] + 1, line[-1] + 1, above[column - 1] + (char != opposite))
            if row > 1 and column > 1 and char == other[column - 2] and one[row - 2] == opposite:
                cost = min(cost, before[column - 2] + 1)
            line.append(cost)
        before, above = above, line
    return above[-1]

"""How well a line holds the words of a question."""

import math
from collections.abc import Sequence

from two_loops.stand_ins.offline.evidence import Line
from two_loops.stand_ins.offline.vocabulary import also
from two_loops.stand_ins.offline.words import Held, Word, misspelt, stem

_SAME_STEM = 0.8
_SLIP_FORGIVEN = 0.6
_OTHER_WORD, _EACH_MORE, _OTHER_WORDS_AT_MOST = 0.5, 0.1, 0.75
_NEARBY = 0.5


def agreement(word: Word, held: Held, *, forgiven: bool = False) -> float:
    """From 0 (``held`` has nothing like ``word``) to 1 (the very word); a slip counts only where it is forgiven."""
    if word.plain in held.plain:
        return 1.0
    if word.stem in held.stems:
        return _SAME_STEM
    if others := sum(stem(other) in held.stems for other in also(word.plain)):
        return min(_OTHER_WORD + _EACH_MORE * (others - 1), _OTHER_WORDS_AT_MOST)
    slip = forgiven and any(misspelt(word.stem, other) for other in held.stems)
    return _SLIP_FORGIVEN if slip else 0.0


def found_nowhere(words: Sequence[Word], lines: Sequence[Line]) -> set[Word]:
    """The words that no line and nothing around it holds; perhaps misspelt, so one slip may be forgiven them."""
    return {word for word in words if not any(agreement(word, line.around) for line in lines)}


def rarity(words: Sequence[Word], lines: Sequence[Line]) -> dict[Word, float]:
    """What each word weighs: the fewer lines hold it, the more."""
    holding = {word: sum(bool(agreement(word, line.own)) for line in lines) for word in words}
    return {word: 1 + math.log((1 + len(lines)) / (1 + count)) for word, count in holding.items()}


def share_held(line: Line, weights: dict[Word, float], forgiven: set[Word]) -> float:
    """The share (0 to 1) of the words' weight that ``line`` holds; what only stands near it counts half."""
    held = {word: _held(word, line, forgiven=word in forgiven) for word in weights}
    return sum(weights[word] * held[word] for word in weights) / sum(weights.values())


def _held(word: Word, line: Line, *, forgiven: bool) -> float:
    nearby = agreement(word, line.around, forgiven=forgiven)
    return max(agreement(word, line.own, forgiven=forgiven), _NEARBY * nearby)

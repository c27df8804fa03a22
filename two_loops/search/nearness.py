"""Which words of the query stand together in a line, as they do in the query."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from two_loops.search.expanding import Wanted

NEAR = 2  # words from one to the other at most


class Neighbours:
    """The telling words of a query in order: two that follow each other mean more where they stand together."""

    def __init__(self, wanted: Sequence[Wanted]) -> None:
        telling = [term for term in wanted if term.telling and not term.is_written]
        self._rarity = [min(one.rarity, other.rarity) for one, other in pairwise(telling)]
        self._turns: dict[str, list[int]] = defaultdict(list)
        for turn, term in enumerate(telling):
            for word in term.words:
                self._turns[word].append(turn)

    def together(self, words: Sequence[str]) -> float:
        """The rarity of all pairs that stand together in the line of these words, for each that of its less rare one.

        Their order in the line does not matter.
        """
        last: dict[int, int] = {}
        found: set[int] = set()
        for place in [place for place, word in enumerate(words) if word in self._turns]:
            for turn in self._turns[words[place]]:
                for near in (turn - 1, turn + 1):
                    if 0 < place - last.get(near, place) <= NEAR:
                        found.add(min(turn, near))
                last[turn] = place
        return sum(self._rarity[pair] for pair in found)

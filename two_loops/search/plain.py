"""The index in plain Python, where sqlite lacks FTS5: it finds the same, and takes more memory."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import ceil, log

from two_loops.search.analysing import words_in
from two_loops.search.entries import IN_TITLE, Counts, Entry, Known, Signature

SATURATION, BY_LENGTH = 1.2, 0.75  # BM25's k1 and b, as in FTS5
LEAST_RARITY = 1e-6

# How often a chunk holds a word in its title, and in its text.
Times = tuple[int, int]


class PlainIndex:
    """What ``Index`` is, in dicts."""

    def __init__(self) -> None:
        self._entries: dict[int, Entry] = {}
        self._lengths: dict[int, int] = {}
        self._words: dict[str, dict[int, Times]] = defaultdict(dict)
        self._known: dict[str, Known] = {}

    def create(self) -> None:
        """There is nothing to make."""

    def close(self) -> None:
        """Give the memory back."""
        self.__init__()  # type: ignore[misc]  # as new

    def start(self) -> bool:
        """Nobody else changes it."""
        return False

    def begin(self) -> None:
        """Each change counts at once."""

    def finish(self) -> None:
        """Each change counts at once."""

    def extent(self) -> tuple[int, int]:
        """How many files are known, and the greatest number that a chunk has."""
        return len(self._known), max(self._entries, default=0)

    def paths(self) -> list[str]:
        """The files that are known."""
        return list(self._known)

    def sound(self) -> Iterator[tuple[str, Signature]]:
        """Those of them that are sound, each with its signature."""
        return ((path, known.signature) for path, known in self._known.items() if known.is_sound)

    def known(self, path: str) -> Known | None:
        """What is known of a file."""
        return self._known.get(path)

    def note(self, path: str, known: Known) -> None:
        """Take down what is known of a file."""
        self._known[path] = known

    def forget(self, path: str) -> None:
        """Forget what is known of a file."""
        del self._known[path]

    def add(self, first: int, entries: Sequence[Entry]) -> None:
        """Index the chunks of a note under the numbers from ``first`` on."""
        for number, entry in enumerate(entries, first):
            title, text = _times(entry)
            self._entries[number] = entry
            self._lengths[number] = title.total() + text.total()
            for word in title.keys() | text.keys():
                self._words[word][number] = title[word], text[word]

    def remove(self, first: int, last: int) -> None:
        """Take the chunks of these numbers out of the index."""
        for number in range(first, last + 1):
            title, text = _times(self._entries.pop(number))
            del self._lengths[number]
            for word in title.keys() | text.keys():
                del self._words[word][number]
                if not self._words[word]:
                    del self._words[word]

    def counts(self) -> Counts:
        """How much the index holds."""
        chunks = len(self._entries)
        notes = sum(known.first <= known.last for known in self._known.values())
        whole = sum(known.characters for known in self._known.values())
        return Counts(notes, chunks, max(whole, 1) / max(chunks, 1))

    def holding(self, word: str) -> int:
        """How many chunks hold the word. A title, which stands with each chunk of its note, counts once for a note."""
        if word not in self._words:
            return 0
        titles = sum(title > 0 for title, _ in self._words[word].values())
        counts = self.counts()
        return max(ceil(titles * counts.notes / counts.chunks), sum(text > 0 for _, text in self._words[word].values()))

    def beginning(self, start: str, most: int) -> dict[str, int]:
        """The words that begin so, those of most chunks first, each with the number of chunks that hold it."""
        begun = [(word, self.holding(word)) for word in self._words if word.startswith(start)]
        return dict(sorted(begun, key=lambda held: (-held[1], held[0]))[:most])

    def vocabulary(self) -> Collection[str]:
        """Every word that a chunk holds."""
        return self._words.keys()

    def best(self, words: Iterable[str], most: int) -> list[Entry]:
        """The best chunks, by BM25, of those that hold any of the words."""
        chunks = len(self._entries)
        usual = sum(self._lengths.values()) / max(chunks, 1)
        scores: dict[int, float] = defaultdict(float)
        for word in words:
            holders = self._words.get(word, {})
            rarity = max(log((chunks - len(holders) + 0.5) / (len(holders) + 0.5)), LEAST_RARITY)
            for number, (title, text) in holders.items():
                times = IN_TITLE * title + text
                slowness = SATURATION * (1 - BY_LENGTH + BY_LENGTH * self._lengths[number] / usual)
                scores[number] += rarity * times * (SATURATION + 1) / (times + slowness)
        return [self._entries[number] for number in sorted(scores, key=lambda number: (-scores[number], number))[:most]]

    def with_text(self, text: str, most: int) -> list[Entry]:
        """Chunks that hold the text as it is, in a word or between words."""
        return [entry for entry in self._entries.values() if text in entry.title or text in entry.text][:most]


def _times(entry: Entry) -> tuple[Counter[str], Counter[str]]:
    return Counter(words_in(entry.title)), Counter(words_in(entry.text))

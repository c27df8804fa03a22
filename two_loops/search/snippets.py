"""What is shown of a matching line: the line, and what follows while it fits, or a long line around its hits."""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from two_loops.search.chunks import LONGEST_LINE
from two_loops.search.words import UNSPACED, fold, is_word_char

ELLIPSIS = "…"
MAX_PLACES = 5_000
ROUNDING = 1e-9
_PIECE = 4096

_UNSPACED = re.compile(UNSPACED)

# Words in folded text, with what each is worth.
Worth = Mapping[str, float]
# Start and end of a word in a folded line, and the word.
Place = tuple[int, int, str]


def shown(
    lines: Sequence[str], number: int, start: int, words: Worth, width: int, taken: Collection[int] = ()
) -> tuple[str, int]:
    """The text from line ``number`` on, within ``width`` characters, and the last line shown; both count from 0.

    Of a line that is too long, the best part around ``start``. Stops before a line that is ``taken`` and at the end of
    a paragraph, but a heading is shown with what it heads.
    """
    line = lines[number].strip()
    if len(line) > width:
        return _around_hits(lines[number].rstrip(), start, words, width), number
    last = _last_that_fits(lines, number, width, taken)
    return "\n".join(lines[number : last + 1]).strip(), last


def _last_that_fits(lines: Sequence[str], number: int, width: int, taken: Collection[int]) -> int:
    last, length = number, len(lines[number].lstrip())
    for following in range(number + 1, len(lines)):
        line = lines[following]
        length += 1 + len(line)
        blank = not line.strip()
        if following in taken or length - len(line) + len(line.rstrip()) > width:
            break
        if blank and not (last == number and _is_heading(lines, number)):
            break
        last = last if blank else following
    return last


def _is_heading(lines: Sequence[str], number: int) -> bool:
    """Markdown's headings, and the first line of a note that is not blank."""
    return lines[number].lstrip().startswith("#") or not any(line.strip() for line in lines[:number])


def _around_hits(line: str, start: int, words: Worth, width: int) -> str:
    """The ``width`` characters of the line that hold most of the words, cut between words where there are spaces."""
    indent, room = len(line) - len(line.lstrip()), width - 2
    begin = max(start, indent)
    part = line[begin : start + LONGEST_LINE]
    folded = fold(part)
    first, end = _best_stretch(list(places(folded, words)), words, room)
    first, end = begin + _unfolded(part, folded, first), begin + _unfolded(part, folded, end)
    cut = min(max(indent, first - max(0, room - (end - first)) // 2), len(line) - room)
    cut, stop = _between_words(line, cut, cut + room, first, end)
    return (ELLIPSIS if cut > indent else "") + line[cut:stop].strip() + (ELLIPSIS if stop < len(line) else "")


def places(folded: str, words: Worth) -> Iterator[Place]:
    """Where the folded text holds the words, each as a whole."""
    for word in words:
        at, found = folded.find(word), 0
        while at >= 0 and found < MAX_PLACES:
            end = at + len(word)
            if _UNSPACED.match(word) or not (_goes_on(folded[at - 1 : at]) or _goes_on(folded[end : end + 1])):
                found += 1
                yield at, end, word
            at = folded.find(word, end)


def marks(text: str, words: Worth) -> list[tuple[int, int]]:
    """Start and end of the words where they stand in the text."""
    folded = fold(text)
    return [(_unfolded(text, folded, start), _unfolded(text, folded, end)) for start, end, _ in places(folded, words)]


def _goes_on(char: str) -> bool:
    """Whether a word goes on with the character beside it."""
    return bool(char) and is_word_char(char) and not _UNSPACED.match(char)


def _best_stretch(found: list[Place], words: Worth, room: int) -> tuple[int, int]:
    """Start and end of the places within ``room`` characters whose words are worth most, each word once."""
    found.sort(key=lambda place: place[:2])
    best, stretch = 0.0, (0, 0)
    held: Counter[str] = Counter()
    worth, left = 0.0, 0
    for start, end, word in found:
        held[word] += 1
        worth += words[word] if held[word] == 1 else 0.0
        while found[left][0] < start and end - found[left][0] > room:
            gone = found[left][2]
            held[gone] -= 1
            worth -= 0.0 if held[gone] else words[gone]
            left += 1
        if worth > best + ROUNDING:
            best, stretch = worth, (found[left][0], end)
    return stretch


def _unfolded(line: str, folded: str, place: int) -> int:
    """Where a place of the folded line stands in the line: folding can make it longer or shorter."""
    if len(line) == len(folded):
        return place
    at = passed = 0
    step = _PIECE
    while at < len(line):
        length = len(fold(line[at : at + step]))
        if passed + length <= place:
            at, passed = at + step, passed + length
        elif step > 1:
            step //= 64
        else:
            break
    return min(at, len(line))


def _between_words(line: str, start: int, stop: int, first: int, end: int) -> tuple[int, int]:
    """The cut moved inwards to the nearest space, never into the hits."""
    if start and not line[start - 1].isspace():
        space = line.find(" ", start, first)
        start = space + 1 if space >= 0 else start
    if stop < len(line) and not line[stop].isspace():
        space = line.rfind(" ", end, stop)
        stop = space if space >= 0 else stop
    return start, stop

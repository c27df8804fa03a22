"""What is shown of a matching line: the line, and what follows while it fits, or a long line around its hits."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from two_loops.search.hits import strength_at
from two_loops.search.words import Term, fold

ELLIPSIS = "…"
MAX_PLACES = 5_000
ROUNDING = 1e-9
_PIECE = 4096

# Start and end of a term in a folded line, and the term.
Place = tuple[int, int, Term]


def shown(
    lines: Sequence[str], number: int, terms: Mapping[Term, float], width: int, taken: Collection[int] = ()
) -> tuple[str, int]:
    """The text from line ``number`` on, within ``width`` characters, and the last line shown; both count from 0.

    Stops before a line that is ``taken`` and at the end of a paragraph, but a heading is shown with what it heads.
    """
    line = lines[number].strip()
    if len(line) > width:
        return _around_hits(line, terms, width), number
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


def _around_hits(line: str, terms: Mapping[Term, float], width: int) -> str:
    """The ``width`` characters of the line that hold most of the terms, cut between words where there are spaces."""
    folded = fold(line)
    first, end = _best_stretch(list(_places(folded, terms)), terms, width - 2)
    first, end = _unfolded(line, folded, first), _unfolded(line, folded, end)
    room = width - 2
    start = min(max(0, first - max(0, room - (end - first)) // 2), len(line) - room)
    start, stop = _between_words(line, start, start + room, first, end)
    return (ELLIPSIS if start else "") + line[start:stop].strip() + (ELLIPSIS if stop < len(line) else "")


def _places(folded: str, terms: Mapping[Term, float]) -> Iterator[Place]:
    for term in terms:
        at, found = folded.find(term.text), 0
        while at >= 0 and found < MAX_PLACES:
            end = at + len(term.text)
            if strength_at(term, folded, at):
                found += 1
                yield at, end, term
            at = folded.find(term.text, end)


def _best_stretch(places: list[Place], terms: Mapping[Term, float], room: int) -> tuple[int, int]:
    """Start and end of the places within ``room`` characters whose terms are worth most, each term once."""
    places.sort(key=lambda place: place[:2])
    best, stretch = 0.0, (0, 0)
    held: Counter[Term] = Counter()
    worth, left = 0.0, 0
    for start, end, term in places:
        held[term] += 1
        worth += terms[term] if held[term] == 1 else 0.0
        while places[left][0] < start and end - places[left][0] > room:
            gone = places[left][2]
            held[gone] -= 1
            worth -= 0.0 if held[gone] else terms[gone]
            left += 1
        if worth > best + ROUNDING:
            best, stretch = worth, (places[left][0], end)
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

"""One search: the index brought up to date, the best chunks, their best lines, and these read again from the notes."""

from collections.abc import Sequence
from dataclasses import dataclass

from two_loops.search.choosing import Found, chosen
from two_loops.search.decoding import decode
from two_loops.search.entries import Entry, Known
from two_loops.search.expanding import Wanted, wanted
from two_loops.search.freshness import Fresh, digest_of
from two_loops.search.making import AnyIndex
from two_loops.search.query import Term
from two_loops.search.ranking import ranked
from two_loops.search.results import NotRead
from two_loops.search.walking import read_again
from two_loops.text import visible

LEAST_CHUNKS = 30  # whose lines are looked at, and at least as many for each snippet that is wanted
CHUNKS_FOR_EACH = 2
ATTEMPTS = 5  # where notes change during the search
RESTLESS = "it kept changing while it was searched"


@dataclass(frozen=True, slots=True)
class Findings:
    """The snippets found, what was looked for, and the notes that were not read, or not to their end."""

    found: list[Found]
    wanted: list[Wanted]
    not_read: list[NotRead]


def find(terms: Sequence[Term], fresh: Fresh, limit: int, width: int) -> Findings:
    """The best snippets for the terms, as the notes stand now: where one changed meanwhile, all is done again."""
    for _ in range(ATTEMPTS):
        not_read = fresh.refresh()
        sought = wanted(terms, fresh.index)
        entries = _entries(sought, fresh.index, max(LEAST_CHUNKS, CHUNKS_FOR_EACH * limit))
        notes = ranked(entries, sought, fresh.index.counts())[:limit]
        known = {path: fresh.index.known(path) for path in (lines[0].path for lines in notes)}
        fresh.index.finish()
        texts = {path: _text(path, of, fresh.root) for path, of in known.items()}
        if None not in texts.values():
            break
    not_read += [NotRead(visible(path), RESTLESS) for path, text in texts.items() if text is None]
    words = {word: how * term.rarity for term in sought for word, how in term.words.items()}
    lines_of = {path: text.split("\n") for path, text in texts.items() if text is not None}
    return Findings(chosen(notes, lines_of, words, limit, width), sought, not_read)


def _text(path: str, known: Known | None, root: str) -> str | None:
    """The note's text, or None where it is not what was indexed."""
    try:
        content = read_again(path, root)
    except OSError:
        return None
    return decode(content[0]) if known is not None and digest_of(content) == known.digest else None


def _entries(sought: Sequence[Wanted], index: AnyIndex, most: int) -> list[Entry]:
    """The best chunks of those that hold a telling word."""
    for term in sought:
        if term.term.kind == "literal":
            return index.with_text(term.term.text, most)
    words = (word for term in sought if term.telling and not term.is_written for word in term.words)
    return index.best(dict.fromkeys(words), most)

"""Citations: which files and lines an answer names in brackets, and whether this run really showed them.

A citation is `[boiler.txt]`, `[boiler.txt:2-4]`, `[boiler.txt, line 2]`, or a list of such. A file's name may hold
brackets, commas and colons, so the names that are known are read first, longest first; what is left counts as a
citation when it holds a name with one of the notes' suffixes. Hostile text costs no more than plain text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import lru_cache, partial
from typing import Literal, NamedTuple

from two_loops.values.citation import NOT_IN_NOTES, Citation
from two_loops.values.evidence import Evidence, canonical, escaped

NOTE_SUFFIXES = (".txt", ".md")

Verdict = Literal["ok", "not_in_notes", "no_citation", "bad_citation"]

# 18 digits: enough for any file, and below the length that int() refuses.
_RANGE = r"[0-9]{1,18}+(?:\s*+[-‐‑–—−]\s*+[0-9]{1,18}+)?+(?=\s*+[,;\]])"  # noqa: RUF001 - the dashes that models write
_LINES = rf"(?:\s*+[:,]\s*+(?:lines?\s*+)?+|\s++lines?\s*+){_RANGE}(?:\s*+[,;]\s*+(?:lines?\s*+)?+{_RANGE})*+"
_END = rf"(?P<lines>{_LINES})?+\s*+(?P<mark>[,;\]])"
_LEAD = r"\s*+(?:(?:see|sources?|from)(?::\s*+|\s++))?+"
_BEHIND_NAME = re.compile(_END, re.IGNORECASE)
_LEADS = (re.compile(r"\s*+"), re.compile(_LEAD, re.IGNORECASE))
_NUMBERS = re.compile(r"([0-9]+)(?:\s*[^\s0-9,;]\s*([0-9]+))?")
_TAKEN = "\0"


def judge(text: str, evidence: Evidence, suffixes: tuple[str, ...] = NOTE_SUFFIXES) -> tuple[Verdict, list[Citation]]:
    """Return what an answer is worth, and its citations: each must name only what the evidence shows."""
    if text.strip() in (NOT_IN_NOTES, f"{NOT_IN_NOTES}."):
        return "not_in_notes", []
    citations = find_citations(text, evidence.names(), suffixes)
    if not citations:
        return "no_citation", []
    bad = any(fault(citation, evidence) for citation in citations)
    return ("bad_citation" if bad else "ok"), citations


def fault(citation: Citation, evidence: Evidence) -> str | None:
    """What is wrong with a citation, in words; None when the evidence shows all that it names."""
    if evidence.shows(citation.file, citation.line, citation.last_line):
        return None
    if not evidence.shows(citation.file):
        return f"[{citation.file}]: nothing showed this file"
    if citation.last_line is None:
        return f"[{citation.place}]: nothing showed this line"
    return f"[{citation.place}]: not all of these lines were shown"


def find_citations(
    text: str, known_files: Collection[str], suffixes: tuple[str, ...] = NOTE_SUFFIXES
) -> list[Citation]:
    """Return the citations of a text in order, each once; a known name is returned as it is spelled there.

    A bracket that holds a file's name but can't be read whole is returned as a file named like the bracket's text.
    """
    text = canonical(text)
    names = {canonical(name): escaped(name) for name in known_files if name}
    known = list(_of_known_files(text, names))
    others = _of_other_files(text, _without(text, known), names, suffixes) if suffixes else ()
    in_order = sorted([*known, *others], key=lambda found: found.start)
    return list(dict.fromkeys(citation for found in in_order for citation in found.citations))


class _Found(NamedTuple):
    """A bracket of the text, from its `[` up to behind its `]`, and what it cites."""

    start: int
    end: int
    citations: list[Citation]


# Reads one file of a list: its name, and the match of its lines and of the mark behind them.
_ItemAt = Callable[[int], tuple[str, re.Match[str]] | None]


def _list_at(start: int, item_at: _ItemAt, seen: set[int]) -> _Found | None:
    """Read the list in the bracket that opens at `start`; one that runs into an item already `seen` fails again."""
    citations: list[Citation] = []
    at = start + 1
    while at not in seen and (item := item_at(at)):
        seen.add(at)
        file, behind = item
        citations += _cited(file, behind["lines"])
        at = behind.end()
        if behind["mark"] == "]":
            return _Found(start, at, citations)
    seen.add(at)
    return None


def _of_known_files(text: str, names: Mapping[str, str]) -> Iterator[_Found]:
    by_first_character: dict[str, list[str]] = {}
    for name in sorted(names, key=len, reverse=True):
        by_first_character.setdefault(name[0], []).append(name)

    def item_at(at: int) -> tuple[str, re.Match[str]] | None:
        for begin in (at, *(lead.end() for pattern in _LEADS if (lead := pattern.match(text, at)))):
            for name in by_first_character.get(text[begin : begin + 1], ()):
                if text.startswith(name, begin) and (behind := _BEHIND_NAME.match(text, begin + len(name))):
                    return names[name], behind
        return None

    seen: set[int] = set()
    start = text.find("[")
    while start >= 0:
        found = _list_at(start, item_at, seen)
        if found and not text.startswith("(", found.end):
            yield found
            start = found.end - 1
        start = text.find("[", start + 1)


def _of_other_files(text: str, rest: str, names: Mapping[str, str], suffixes: tuple[str, ...]) -> Iterator[_Found]:
    item, stops = _patterns(suffixes)
    past = 0
    for start, end in sorted(_brackets_with_a_suffix(rest, stops)):
        if start >= past and not rest.startswith("(", end):
            past = end
            found = _list_at(start, partial(_other_item, rest, names, item, end), set())
            whole = Citation(file=text[start + 1 : end - 1].strip())
            yield found if found and found.end == end else _Found(start, end, [whole])


def _other_item(
    rest: str, names: Mapping[str, str], item: re.Pattern[str], end: int, at: int
) -> tuple[str, re.Match[str]] | None:
    found = item.match(rest, at, end)
    return (names.get(found["name"], found["name"]), found) if found else None


def _brackets_with_a_suffix(rest: str, stops: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield each bracket that holds a suffix, and not just in a bracket inside it; none reaches over a blank line."""
    open_brackets: list[int] = []
    with_suffix: set[int] = set()
    for stop in stops.finditer(rest):
        if stop["open"]:
            open_brackets.append(stop.start())
        elif stop["blank_line"]:
            open_brackets.clear()
        elif open_brackets and stop["suffix"]:
            with_suffix.add(open_brackets[-1])
        elif open_brackets and (start := open_brackets.pop()) in with_suffix:
            yield start, stop.end()


@lru_cache(maxsize=16)
def _patterns(suffixes: tuple[str, ...]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    suffix = rf"(?:{'|'.join(map(re.escape, suffixes))})(?!\w)"
    item = rf"{_LEAD}(?P<name>[^,;{_TAKEN}]+?{suffix}){_END}"
    stops = rf"(?P<open>\[)|(?P<close>\])|(?P<blank_line>\n[^\S\n]*+\n)|(?P<suffix>{suffix})"
    return re.compile(item, re.IGNORECASE), re.compile(stops, re.IGNORECASE)


def _cited(file: str, lines: str | None) -> list[Citation]:
    if lines is None:
        return [Citation(file=file)]
    ranges = _NUMBERS.findall(lines)
    return [Citation(file=file, line=int(line), last_line=int(last) if last else None) for line, last in ranges]


def _without(text: str, taken: list[_Found]) -> str:
    kept, past = [], 0
    for found in taken:
        kept += [text[past : found.start], _TAKEN * (found.end - found.start)]
        past = found.end
    return "".join([*kept, text[past:]])

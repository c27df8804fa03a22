"""What the searches found, line by line."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from two_loops.stand_ins.offline.distrust import is_secret, trusted
from two_loops.stand_ins.offline.words import Held, held_by

_LINE_END = re.compile(r"\r\n|\r|\n")
_BULLET = re.compile(r"^\s*(?:[-*+•]\s+)?")
_TITLE = re.compile(r"[^\d.!?]{1,60}")


@dataclass(frozen=True)
class Finding:
    """One piece of text in a tool result: lines ``first`` to ``last`` of ``file``."""

    file: str
    first: int
    last: int
    text: str


@dataclass(frozen=True)
class Line:
    """One line that may be quoted, with its words, those of its file's name and title, and all those around it."""

    text: str
    citation: str
    file: str
    is_heading: bool
    own: Held
    named: Held
    around: Held


def findings_in(result: str) -> list[Finding]:
    """The snippets and texts in a tool result, wherever they stand in its JSON; none where it is something else."""
    try:
        value: object = json.loads(result)
    except (ValueError, RecursionError):
        return []
    return [found for item in _dicts_within(value) if (found := _finding(item))]


def lines_of(findings: Iterable[Finding]) -> list[Line]:
    """Each line shown, once, in the order shown; what `trusted` leaves out is neither quoted nor counted as context."""
    shown = list(dict.fromkeys(findings))
    titles = {finding.file: _LINE_END.split(finding.text)[0] for finding in shown if finding.first == 1}
    lines: dict[tuple[str, str], Line] = {}
    for finding in (finding for finding in shown if not is_secret(finding.file)):
        for line in _lines_in(finding, titles.get(finding.file, "")):
            lines.setdefault((line.citation, line.text), line)
    return list(lines.values())


def _lines_in(finding: Finding, title: str) -> Iterator[Line]:
    texts = _LINE_END.split(finding.text)
    numbered = len(texts) == finding.last - finding.first + 1
    bare = [_BULLET.sub("", text).strip() for text in texts]
    kept = [(place, text) for place, text in enumerate(bare) if text and trusted(text)]
    name = f"{finding.file}\n{title if trusted(title) else ''}"
    named, around = held_by(name), held_by("\n".join([name, *(text for _, text in kept)]))
    for place, text in kept:
        where = str(finding.first + place) if numbered else f"{finding.first}-{finding.last}"
        heading = text.startswith("#") or (finding.first + place == 1 and bool(_TITLE.fullmatch(text)))
        yield Line(text, f"[{finding.file}:{where}]", finding.file, heading, held_by(text), named, around)


def _finding(item: dict[str, object]) -> Finding | None:
    file, text, first = item.get("file"), item.get("snippet", item.get("text")), _line_number(item.get("line"))
    if not (isinstance(file, str) and isinstance(text, str) and first):
        return None
    return Finding(file, first, max(first, _line_number(item.get("last_line")) or first), text.removesuffix("\n"))


def _line_number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else None


def _dicts_within(value: object) -> Iterator[dict[str, object]]:
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            yield item
        if isinstance(item, dict | list):
            waiting.extend(reversed(list(item.values()) if isinstance(item, dict) else item))

"""What is said of two runs, line by line."""

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any

from two_loops.cli.exits import words
from two_loops.cli.screen import cut
from two_loops.compare.bare import BareRun, failures_told, holds_history
from two_loops.compare.comparing import ABSENT, Place, counts, first_places
from two_loops.compare.playing import Playing, Ran
from two_loops.demo.layout import laid_out
from two_loops.demo.request import quoted
from two_loops.demo.telling import Line, called, in_lines
from two_loops.text import described, visible
from two_loops.wording import counted, dollars

LONGEST = 500  # characters of a line in a column
SHOWN, BEFORE = 80, 20  # characters of a value that differs, and how many of them stand before the difference

_as_json = json.JSONEncoder(ensure_ascii=False, default=str).encode

Runs = Mapping[str, Playing]  # two runs, by the names of their agents


def runs(question: str, mode: str, both: Runs, different: Sequence[str], width: int | None) -> Iterator[str]:
    """Whether two runs are identical, or else their turns up to the first that differs. different: what does."""
    one, other = both.values()
    yield f"Question: {question}"
    if not different:
        numbers = ", ".join(counted(number, noun[:-1]) for noun, number in counts(one).items())
        yield f"identical ({mode}): {numbers}, and the result: {_ending(one)}"
        return
    yield f"different ({mode}): {', '.join(different)}"
    places = first_places(one, other)
    last = places[-1].turn
    yield from laid_out(list(both), _turns(one, last), _turns(other, last), width)
    yield from (_place(place, list(both)) for place in places)


def _turns(playing: Playing, last: int) -> list[Line]:
    """The lines of the turns up to that one; each turn has a heading."""
    headings, shown = 0, []
    for line in in_lines(playing):
        headings += line.label is None
        if headings <= max(last, 1):
            shown.append(Line(line.label, cut(line.text, LONGEST)))
    return shown


def _place(place: Place, names: Sequence[str]) -> str:
    where = f"First difference, turn {place.turn}" if place.turn else "Asked differently"
    path = f" {place.path}" if place.path else ""
    excerpts = zip(names, _excerpts(place.one, place.other), strict=True)
    return f"{where}: {place.what or 'what happened'}{path}: {'; '.join(f'{name} {value}' for name, value in excerpts)}"


def _excerpts(*values: Any) -> list[str]:
    """What stands at a place on either side, cut around the first character that differs."""
    texts = ["nothing" if value is ABSENT else described(value, _as_json) for value in values]
    shared = sum(1 for _ in takewhile(lambda characters: len(set(characters)) == 1, zip(*texts, strict=False)))
    start = max(0, shared - BEFORE)
    return [f"{'…' if start else ''}{cut(text[start:], SHOWN)}" for text in texts]


def answers(question: str, both: Runs, width: int | None) -> Iterator[str]:
    """Two runs of a real model, side by side."""
    one, other = both.values()
    yield f"Question: {question}"
    yield from laid_out(list(both), _answer(one), _answer(other), width)
    if missing := [f"{name}: {_ending(playing)}" for name, playing in both.items() if not playing.result.answered]:
        yield f"No answer from {'; '.join(missing)}"
    else:
        yield "Both answered."


def _answer(playing: Playing) -> list[Line]:
    result = playing.result
    searches = [_line("", called(call.tool, call.input)) for call in result.tool_calls]
    return [
        _line("status", _ending(playing)),
        _line("steps", str(result.steps)),
        _line("searches", str(len(searches))),
        *searches,
        _line("tokens", f"{result.tokens_in} in + {result.tokens_out} out"),
        _line("cost", dollars(result.cost_usd)),
        _line("time", f"{result.duration_s:.1f} s"),
        _line("cited", ", ".join(citation.place for citation in result.citations) or "nothing"),
        _line("answer", quoted(result.answer) if result.answer else "none"),
    ]


def beside_bare(both: Runs, bare: BareRun, width: int | None) -> list[str]:
    """What became of it inside the guards, of the first of the two runs, and without them."""
    guarded = next(iter(both.values()))
    inside = _traces(guarded.requests, guarded.ran, _ending(guarded), guarded.result.answer)
    ended = bare.error or f"stop_reason {bare.stop_reason}, without an exception"
    outside = [
        *_traces(bare.requests, bare.ran, ended, bare.text),
        *([_line("unread", f"{counted(bare.unread, 'call')} ran after the last request")] if bare.unread else []),
        *(_line("printed", text.partition("\n")[0]) for text in bare.printed),
    ]
    return laid_out(["guarded", "bare"], inside, outside, width)


def _traces(requests: Sequence[dict[str, Any]], ran: Sequence[Ran], ended: str, text: str | None) -> list[Line]:
    return [
        _line("requests", str(len(requests))),
        *(_line("ran", called(call.tool, call.arguments)) for call in ran),
        *(_line("told", quoted(failure)) for failure in failures_told(requests)),
        _line("history", _history(requests)),
        _line("ended", ended),
        _line("answer", quoted(text) if text else "none"),
    ]


def _history(requests: Sequence[dict[str, Any]]) -> str:
    if (whole := holds_history(requests)) is None:
        return "none to send: one request"
    if whole:
        return "sent whole with each request"
    lost = [name for name in requests[0] if name not in requests[1]]
    return f"not sent: the newest message alone, without {', '.join(['those before it', *lost])}"


def _ending(playing: Playing) -> str:
    """The status, or the exception in the words of the command line."""
    if playing.error is None:
        return playing.result.status
    said = words(playing.error)
    return cut(said[0] if said else f"{type(playing.error).__name__}: {described(playing.error)}")


def _line(label: str, text: str) -> Line:
    return Line(label, visible(cut(text, LONGEST)))

"""What two runs may differ in, what they do differ in, and where first."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from two_loops.compare.playing import Moment, Playing, Ran, Sent
from two_loops.values.events import Event, ModelRequested, RunEnded, RunFailed

# Fields that hold a time or an id, and the agent's own name: the only ones in which two agents may differ.
OWN = frozenset({"at", "run_id", "agent", "duration_s", "request_id"})

ABSENT = object()

Told = tuple[str, Any]


def comparable(value: Any) -> Any:
    """A record, or each of a list of records, without the fields that are an agent's own."""
    if isinstance(value, list):
        return [comparable(item) for item in value]
    return {name: held for name, held in value.items() if name not in OWN} if isinstance(value, dict) else value


def recorded(events: Sequence[Event]) -> list[dict[str, Any]]:
    """The events as the log has them."""
    return [{"event": event.event, **_fields(event)} for event in events]


def _fields(event: Event) -> dict[str, Any]:
    from two_loops.log import record  # with structlog, which a command that writes no log need not wait for

    return record(event)


def parts(playing: Playing) -> dict[str, Any]:
    """Everything about a run that can be compared, by what it is."""
    return {
        "requests": playing.requests,
        "calls": [_told(moment)[1] for moment in playing.ran],
        "events": comparable(recorded(playing.events)),
        "results": comparable(playing.result.model_dump()),
        "errors": None if playing.error is None else _words(playing.error),
    }


def counts(playing: Playing) -> dict[str, int]:
    """How many requests, calls that ran and events a run has."""
    return {"requests": len(playing.requests), "calls": len(playing.ran), "events": len(playing.events)}


def differences(one: Playing, other: Playing) -> list[str]:
    """What is not the same in two runs; their order is named where nothing else is."""
    mine, theirs = parts(one), parts(other)
    different = [what for what in mine if not same(mine[what], theirs[what])]
    return different or ([] if same(_turns(one), _turns(other)) else ["order"])


@dataclass(frozen=True)
class Place:
    """Where two runs differ.

    turn: 0 is the question, then each request begins one, and so does the end. what: an event's name, ``request``,
    ``call``, ``Result`` or ``exception``; empty where one run has one of these and the other another, which are then
    ``one`` and ``other``. path: the field in it, empty for the whole. one, other: what stands there, ABSENT where
    nothing does.
    """

    turn: int
    what: str
    path: str
    one: Any
    other: Any


def first_places(one: Playing, other: Playing) -> list[Place]:
    """The first place in which two runs were asked differently, and the first in which they did something different."""
    mine, theirs = _turns(one), _turns(other)
    later = (place for turn in range(1, max(len(mine), len(theirs))) for place in _places(turn, mine, theirs))
    return [place for found in (_places(0, mine, theirs), later) for place in [next(found, None)] if place is not None]


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON, for which 1 is not true."""
    return _as_json(one) == _as_json(other)


def _places(turn: int, mine: list[list[Told]], theirs: list[list[Told]]) -> Iterator[Place]:
    for left, right in zip_longest(*(turns[turn] if turn < len(turns) else [] for turns in (mine, theirs))):
        if same(left, right):
            continue
        if left is None or right is None or left[0] != right[0]:
            yield Place(turn, "", "", *(ABSENT if told is None else told[0] for told in (left, right)))
        else:
            yield Place(turn, left[0], *_apart(left[1], right[1]))


def _apart(one: Any, other: Any, path: str = "") -> tuple[str, Any, Any]:
    """The path to the first part in which two values differ, and that part of each."""
    if isinstance(one, dict) and isinstance(other, dict):
        pairs = [(f".{name}", one.get(name, ABSENT), other.get(name, ABSENT)) for name in {**one, **other}]
    elif isinstance(one, list) and isinstance(other, list):
        pairs = [(f"[{at}]", *pair) for at, pair in enumerate(zip_longest(one, other, fillvalue=ABSENT))]
    else:
        return path.lstrip("."), one, other
    return next(_apart(left, right, path + step) for step, left, right in pairs if not same(left, right))


def _turns(playing: Playing) -> list[list[Told]]:
    turns: list[list[Told]] = [[]]
    for moment in playing.moments:
        if isinstance(moment, (ModelRequested, RunEnded, RunFailed)):
            turns.append([])
        turns[-1].append(_told(moment))
    turns[-1].append(("Result", comparable(playing.result.model_dump())))
    if playing.error is not None:
        turns[-1].append(("exception", _words(playing.error)))
    return turns


def _told(moment: Moment) -> Told:
    if isinstance(moment, Sent):
        return "request", moment.body
    if isinstance(moment, Ran):
        return "call", {"tool": moment.tool, "arguments": moment.arguments}
    return moment.event, comparable(_fields(moment))


def _words(error: Exception) -> dict[str, str]:
    return {"type": type(error).__name__, "text": str(error)}


_JSON = json.JSONEncoder(sort_keys=True, default=repr)


def _as_json(value: Any) -> str:
    return _JSON.encode(value)

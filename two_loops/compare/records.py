"""A comparison as one JSON object."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from two_loops.compare.bare import BareRun
from two_loops.compare.comparing import ABSENT, Place, counts, first_places, recorded
from two_loops.compare.playing import Playing


def as_json(
    question: str,
    runs: Mapping[str, Playing],
    mode: str | None = None,
    different: Sequence[str] = (),
    bare: BareRun | None = None,
) -> str:
    """Both runs whole, in ASCII on one line. mode: None where a real model answered, of which nothing is claimed.

    ``identical`` is then null, and a run that was never made is missing. ``counts`` are those of equal runs; a place
    that differs leaves out what is absent. different: what is not the same.
    """
    claimed = mode is not None
    places = [_place(place, list(runs)) for place in first_places(*runs.values())] if claimed else []
    whole = {
        "question": question,
        "mode": mode,
        "identical": not different if claimed else None,
        "counts": counts(next(iter(runs.values()))) if claimed and not different else None,
        "differences": list(different),
        "first_places": places,
        "runs": {name: _run(playing) for name, playing in runs.items()},
        "bare": bare and _bare(bare),
    }
    return json.dumps(whole, default=str)


def _run(playing: Playing) -> dict[str, Any]:
    error = playing.error
    return {
        "result": playing.result.model_dump(),
        "error": error and {"type": type(error).__name__, "text": str(error)},
        "requests": playing.requests,
        "calls": [asdict(call) for call in playing.ran],
        "events": recorded(playing.events),
    }


def _bare(bare: BareRun) -> dict[str, Any]:
    return asdict(bare) | {"failures_told": bare.failures_told, "holds_history": bare.holds_history}


def _place(place: Place, names: list[str]) -> dict[str, Any]:
    there = {name: value for name, value in zip(names, (place.one, place.other), strict=True) if value is not ABSENT}
    return {"turn": place.turn, "what": place.what, "path": place.path, "values": there}

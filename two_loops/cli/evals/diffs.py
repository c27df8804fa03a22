"""What is said of two runs of cases that are held against each other."""

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from two_loops.cli.screen import cut
from two_loops.text import visible
from two_loops.wording import counted, dollars

if TYPE_CHECKING:
    from two_loops.evals.comparing import Change, Comparison
    from two_loops.evals.scored import Scored

LONGEST = 120  # characters of an answer
HASH = 64  # characters; what is no longer than that says more than that it changed


def whole(compared: "Comparison") -> dict[str, Any]:
    """The comparison in JSON's types."""
    return {
        "made_with": {name: list(pair) for name, pair in compared.made_with.items()},
        "won": [_record(change) for change in compared.won],
        "lost": [_record(change) for change in compared.lost],
        "changed": [_record(change) for change in compared.changed],
        "same": compared.same,
        "missing": [list(pair) for pair in compared.missing],
        "added": [list(pair) for pair in compared.added],
        "regressions": len(compared.regressions),
    }


def _record(change: "Change") -> dict[str, Any]:
    sides = {"old": change.old, "new": change.new}
    return {
        "case": change.case,
        "agent": change.agent,
        "regression": change.regression,
        "differs": list(change.differs),
        **{name: [trial.model_dump() for trial in trials] for name, trials in sides.items()},
    }


def lines(compared: "Comparison") -> Iterator[str]:
    """What changed in how the runs were made, then case by case, then the counts."""
    yield from (_made_with(name, *pair) for name, pair in compared.made_with.items())
    for label, changes in (("lost", compared.lost), ("won", compared.won), ("changed", compared.changed)):
        for change in changes:
            yield from _change(label, change)
    yield from (f"missing  {case}, {agent}: the new run has no trial of it" for case, agent in compared.missing)
    yield from (f"added    {case}, {agent}: the old run has no trial of it" for case, agent in compared.added)
    counts = {"won": len(compared.won), "lost": len(compared.lost), "changed": len(compared.changed)}
    told = ", ".join(f"{number} {name}" for name, number in counts.items())
    yield f"{told}, {compared.same} the same; {counted(len(compared.regressions), 'regression')}"


def _made_with(name: str, old: Any, new: Any) -> str:
    if isinstance(old, dict):
        apart = [f"{key} {old.get(key)} -> {value}" for key, value in new.items() if value != old.get(key)]
        return f"{name}: {visible(', '.join(apart))}"
    short = isinstance(old, (int, str)) and len(str(old)) < HASH
    return f"{name}: {visible(cut(str(old)))} -> {visible(cut(str(new)))}" if short else f"{name}: not the same"


def _change(label: str, change: "Change") -> Iterator[str]:
    mark = " (regression)" if change.regression else ""
    yield f"{label:<8} {change.case}, {change.agent}: {_passed(change.old)} -> {_passed(change.new)} passed{mark}"
    for fault in [fault for trial in change.new for fault in trial.faults][: 3 if label == "lost" else 0]:
        yield f"         {fault.rule}: {visible(cut(fault.why))}"
    for name in change.differs:
        yield f"         {name}: {_SHOWN[name](change.old)} -> {_SHOWN[name](change.new)}"


def _passed(trials: Sequence["Scored"]) -> str:
    return f"{sum(trial.passed for trial in trials)} of {len(trials)}"


def _answers(trials: Sequence["Scored"]) -> str:
    first = trials[0].answer
    more = f" and {len(trials) - 1} more" if len(trials) > 1 else ""
    return f"{'none' if first is None else visible(cut(json.dumps(first, ensure_ascii=False), LONGEST))}{more}"


def _steps(trials: Sequence["Scored"]) -> str:
    return ", ".join(str(trial.steps) for trial in trials)


def _cost(trials: Sequence["Scored"]) -> str:
    return dollars(*(trial.cost_usd for trial in trials))


_SHOWN = {"answer": _answers, "steps": _steps, "cost": _cost}

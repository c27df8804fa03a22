"""A later run held against an earlier one: what was won, what was lost, and what else changed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from two_loops import settings
from two_loops.evals.header import changed
from two_loops.evals.scored import EvalRun, Scored
from two_loops.values.limits import require_share

DIGITS = 9  # of a share that count: 0.8 - 0.6 is 0.2
MARGIN = 0.2  # by how much a pass rate may fall before that is a regression, where there are several trials

Pair = tuple[str, str]  # a case's id and an agent's name


@dataclass(frozen=True)
class Change:
    """A case that one agent was asked in both runs.

    old, new: its trials. differs: which of answer, steps and cost are not the same. regression: it passes less often
    than before, by more than chance may explain.
    """

    case: str
    agent: str
    old: tuple[Scored, ...]
    new: tuple[Scored, ...]
    differs: tuple[str, ...]
    regression: bool

    @property
    def rates(self) -> tuple[float, float]:
        """The shares of trials, from 0 to 1, that passed before and now."""
        return _rate(self.old), _rate(self.new)


@dataclass(frozen=True)
class Comparison:
    """Two runs held against each other.

    made_with: what they were made with that is not the same, by its name: the older value and the newer one. won, lost:
    pass more often, or less often, than before. changed: pass as often, and differ. same: how many do not differ.
    missing, added: asked only in the old run, or only in the new one.
    """

    made_with: dict[str, tuple[Any, Any]]
    won: tuple[Change, ...]
    lost: tuple[Change, ...]
    changed: tuple[Change, ...]
    same: int
    missing: tuple[Pair, ...]
    added: tuple[Pair, ...]

    @property
    def regressions(self) -> tuple[Change, ...]:
        """What is lost and not by chance."""
        return tuple(change for change in self.lost if change.regression)


def compare_runs(old: EvalRun, new: EvalRun, *, margin: float = MARGIN) -> Comparison:
    """Hold a run against an earlier one of the same cases.

    A case that passed and fails now is a regression where it was tried once each time, or where both runs had the
    offline model, which always answers the same. Else it is one where its pass rate fell by more than the margin, a
    share from 0 to 1. Raises WrongUse for a margin that is none.
    """
    require_share("margin", margin)
    deterministic = old.header.model == new.header.model == settings.OFFLINE
    before, now = _by_pair(old), _by_pair(new)
    pairs = [pair for pair in now if pair in before]
    changes = [_change(pair, before[pair], now[pair], 0.0 if deterministic else margin) for pair in pairs]
    same_rate = [change for change in changes if change.rates[0] == change.rates[1]]
    return Comparison(
        made_with=changed(old.header, new.header),
        won=tuple(change for change in changes if change.rates[0] < change.rates[1]),
        lost=tuple(change for change in changes if change.rates[0] > change.rates[1]),
        changed=tuple(change for change in same_rate if change.differs),
        same=sum(not change.differs for change in same_rate),
        missing=tuple(pair for pair in before if pair not in now),
        added=tuple(pair for pair in now if pair not in before),
    )


def _by_pair(run: EvalRun) -> dict[Pair, tuple[Scored, ...]]:
    pairs: dict[Pair, tuple[Scored, ...]] = {}
    for trial in run.scored:
        pair = (trial.case, trial.agent)
        pairs[pair] = (*pairs.get(pair, ()), trial)
    return pairs


def _change(pair: Pair, old: tuple[Scored, ...], new: tuple[Scored, ...], margin: float) -> Change:
    fell = _rate(old) - _rate(new)
    regression = round(fell - (0.0 if len(old) == len(new) == 1 else margin), DIGITS) > 0
    return Change(*pair, old, new, tuple(_differing(old, new)), regression)


def _rate(trials: Sequence[Scored]) -> float:
    return sum(trial.passed for trial in trials) / len(trials)


def _differing(old: Sequence[Scored], new: Sequence[Scored]) -> Iterator[str]:
    for name, field in (("answer", "answer"), ("steps", "steps"), ("cost", "cost_usd")):
        if [getattr(trial, field) for trial in old] != [getattr(trial, field) for trial in new]:
            yield name

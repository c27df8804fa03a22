"""One trial and its score, and the trials of a whole run."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, computed_field

from two_loops.evals.header import Header
from two_loops.evals.judging import Grade
from two_loops.evals.purse import added_up
from two_loops.text import described
from two_loops.values.citation import Citation
from two_loops.values.result import Result, ToolCallMade

Finite = Annotated[float, Field(allow_inf_nan=False)]


class Fault(BaseModel):
    """A rule that did not hold. why: what was found in place of what was wanted."""

    model_config = ConfigDict(frozen=True)

    rule: str
    why: str


class Key(NamedTuple):
    """Which trial: the case's id, the agent's name, and the number of the trial, from 1."""

    case: str
    agent: str
    trial: int


class Scored(BaseModel):
    """One trial, with all that its score was made from. It passed where it has no fault and no error.

    error: the exception that ended the run or the judging, in words. grade: what a judge said. The other fields are
    those of the run's ``Result``; run_id finds it in the log.
    """

    model_config = ConfigDict(frozen=True)

    case: str
    agent: str
    trial: int
    faults: list[Fault]
    error: str | None
    grade: Grade | None = None
    status: str
    answer: str | None
    citations: list[Citation]
    files_seen: list[str]
    tool_calls: list[ToolCallMade]
    steps: int
    tokens_in: int
    tokens_out: int
    cost_usd: Finite | None
    duration_s: Finite
    run_id: str

    @computed_field  # type: ignore[prop-decorator]  # pydantic's own advice for a computed property
    @property
    def passed(self) -> bool:
        """Whether the run came to its end and every rule held."""
        return not self.faults and self.error is None

    @property
    def key(self) -> Key:
        """Which trial this is."""
        return Key(self.case, self.agent, self.trial)

    @property
    def judge_cost_usd(self) -> float | None:
        """What the judge cost."""
        return 0.0 if self.grade is None else self.grade.cost_usd


TAKEN_OVER = (Scored.model_fields.keys() & Result.model_fields.keys()) - {"agent"}


def scored(
    key: Key, result: Result, faults: list[Fault], error: BaseException | None = None, grade: Grade | None = None
) -> Scored:
    """The trial's score. error: what ended it before its end. grade: a judge's."""
    taken = {name: getattr(result, name) for name in TAKEN_OVER}
    told = None if error is None else f"{type(error).__name__}: {described(error)}"
    return Scored(case=key.case, agent=key.agent, trial=key.trial, faults=faults, error=told, grade=grade, **taken)


@dataclass(frozen=True)
class EvalRun:
    """A run of many trials. scored: those that were finished, in the order of cases, agents and trials.

    cost_usd: what the agents cost, trials that were made again included; None where that is not known. judge_cost_usd:
    the same of the judge. warnings: what went wrong without ending the run.
    """

    header: Header
    scored: tuple[Scored, ...]
    cost_usd: float | None
    judge_cost_usd: float | None = 0.0
    warnings: tuple[str, ...] = ()

    @property
    def planned(self) -> int:
        """How many trials there are in all, finished or not."""
        return len(self.header.cases) * len(self.header.agents) * self.header.trials

    @property
    def passed(self) -> float:
        """The share, from 0 to 1, of the planned trials that passed; one that was not made did not."""
        return sum(trial.passed for trial in self.scored) / self.planned

    @property
    def failed(self) -> list[Scored]:
        """The trials that did not pass."""
        return [trial for trial in self.scored if not trial.passed]


def run_of(header: Header, trials: Sequence[Scored], warnings: Iterable[str] = ()) -> EvalRun:
    """The run that these trials make; of one that was made twice the newest counts, and both cost something."""
    cost = added_up(trial.cost_usd for trial in trials)
    judged = added_up(trial.judge_cost_usd for trial in trials)
    return EvalRun(header, _in_order(header, trials), cost, judged, tuple(warnings))


def _in_order(header: Header, trials: Iterable[Scored]) -> tuple[Scored, ...]:
    newest = {trial.key: trial for trial in trials}
    return tuple(newest[key] for key in (Key(*planned) for planned in header.planned()) if key in newest)

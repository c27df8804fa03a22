"""What is said of a run of cases: a row for each case and agent, what failed on which evidence, and the sums."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from two_loops.cli.outcome import named
from two_loops.cli.rows import table
from two_loops.cli.screen import cut
from two_loops.text import visible
from two_loops.wording import counted, dollars

if TYPE_CHECKING:
    from two_loops.evals.scored import EvalRun, Scored

COLUMNS = ("case", "agent", "outcome", "steps", "tokens in", "tokens out", "cost")
LONGEST = 500  # characters of one fault


def whole(run: "EvalRun") -> dict[str, Any]:
    """The run in JSON's types."""
    return {
        "header": run.header.model_dump(),
        "planned": run.planned,
        "passed": run.passed,
        "cost_usd": run.cost_usd,
        "judge_cost_usd": run.judge_cost_usd,
        "warnings": run.warnings,
        "trials": [trial.model_dump() for trial in run.scored],
    }


def lines(run: "EvalRun") -> Iterator[str]:
    """The table, the faults and the sums."""
    groups = [list(group) for _, group in groupby(run.scored, lambda trial: (trial.case, trial.agent))]
    yield from table(COLUMNS, _cells, groups, left=3)
    if run.failed:
        yield from ("", *(line for trial in run.failed for line in _faults(trial, run.header.trials)))
    yield ""
    for agent in run.header.agents:
        yield f"{agent}: {_sum([trial for trial in run.scored if trial.agent == agent])}"
    if left := run.planned - len(run.scored):
        yield f"{left} of {counted(run.planned, 'trial')} {'was' if left == 1 else 'were'} not made"
    yield from run.warnings
    if run.header.judge is not None:
        yield f"judge: {visible(run.header.judge)}; spent on it: {dollars(run.judge_cost_usd)}"
    yield f"model: {visible(named(run.header.model))}; spent in all: {dollars(run.cost_usd)}"


def _cells(trials: Sequence["Scored"]) -> tuple[str, ...]:
    tokens = (sum(trial.tokens_in for trial in trials), sum(trial.tokens_out for trial in trials))
    steps = sum(trial.steps for trial in trials)
    cost = dollars(*(trial.cost_usd for trial in trials))
    return (trials[0].case, trials[0].agent, _outcome(trials), str(steps), *map(str, tokens), cost)


def _outcome(trials: Sequence["Scored"]) -> str:
    passed = sum(trial.passed for trial in trials)
    if len(trials) > 1:
        return f"{passed} of {len(trials)} passed"
    return "pass" if passed else f"FAIL: {', '.join(fault.rule for fault in trials[0].faults) or 'error'}"


def _faults(trial: "Scored", trials: int) -> Iterator[str]:
    which = f"{trial.case}, {trial.agent}{f', trial {trial.trial}' if trials > 1 else ''}"
    if trial.error is not None:
        yield f"{which}: {visible(cut(trial.error, LONGEST))}"
    for fault in trial.faults:
        yield f"{which}: {fault.rule}: {visible(cut(fault.why, LONGEST))}"


def _sum(trials: Sequence["Scored"]) -> str:
    steps = counted(sum(trial.steps for trial in trials), "step")
    tokens = f"{sum(trial.tokens_in for trial in trials)} + {sum(trial.tokens_out for trial in trials)} tokens"
    passed = f"{sum(trial.passed for trial in trials)} of {len(trials)} passed"
    return f"{passed}; {steps}, {tokens}, {dollars(*(trial.cost_usd for trial in trials))}"

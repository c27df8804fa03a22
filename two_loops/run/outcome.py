"""How a run ends in the log and for its caller: with one result, or with one error."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from two_loops.run.ending import Ending
from two_loops.run.run import Run
from two_loops.run.tally import as_float
from two_loops.stop_reasons import UNEXPECTED
from two_loops.values.events import RunEnded, RunFailed
from two_loops.values.result import Result


class Outcome:
    """Holds the run's result once ``concluding`` is over."""

    result: Result


@contextmanager
def concluding(run: Run, *, agent: str, run_id: str) -> Iterator[Outcome]:
    """Around the loop: leaves the result, or lets an exception through with the unfinished result as ``partial``.

    Either way the log gets its last line, and only one.
    """
    outcome = Outcome()
    try:
        yield outcome
    except BaseException as error:
        partial = _result(run, Ending(_reason(error), "an error"), agent, run_id)
        error.partial = partial  # type: ignore[attr-defined]
        run.reporter.money_at_stake()
        run.reporter.emit(_failed(error, partial))
        raise
    outcome.result = _result(run, run.ending or Ending(UNEXPECTED, "the loop ended by itself"), agent, run_id)
    try:
        run.reporter.emit(_ended(outcome.result))
    except BaseException as error:
        error.partial = outcome.result  # type: ignore[attr-defined]
        raise


def _reason(error: BaseException) -> Any:
    return "failed" if isinstance(error, Exception) else "interrupted"


def _result(run: Run, ending: Ending, agent: str, run_id: str) -> Result:
    tally = run.tally
    return Result(
        status=ending.status,
        answer=ending.answer,
        at_limit=ending.at_limit,
        citations=ending.citations,
        files_seen=run.evidence.files(),
        steps=tally.steps,
        tool_calls=tally.calls,
        usage=tally.usage,
        tokens_in=tally.usage.tokens_in,
        tokens_out=tally.usage.output_tokens,
        cost_usd=as_float(tally.cost_usd),
        stop_reason=run.reply.stop_reason if run.reply else None,
        messages=run.history(),
        warnings=list(run.reporter.warnings),
        run_id=run_id,
        agent=agent,
        model=run.plan.model,
        duration_s=tally.clock.seconds(),
    )


def _spending(result: Result) -> dict[str, Any]:
    return {
        "steps": result.steps,
        "tool_calls": len(result.tool_calls),
        "tokens_in": result.tokens_in,
        "tokens_out": result.tokens_out,
        "cost_usd": result.cost_usd,
        "duration_s": result.duration_s,
    }


def _ended(result: Result) -> RunEnded:
    return RunEnded(
        status=result.status,
        answer=result.answer,
        at_limit=result.at_limit,
        citations=[citation.model_dump() for citation in result.citations],
        files_seen=result.files_seen,
        stop_reason=result.stop_reason,
        warnings=len(result.warnings),
        **_spending(result),
    )


def _failed(error: BaseException, partial: Result) -> RunFailed:
    return RunFailed(reason=_reason(error), error=type(error).__name__, message=str(error), **_spending(partial))

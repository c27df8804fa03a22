"""How a run ends in the log and for its caller: with one result, or with one error. Nothing that was paid is lost."""

import uuid
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal

from two_loops.run.ending import Ending
from two_loops.run.moments import Moments
from two_loops.run.run import AsyncRun, Run
from two_loops.run.tally import as_float
from two_loops.stop_reasons import UNEXPECTED
from two_loops.text import described
from two_loops.values.events import RunEnded, RunFailed
from two_loops.values.result import Result


class Outcome:
    """The result of a run once it has one, or the exception that ended it. agent: its name. run_id: made here."""

    def __init__(self, agent: str) -> None:
        self.agent = agent
        self.run_id = uuid.uuid4().hex
        self.result: Result | None = None
        self.error: BaseException | None = None

    def whole(self) -> Result:
        """The result of a run that came to its end."""
        assert self.result is not None
        return self.result


@contextmanager
def kept(agent: str) -> Iterator[Outcome]:
    """Around all that a run opens: what fails when that is closed carries the result and hides no error."""
    outcome = Outcome(agent)
    try:
        yield outcome
    except BaseException as error:
        if outcome.result is not None:
            _carry(error, outcome.result)
        raise
    if outcome.error is not None:
        raise outcome.error


def conclude(run: Run, loop: Callable[[Run], None], outcome: Outcome) -> None:
    """Run the loop to its end, leaving the result in ``outcome``, and one last line in the log.

    An exception passes through, with the unfinished result as its ``partial``.
    """
    try:
        run.begin()
        loop(run)
        outcome.result = _finished(run, outcome)
    except BaseException as error:
        _failed(run, error, outcome)
        raise
    _ended(run, outcome, outcome.result)


async def conclude_async(run: AsyncRun, loop: Callable[[AsyncRun], Awaitable[None]], outcome: Outcome) -> None:
    """The same on an event loop."""
    try:
        run.begin()
        await loop(run)
        outcome.result = _finished(run, outcome)
    except BaseException as error:
        _failed(run, error, outcome)
        raise
    _ended(run, outcome, outcome.result)


def _finished(run: Moments, outcome: Outcome) -> Result:
    return _result(run, run.ending or Ending(UNEXPECTED, "the loop ended by itself"), outcome)


def _failed(run: Moments, error: BaseException, outcome: Outcome) -> None:
    outcome.error = error
    partial = _result(run, Ending(_reason(error), "an error"), outcome)
    _carry(error, partial)
    run.reporter.money_at_stake()
    told = RunFailed(reason=_reason(error), error=type(error).__name__, message=described(error), **_spending(partial))
    try:
        run.reporter.emit(lambda: told)
    except BaseException as another:
        _carry(another, partial)
        raise


def _ended(run: Moments, outcome: Outcome, result: Result) -> None:
    told = RunEnded(
        status=result.status,
        answer=result.answer,
        at_limit=result.at_limit,
        citations=[citation.model_dump() for citation in result.citations],
        files_seen=list(result.files_seen),
        stop_reason=result.stop_reason,
        warnings=len(result.warnings),
        **_spending(result),
    )
    try:
        run.reporter.emit(lambda: told)
    except BaseException as error:
        outcome.error = error
        _carry(error, result)
        raise
    run.reporter.close()
    outcome.result = result.model_copy(update={"warnings": list(run.reporter.warnings)})


def _carry(error: BaseException, partial: Result) -> None:
    with suppress(Exception):  # an exception that takes no attributes still has to reach the caller
        error.partial = partial  # type: ignore[attr-defined]


def _reason(error: BaseException) -> Literal["failed", "interrupted"]:
    return "failed" if isinstance(error, Exception) else "interrupted"


def _result(run: Moments, ending: Ending, outcome: Outcome) -> Result:
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
        run_id=outcome.run_id,
        agent=outcome.agent,
        model=run.model,
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

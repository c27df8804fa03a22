"""Every case through every agent, as often as wanted, each trial scored as soon as it is done."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from two_loops import settings
from two_loops.errors import WrongUse
from two_loops.evals.book import Book
from two_loops.evals.cases import Case
from two_loops.evals.folders import folder_of
from two_loops.evals.header import described_by
from two_loops.evals.judging import Judge, fault
from two_loops.evals.purse import Purse, require_price
from two_loops.evals.reading import Cases
from two_loops.evals.rules import faults
from two_loops.evals.run_file import RunFile, new_file, open_file
from two_loops.evals.scored import EvalRun, Fault, Key, Scored, scored
from two_loops.evals.workers import work
from two_loops.run.opening import StrPath
from two_loops.stand_ins import is_offline
from two_loops.toolsets.notes import notes
from two_loops.toolsets.toolset import Toolset
from two_loops.values.limits import Limits, require_count
from two_loops.values.result import Result

if TYPE_CHECKING:
    from anthropic import Anthropic

Ask = Callable[..., Result]
NOT_LET_IN = frozenset({401, 403})  # what a server answers where no other question will fare better


def run_cases(
    cases: Cases,
    agents: Mapping[str, Ask],
    *,
    client: "Anthropic | None" = None,
    model: str = settings.MODEL,
    toolset: Callable[[Path], Toolset] = notes,
    limits: Limits | None = None,
    trials: int = 1,
    workers: int = 1,
    max_cost_usd: float | None = None,
    log_path: StrPath | None = None,
    run_file: StrPath | None = None,
    resume: bool = False,
    judge: Judge | None = None,
    on_scored: Callable[[Scored], object] | None = None,
    on_wait: Callable[[int], object] | None = None,
) -> EvalRun:
    """Ask each agent each case's question ``trials`` times, and hold every result against the case's rules.

    agents: an ``ask`` for each name. toolset: from a folder of notes to what the agents run with; its limits are those
    of a trial where ``limits`` gives none. workers: trials that run at once. max_cost_usd: no trial starts once all of
    them together have cost so much; those that run then are held by their own limits. on_scored hears of each trial
    as it is done, from whichever thread did it, one at a time. run_file: a new file, to which each trial is appended as
    it is done; with ``resume``, that of an earlier run with the same arguments, of which only what it lacks is made.
    judge: grades the answers of the cases that have a reference, which without one nobody does. on_wait hears, after
    Ctrl-C, how many trials still run and are waited for.

    A run that ends in an exception is a trial that failed. Raises WrongUse, and what a server answers that lets nobody
    in; an exception, Ctrl-C too, carries the trials that were done as ``error.partial``, an ``EvalRun``.
    """
    _check(cases, agents, trials, workers)
    named = settings.OFFLINE if is_offline(client) else model
    if max_cost_usd is not None:
        _require_prices(named, *([judge.model] if judge else []))
    with folder_of(cases.cases[0]) as folder:
        shown = toolset(folder)
    limits = limits or shown.limits
    header = described_by(
        cases,
        list(agents),
        trials=trials,
        model=named,
        judge=judge.model if judge else None,
        toolset=shown,
        limits=limits,
    )
    options = {"client": client, "model": model, "limits": limits, "log_path": log_path}
    asker = _Asker({case.id: case for case in cases.cases}, agents, toolset, options, judge)
    with _opened(run_file, resume=resume) as file:
        if file is not None:
            header = file.begin(header)
        book = Book(header, Purse(max_cost_usd), file, on_scored)
        with book.carried():
            work(book.left(), partial(_make, asker, book), workers, on_wait)
        return book.run()


def _check(cases: Cases, agents: Mapping[str, Ask], trials: int, workers: int) -> None:
    require_count("trials", trials)
    require_count("workers", workers)
    if not cases.cases:
        raise WrongUse("there is no case to ask about")
    if not agents:
        raise WrongUse("there is no agent to ask")


def _require_prices(*models: str) -> None:
    for model in models:
        if model != settings.OFFLINE:
            require_price("max_cost_usd", model)


@contextmanager
def _opened(path: StrPath | None, *, resume: bool) -> Iterator[RunFile | None]:
    if path is None:
        if resume:
            raise WrongUse("there is no run_file to resume")
        yield None
        return
    with closing(open_file(path) if resume else new_file(path)) as file:
        yield file


def _make(asker: "_Asker", book: Book, key: Key) -> None:
    """Make one trial. What interrupts it passes through once its cost is in the book."""
    made, interrupted = asker.ask(key)
    book.keep(made)
    if interrupted is not None:
        raise interrupted


@dataclass(frozen=True)
class _Asker:
    """Asks the question of a case, by its id. options: those of an agent's ``ask``. judge: grades the answer."""

    cases: Mapping[str, Case]
    agents: Mapping[str, Ask]
    toolset: Callable[[Path], Toolset]
    options: Mapping[str, Any]
    judge: Judge | None

    def ask(self, key: Key) -> tuple[Scored, BaseException | None]:
        """The trial's score, and the exception that has to end the whole run, if there is one."""
        case = self.cases[key.case]
        with folder_of(case) as folder:
            toolset = self.toolset(folder)
            try:
                result = self.agents[key.agent](case.question, toolset=toolset, **self.options)
            except BaseException as error:
                unfinished = getattr(error, "partial", None)
                if not isinstance(unfinished, Result):
                    raise
                return scored(key, unfinished, [], error), error if _ends_all(error) else None
        return self._judged(key, case, result)

    def _judged(self, key: Key, case: Case, result: Result) -> tuple[Scored, BaseException | None]:
        """The score, with the judge's grade if there is to be one; the run was paid for, whatever becomes of it."""
        found = faults(case, result)
        if self.judge is None or case.judge is None:
            return scored(key, result, found), None
        try:
            grade = self.judge.grade(case.question, result.answer, case.judge)
        except BaseException as error:  # noqa: BLE001  # raised again once what was paid is in the book
            return scored(key, result, found, error), error if _ends_all(error) else None
        why = fault(grade, case.judge)
        judged = [] if why is None else [Fault(rule="judge", why=why)]
        return scored(key, result, [*found, *judged], grade=grade), None


def _ends_all(error: BaseException) -> bool:
    return not isinstance(error, Exception) or getattr(error, "status_code", None) in NOT_LET_IN

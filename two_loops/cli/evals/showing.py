"""A run of cases as the command shows it: on the screen, against an earlier run, and as a report."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from two_loops.cli.evals import diffs, scores
from two_loops.cli.screen import say

if TYPE_CHECKING:
    from two_loops.evals.comparing import Comparison
    from two_loops.evals.scored import EvalRun


@dataclass(frozen=True)
class Shown:
    """How a run is shown. baseline: the earlier run. report: the file for a JUnit report."""

    baseline: "EvalRun | None"
    report: str | None
    _: KW_ONLY
    as_json: bool

    def show(self, run: "EvalRun") -> bool:
        """Show all of it. Returns whether something was lost against the baseline."""
        compared = self._compared(run)
        if self.as_json:
            told = {} if compared is None else {"baseline": diffs.whole(compared)}
            typer.echo(json.dumps(scores.whole(run) | told, default=str))
        else:
            say("\n".join([*scores.lines(run), *_against(compared)]))
        if self.report is not None:
            _write(self.report, run)
        return compared is not None and bool(compared.regressions)

    @contextmanager
    def unfinished(self) -> Iterator[None]:
        """Show what was done of a run that ends in an exception, which passes through."""
        from two_loops.evals.scored import EvalRun

        try:
            yield
        except BaseException as error:
            partial: Any = getattr(error, "partial", None)
            if isinstance(partial, EvalRun) and partial.scored:
                self.show(partial)
            raise

    def _compared(self, run: "EvalRun") -> "Comparison | None":
        from two_loops.evals import compare_runs

        return None if self.baseline is None else compare_runs(self.baseline, run)


def _against(compared: "Comparison | None") -> list[str]:
    return [] if compared is None else ["", "Against the baseline:", *diffs.lines(compared)]


def _write(path: str, run: "EvalRun") -> None:
    """Write the report. The run was paid for, so that a report that can't be written is told and no more."""
    from two_loops.evals.junit import junit

    try:
        Path(path).write_bytes(junit(run))
    except OSError as error:
        say(f"The report {path} can't be written: {(error.strerror or str(error)).lower()}", error=True)

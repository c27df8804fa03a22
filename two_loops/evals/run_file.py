"""The file of a run: its header, then a line for each trial as soon as it is done, so that a killed run can go on."""

import json
from collections.abc import Iterator
from contextlib import suppress
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from two_loops.errors import WrongUse
from two_loops.evals.header import Header, changed
from two_loops.evals.scored import EvalRun, Scored, run_of
from two_loops.log import Appender

WHAT = "run file"
LONGEST_LINE = 64 * 2**20  # bytes of a line that are read
HASHED = frozenset({"cases", "prompt", "tools", "limits"})  # what is not worth showing where it differs

StrPath = str | PathLike[str]


class RunFile:
    """Appends a run's lines to a file, each whole or, after a death, not at all; two runs never share a file.

    header, made: what stands in it already; None and empty for a new one.
    """

    def __init__(self, path: StrPath) -> None:
        self.header: Header | None = None
        self.made: tuple[Scored, ...] = ()
        self._appender = Appender(Path(path), WHAT, alone=True)

    def resume(self, path: StrPath) -> None:
        """Go on with what the file holds. Raises WrongUse where that is no run."""
        self.header, made = _read(path)
        self.made = tuple(made)

    def begin(self, header: Header) -> Header:
        """Write the header of a new run, or return the one that is there if it is of the same kind of run.

        Raises WrongUse where the file can't be written, or holds a run that was made with something else.
        """
        if self.header is not None:
            _require_same(self.header, header)
            return self.header
        try:
            self._append(header)
        except OSError as error:
            raise WrongUse(f"the {WHAT} can't be written: {error.strerror or error}") from error
        return header

    def add(self, trial: Scored) -> None:
        """Write down a trial. Raises OSError where that fails."""
        self._append(trial)

    def close(self) -> None:
        """Close the file."""
        self._appender.close()

    def _append(self, line: BaseModel) -> None:
        self._appender.msg(json.dumps(line.model_dump(), default=str).encode("ascii"))


def new_file(path: StrPath) -> RunFile:
    """A file for a new run. Raises WrongUse where there is something in it, or another run writes to it."""
    file = RunFile(path)
    if Path(path).stat().st_size:
        file.close()
        raise WrongUse(f"the {WHAT} {fspath(path)} exists: resume it, or name another one")
    return file


def open_file(path: StrPath) -> RunFile:
    """The file of a run that is to go on. Raises WrongUse where it is none, or where another run writes to it."""
    next(_lines(path), None)  # where there is no file, none must be made
    file = RunFile(path)
    try:
        file.resume(path)  # once nobody else can add to it: a trial that another run makes would be paid for twice
    except WrongUse:
        file.close()
        raise
    return file


def read_run(path: StrPath) -> EvalRun:
    """The run in a file, as far as it went; of a trial that was made twice the newest counts.

    A line that was torn by a death is passed over. Raises WrongUse for a file that can't be read or is none of a run.
    """
    header, made = _read(path)
    if header is None:
        raise WrongUse(f"the {WHAT} {fspath(path)} can't be used: no run of two-loops eval is in it")
    return run_of(header, made)


def _read(path: StrPath) -> tuple[Header | None, list[Scored]]:
    """The header, None in a file where nothing but a torn line is, and each trial."""
    lines = list(_lines(path))
    if not lines:
        return None, []
    try:
        header = Header.model_validate(lines[0])
    except ValidationError:
        raise WrongUse(f"the {WHAT} {fspath(path)} can't be used: no run of two-loops eval is in it") from None
    return header, [trial for line in lines[1:] if (trial := _trial(line)) is not None]


def _trial(line: Any) -> Scored | None:
    try:
        return Scored.model_validate(line)
    except ValidationError:
        return None


def _lines(path: StrPath) -> Iterator[Any]:
    """Each line that is JSON."""
    try:
        with Path(path).open("rb") as file:
            while raw := file.readline(LONGEST_LINE):
                with suppress(ValueError, RecursionError):
                    yield json.loads(raw)
    except (OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise WrongUse(f"the {WHAT} {fspath(path)!r} can't be read: {reason}") from error


def _require_same(old: Header, new: Header) -> None:
    told = [
        f"its {name} {'are others' if name in HASHED else f'is {before!r}, not {now!r}'}"
        for name, (before, now) in changed(old, new).items()
    ]
    if told:
        raise WrongUse(f"the {WHAT} can't be finished with these options: {'; '.join(told)}")

"""What a log holds: its lines, one at a time, and the runs and totals that they add up to."""

import json
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from decimal import Decimal
from math import isfinite
from pathlib import Path
from sys import intern
from typing import Any

from two_loops.cli.screen import cut
from two_loops.errors import WrongUse

LONGEST_LINE = 16 * 2**20  # bytes of a line that are read; no line of ours has as many
LONGEST_NAME = 200  # characters of a name that are kept of each run
MOST = 2**53  # tokens, calls or US dollars; what claims to be more is no number of ours
INPUTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
UNKNOWN = "unknown"
LAST = datetime.max.replace(tzinfo=UTC)  # where a run that doesn't say when it started is listed

Line = dict[str, Any]


class LogLines:
    """The lines of a log that are ours, in order; ``torn`` and ``foreign`` count the others as they pass.

    Raises WrongUse when the file can't be read.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self.torn = self.foreign = 0

    def __iter__(self) -> Iterator[Line]:
        from two_loops.log import SCHEMA

        self.torn = self.foreign = 0
        for raw in _raw_lines(self._path):
            line = _parsed(raw)
            if isinstance(line, dict) and _is_ours(line, SCHEMA):
                yield line
            elif line is None and raw.startswith(b"{"):  # as much as a death or a full disk leaves of a line of ours
                self.torn += 1
            elif not raw.isspace():
                self.foreign += 1


@dataclass(slots=True)
class LoggedRun:
    """One run, as far as the log tells. error: the type of the exception that ended it. cost_usd: None if unknown."""

    run_id: str
    started: datetime | None
    agent: str
    model: str = UNKNOWN
    status: str = "unfinished"
    error: str | None = None
    steps: int = 0
    tool_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost_usd: Decimal | None = Decimal(0)

    def add(self, line: Line) -> None:
        """Count a line."""
        match line["event"]:
            case "question":
                self.model = name(line, "model")
            case "model_call":
                self._add_reply(line)
            case "tool_call":
                self.tool_calls += 1
            case "result":
                self._end(line, name(line, "status"))
            case "error":
                self._end(line, name(line, "reason"))
                self.error = name(line, "error")

    def _add_reply(self, line: Line) -> None:
        self.steps += 1
        self.tokens_in += count(line, *INPUTS)
        self.tokens_out += count(line, "output_tokens")
        if self.cost_usd is not None:
            self.cost_usd = None if (price := cost(line)) is None else self.cost_usd + price

    def _end(self, line: Line, status: str) -> None:
        """Take the run's own sums from its last line: the log may lack some of the others."""
        self.status = status
        self.steps, self.tool_calls = count(line, "steps"), count(line, "tool_calls")
        self.tokens_in, self.tokens_out = count(line, "tokens_in"), count(line, "tokens_out")
        self.cost_usd = cost(line)


@dataclass(slots=True)
class Total:
    """The replies of one model on one day (UTC). runs: their ids. known_cost_usd: of those whose price is known."""

    day: str
    model: str
    runs: set[str] = field(default_factory=set)
    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int = 0
    cache_read_input_tokens: int = 0
    known_cost_usd: Decimal = Decimal(0)
    unknown_costs: int = 0

    def add(self, line: Line) -> None:
        """Count a reply."""
        self.runs.add(line["run_id"])
        self.model_calls += 1
        for kind in (*INPUTS, "output_tokens"):
            setattr(self, kind, getattr(self, kind) + count(line, kind))
        price = cost(line)
        self.known_cost_usd += price or 0
        self.unknown_costs += price is None


def added_up(lines: LogLines) -> tuple[list[LoggedRun], list[Total]]:
    """The runs by their start, and the totals by day and model."""
    runs: dict[str, LoggedRun] = {}
    totals: dict[tuple[str, str], Total] = {}
    for line in lines:
        run_id = line["run_id"]
        if run_id not in runs:
            runs[run_id] = LoggedRun(run_id, moment(line), name(line, "agent"))
        runs[run_id].add(line)
        if line["event"] == "model_call":
            at = moment(line)
            key = (at.date().isoformat() if at else UNKNOWN, name(line, "model"))
            totals.setdefault(key, Total(*key)).add(line)
    return sorted(runs.values(), key=lambda run: run.started or LAST), [totals[key] for key in sorted(totals)]


def name(line: Line, field: str) -> str:
    """A short text of the line, cut; "unknown" where there is none. Interned, as each run repeats the same few."""
    value = line.get(field)
    return intern(cut(value, LONGEST_NAME)) if isinstance(value, str) and value else UNKNOWN


def number(line: Line, field: str) -> int | float | None:
    """An amount of dollars or seconds; None where the line has none that can be one."""
    value = line.get(field)
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= MOST else None


def count(line: Line, *fields: str) -> int:
    """The sum of some numbers of tokens or calls; what the line has not, or what can be no such number, adds 0."""
    amounts = (number(line, field) for field in fields)
    return sum(amount for amount in amounts if isinstance(amount, int))


def cost(line: Line) -> Decimal | None:
    """What the line says was spent, in US dollars; None where that is not known."""
    amount = number(line, "cost_usd")
    return None if amount is None else Decimal(repr(amount))


def moment(line: Line) -> datetime | None:
    """When the line was written, in UTC; None where it doesn't say."""
    try:
        at = datetime.fromisoformat(line["at"])
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (KeyError, TypeError, ValueError, OverflowError):
        return None


def _raw_lines(path: str) -> Iterator[bytes]:
    """Each line of a file, or its beginning where it is longer than any of ours."""
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):  # a pipe or a device may have no end
            raise WrongUse(f"the log {path} can't be read: it is no regular file")
        with Path(path).open("rb") as file:
            while raw := file.readline(LONGEST_LINE):
                yield raw
                while len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
                    raw = file.readline(LONGEST_LINE)
    except OSError as error:
        raise WrongUse(f"the log {path} can't be read: {(error.strerror or str(error)).lower()}") from error


def _parsed(raw: bytes) -> Any:
    try:
        return _DECODER.decode(raw.decode())
    except (ValueError, RecursionError):
        return None


def _is_ours(line: Line, schema: int) -> bool:
    named = all(isinstance(line.get(field), str) and line[field].strip() for field in ("event", "run_id"))
    return named and line.get("schema") == schema and line["schema"] is not True


# JSON has no word for a number that is not finite: it stays a text, so that the line can be written again.
_DECODER = json.JSONDecoder(parse_constant=str, parse_float=lambda text: float(text) if isfinite(float(text)) else text)

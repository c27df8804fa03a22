"""``two-loops log``: what a log tells of its runs and of what they cost, or of one run line by line."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from decimal import Decimal
from itertools import islice
from typing import Annotated, Any

import typer

from two_loops.cli.exits import told
from two_loops.cli.log_lines import INPUTS, UNKNOWN, Line, LoggedRun, LogLines, Total, added_up, cost, count, number
from two_loops.cli.rows import table
from two_loops.cli.screen import SHORT_ID, cut, say
from two_loops.errors import WrongUse
from two_loops.text import described, visible
from two_loops.wording import counted

LONGEST_NAME, LONGEST_OUTPUT, LONGEST_WORDS, LONGEST_ANSWER = 40, 200, 300, 2000  # characters that are shown
AT_ONCE = 500  # lines that are printed together: one by one takes long in a long log

RUNS = ("run", "started (UTC)", "agent", "model", "outcome", "steps", "calls", "tokens in", "tokens out", "cost")
TOTALS = ("day (UTC)", "model", "runs", "replies", "input", "output", "cache write", "cache read", "cost")


def log(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The log to read.")],
    run: Annotated[
        str | None, typer.Option(metavar="ID", help="Show one run line by line; the beginning of its id will do.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List the runs of a log and their cost, or show one run.

    Exit code 0, and 2 where the file can't be read or holds no such run.
    """
    with told():
        lines = LogLines(file)
        runs, totals = added_up(lines)
        chosen = None if run is None else _chosen(runs, run)
        story = [line for line in lines if line["run_id"] == chosen.run_id] if chosen else []
    if as_json:
        whole = {"runs": runs, "totals": totals, "torn": lines.torn, "foreign": lines.foreign}
        typer.echo(json.dumps({"run": chosen, "lines": story} if chosen else whole, default=_plain))
    else:
        _say(_story(chosen, story) if chosen else _overview(lines, runs, totals))


def _chosen(runs: Iterable[LoggedRun], beginning: str) -> LoggedRun:
    """The run of that id, or the only one whose id begins so."""
    fitting = {run.run_id: run for run in runs if run.run_id.startswith(beginning)}
    if beginning in fitting or len(fitting) == 1:
        return fitting.get(beginning) or fitting.popitem()[1]
    if not fitting:
        raise WrongUse(f"no run in the log has an id that begins with {beginning!r}")
    some = ", ".join(cut(run_id, LONGEST_NAME) for run_id in islice(fitting, 3))
    raise WrongUse(f"{len(fitting)} runs have ids that begin with {beginning!r}, give more of it: {some}")


def _plain(value: Any) -> Any:
    """What JSON has no word for, in its words; a set of ids as their number."""
    if isinstance(value, (datetime, Decimal)):
        return value.isoformat() if isinstance(value, datetime) else float(value)
    return len(value) if isinstance(value, set) else asdict(value)


def _say(lines: Iterator[str]) -> None:
    while block := list(islice(lines, AT_ONCE)):
        say("\n".join(block))


def _overview(lines: LogLines, runs: Sequence[LoggedRun], totals: Sequence[Total]) -> Iterator[str]:
    yield from table(RUNS, _run_cells, runs, left=5) if runs else ["The log holds no run."]
    if totals:
        yield from ("", "Replies by day and model:", "", *table(TOTALS, _total_cells, totals, left=2))
    if lines.torn or lines.foreign:
        left_out = {"torn": lines.torn, "not ours": lines.foreign}
        yield from ("", ", ".join(f"{_lines_were(many)} {what}" for what, many in left_out.items() if many) + ".")


def _lines_were(many: int) -> str:
    return f"{counted(many, 'line')} {'was' if many == 1 else 'were'}"


def _run_cells(run: LoggedRun) -> tuple[str, ...]:
    words = (run.run_id[:SHORT_ID], _started(run), run.agent, run.model, _outcome(run))
    numbers = (run.steps, run.tool_calls, run.tokens_in, run.tokens_out, _usd(run.cost_usd))
    return (*map(_shown, words), *map(str, numbers))


def _total_cells(total: Total) -> tuple[str, ...]:
    cache = (total.cache_creation_input_tokens, total.cache_read_input_tokens)
    numbers = (len(total.runs), total.model_calls, total.input_tokens, total.output_tokens, *cache)
    known = [_usd(total.known_cost_usd)] if total.unknown_costs < total.model_calls else []
    unknown = [f"{total.unknown_costs} unknown"] if total.unknown_costs else []
    return (total.day, _shown(total.model), *map(str, numbers), " + ".join(known + unknown))


def _story(run: LoggedRun, lines: Iterable[Line]) -> Iterator[str]:
    """What the run was, then each of its lines."""
    yield f"run {_shown(run.run_id)}, {_shown(run.agent)} agent, {_shown(run.model)}, started {_started(run)} UTC"
    spent = f"steps: {run.steps}, calls: {run.tool_calls}, tokens: {run.tokens_in} + {run.tokens_out}"
    yield from (f"{_shown(_outcome(run))}; {spent}, cost: {_usd(run.cost_usd)}", "")
    for line in lines:
        event: str = line["event"]
        yield f"{_shown(SHORT.get(event, event)):<8}  {TOLD[event](line) if event in TOLD else ''}".rstrip()


def _started(run: LoggedRun) -> str:
    return UNKNOWN if run.started is None else run.started.replace(tzinfo=None).isoformat(" ", "seconds")


def _outcome(run: LoggedRun) -> str:
    return f"error: {run.error}" if run.error and run.status == "failed" else run.status


def _usd(amount: Decimal | None) -> str:
    """US dollars to the millionth, and further where that would not be all."""
    if amount is None:
        return UNKNOWN
    rounded = f"{amount:.6f}"
    return f"${rounded if Decimal(rounded) == amount else f'{amount:f}'}"


def _shown(text: str, longest: int = LONGEST_NAME) -> str:
    """A text of somebody else's for one line, its unseen characters as escapes."""
    return cut(visible(cut(text, longest)), longest)


def _words(line: Line, field: str, longest: int = LONGEST_WORDS) -> str:
    value = line.get(field)
    if value is None:
        return "(none)" if field in line else "(not logged)"
    return _shown(value if isinstance(value, str) else described(value, _AS_JSON), longest)


def _reply(line: Line) -> str:
    tokens = f"{count(line, *INPUTS)} + {counted(count(line, 'output_tokens'), 'token')}"
    return f"{_words(line, 'stop_reason')}, {tokens}, cost {_usd(cost(line))}, {number(line, 'duration_s') or 0:.1f} s"


def _call(line: Line) -> str:
    mark = "refused: " if line.get("is_error") else ""
    by = f" by {_words(line, 'decided_by')}" if line.get("decided_by") else ""
    decided = f"{_words(line, 'approval')}{by}: " if line.get("approval") else ""
    called = f"{decided}{mark}{_words(line, 'tool')} {_words(line, 'input')}"
    return f"{called} -> {_words(line, 'output', LONGEST_OUTPUT)}"


def _guard(line: Line) -> str:
    detail = f" ({_words(line, 'detail')})" if line.get("detail") else ""
    return f"{_words(line, 'guard')} {_words(line, 'outcome')}: {_words(line, 'why')}{detail}"


def _result(line: Line) -> str:
    limit = ", at the step limit" if line.get("at_limit") else ""
    cited = line.get("citations")
    citing = f", citing {', '.join(map(_citation, cited))}" if isinstance(cited, list) and cited else ""
    status = f"{_words(line, 'status')}{limit}{_shown(citing, LONGEST_WORDS)}"
    return f"{status}: {_words(line, 'answer', LONGEST_ANSWER)}"


def _citation(cited: Any) -> str:
    if not isinstance(cited, dict):
        return described(cited)
    places = [described(cited[end]) for end in ("line", "last_line") if cited.get(end) is not None]
    return ":".join([described(cited.get("file")), *(["-".join(places)] if places else [])])


_AS_JSON = json.JSONEncoder(ensure_ascii=False).encode
SHORT = {"model_request": "request", "model_call": "reply", "tool_call": "call"}

# What is said of each event; of one that a later version may add, its name alone.
TOLD: dict[str, Callable[[Line], str]] = {
    "question": lambda line: _words(line, "question"),
    "model_request": lambda line: f"step {count(line, 'step')}, messages sent: {count(line, 'messages')}",
    "model_call": _reply,
    "tool_call": _call,
    "guard": _guard,
    "result": _result,
    "error": lambda line: f"{_words(line, 'reason')}, {_words(line, 'error')}: {_words(line, 'message')}",
}

"""``two-loops log``: real logs of both agents, read back."""

import json
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

import anthropic
import pytest
import typer
from rich.cells import cell_len

from tests.both.ways import AGENTS
from tests.core.test_cli import two_loops
from two_loops import Limits, scripted_client
from two_loops.cli.log import TOLD, log
from two_loops.stand_ins.script import calls, message, says, tool_use
from two_loops.stand_ins.wire import error
from two_loops.values.events import Event, Logged, ModelCalled

SEARCH = calls(tool_use("search_notes", query="boiler serviced"))
ANSWER = says("On 12 March [boiler.txt:1].")
FOUND = '[{"file": "boiler.txt", "line": 1, "last_line": 1, "snippet": "Boiler serviced on 12 March."}]'


def ask(folder: Path, *replies: Any, agent: str = "manual", question: str = "When?", **options: Any) -> Path:
    """One more run in the folder's log, over one note. Returns the log's path."""
    notes, path = folder / "notes", folder / "log.jsonl"
    notes.mkdir(exist_ok=True)
    (notes / "boiler.txt").write_text("Boiler serviced on 12 March.\n")
    with scripted_client(replies) as client, suppress(anthropic.APIError, KeyboardInterrupt):
        AGENTS[agent](question, notes_dir=notes, client=client, log_path=path, **options)
    return path


def interrupts(event: Event) -> None:
    """Ctrl-C once the first reply is there."""
    if isinstance(event, ModelCalled):
        raise KeyboardInterrupt


def logged(path: Path) -> list[dict[str, Any]]:
    """The log's lines."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def run_ids(path: Path) -> list[str]:
    """The ids of the log's runs, by their start."""
    return list(dict.fromkeys(line["run_id"] for line in logged(path)))


def cells(row: str) -> list[str]:
    """The columns of a table's row."""
    return [cell.strip() for cell in row.split("  ") if cell.strip()]


class Shown:
    """Reads what the command printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, path: Path, run: str | None = None) -> list[str]:
        """The lines of text."""
        log(str(path), run=run)
        return self._capsys.readouterr().out.splitlines()

    def json(self, path: Path, run: str | None = None) -> Any:
        """The JSON value."""
        log(str(path), run=run, as_json=True)
        return json.loads(self._capsys.readouterr().out)

    def failure(self, path: str, run: str | None = None) -> str:
        """The error of a call that ends with 2."""
        with pytest.raises(typer.Exit) as raised:
            log(path, run=run)
        printed = self._capsys.readouterr()
        assert (raised.value.exit_code, printed.out) == (2, "")
        return printed.err


@pytest.fixture
def shown(capsys: pytest.CaptureFixture[str]) -> Shown:
    """Calls the command."""
    return Shown(capsys)


def test_the_runs_of_both_agents_and_what_became_of_them(shown: Shown, tmp_path: Path) -> None:
    ask(tmp_path, SEARCH, ANSWER)
    ask(tmp_path, SEARCH, says("Not in the notes"), agent="runner")
    ask(tmp_path, SEARCH, SEARCH, SEARCH, SEARCH, agent="runner", limits=Limits(max_steps=3, answer_at_limit=False))
    ask(tmp_path, SEARCH, error(400, "invalid_request_error", "no"))
    ask(tmp_path, SEARCH, agent="runner", on_event=interrupts)
    path = ask(tmp_path, SEARCH, SEARCH, SEARCH, calls(tool_use("no_such_tool")), ANSWER)

    header, *rows = shown(path)[:7]

    assert cells(header) == [
        *("run", "started (UTC)", "agent", "model", "outcome"),
        *("steps", "calls", "tokens in", "tokens out", "cost"),
    ]
    assert [[row[:8], *cells(row)[2:]] for row in rows] == [
        [run_id[:8], agent, "claude-haiku-5-5", *told]
        for run_id, agent, *told in zip(
            run_ids(path),
            ["manual", "runner", "runner", "manual", "runner", "manual"],
            ["ok", "not_in_notes", "step_limit", "error: BadRequestError", "interrupted", "ok"],
            ["2", "2", "3", "1", "1", "5"],
            ["1", "1", "2", "1", "0", "4"],
            ["1000", "1000", "1500", "500", "500", "2500"],
            ["120", "120", "180", "60", "60", "300"],
            ["$0.000160", "$0.000160", "$0.000240", "$0.000080", "$0.000080", "$0.000400"],
            strict=True,
        )
    ]
    started = [line["at"] for line in logged(path) if line["event"] == "question"]
    assert [cells(row)[1] for row in rows] == [at[:19].replace("T", " ") for at in started]


def test_columns_are_aligned(shown: Shown, tmp_path: Path) -> None:
    ask(tmp_path, SEARCH, ANSWER)
    path = ask(tmp_path, *[SEARCH] * 30, agent="runner", model="日本語", limits=Limits(max_steps=30))

    rows = shown(path)[:3]

    assert len({cell_len(row) for row in rows}) == 1
    assert len(rows[2]) == len(rows[0]) - 3  # each of the three characters is two columns wide


def test_totals_by_day_and_model_to_hold_against_a_vendors_page(shown: Shown, tmp_path: Path) -> None:
    counts = {"input_tokens": 500, "output_tokens": 60}
    cached = counts | {"cache_creation_input_tokens": 1000, "cache_read_input_tokens": 1}
    ask(tmp_path, SEARCH, ANSWER)
    ask(tmp_path, SEARCH, ANSWER, agent="runner")
    path = ask(tmp_path, says("[boiler.txt]", usage=cached))
    day = logged(path)[0]["at"][:10]

    told = shown(path)

    assert [cells(row) for row in told[4:]] == [
        [],
        ["Replies by day and model:"],
        [],
        ["day (UTC)", "model", "runs", "replies", "input", "output", "cache write", "cache read", "cost"],
        [day, "claude-haiku-5-5", "3", "5", "2500", "300", "1000", "1", "$0.00052501"],
    ]


def test_a_reply_counts_for_the_model_that_it_names(shown: Shown, tmp_path: Path) -> None:
    path = ask(tmp_path, SEARCH | {"model": "an-alias"}, ANSWER)

    told = shown(path)

    assert [cells(row)[1:4] + cells(row)[-1:] for row in told[-2:]] == [
        ["an-alias", "1", "1", "$0.000080"],
        ["claude-haiku-5-5", "1", "1", "$0.000080"],
    ]


def test_a_cost_that_is_not_known_is_never_a_silent_nothing(shown: Shown, tmp_path: Path) -> None:
    unpriced = ANSWER | {"usage": {"input_tokens": 500}}
    ask(tmp_path, SEARCH, unpriced)
    path = ask(tmp_path, ANSWER | {"model": "unheard-of"}, model="unheard-of")

    told, parsed = shown(path), shown.json(path)

    assert [cells(row)[-1] for row in told[1:3]] == ["unknown", "unknown"]
    assert [cells(row)[-1] for row in told[-2:]] == ["$0.000080 + 1 unknown", "1 unknown"]
    assert [run["cost_usd"] for run in parsed["runs"]] == [None, None]
    assert [(total["known_cost_usd"], total["unknown_costs"]) for total in parsed["totals"]] == [(0.00008, 1), (0.0, 1)]


@pytest.mark.parametrize("agent", AGENTS)
def test_one_run_line_by_line(agent: str, shown: Shown, tmp_path: Path) -> None:
    ask(tmp_path, SEARCH, agent=agent)
    path = ask(
        tmp_path, SEARCH, calls(tool_use("search_notes", "toolu_2")), ANSWER, agent=agent, question="When?\n\tNow"
    )
    run_id = run_ids(path)[1]

    told = shown(path, run_id[:6])

    seconds = re.compile(r"\d+\.\d s$")
    assert told[0].startswith(f"run {run_id}, {agent} agent, claude-haiku-5-5, started 20")
    assert [seconds.sub("0.0 s", line) for line in told[1:]] == [
        "ok; steps: 3, calls: 2, tokens: 1500 + 180, cost: $0.000240",
        "",
        "question  When?\\n\\tNow",
        "request   step 1, messages sent: 1",
        "reply     tool_use, 500 + 60 tokens, cost $0.000080, 0.0 s",
        f'call      search_notes {{"query": "boiler serviced"}} -> {FOUND}',
        "request   step 2, messages sent: 3",
        "reply     tool_use, 500 + 60 tokens, cost $0.000080, 0.0 s",
        "guard     bad_arguments refused: arguments do not fit",
        "call      refused: search_notes {} -> The arguments do not fit, so the tool did not run: query: missing.",
        "request   step 3, messages sent: 5",
        "reply     end_turn, 500 + 60 tokens, cost $0.000080, 0.0 s",
        "result    ok, citing boiler.txt:1: On 12 March [boiler.txt:1].",
    ]


@pytest.mark.parametrize(
    ("replies", "options", "last"),
    [
        ([SEARCH], {"limits": Limits(max_steps=1)}, ["guard     step_limit stopped: ", "result    step_limit: (none)"]),
        (
            [SEARCH, ANSWER],
            {"limits": Limits(max_steps=2)},
            ["result    ok, at the step limit, citing boiler.txt:1: On"],
        ),
        (
            [SEARCH, says("[boiler.txt:2] [boiler.txt:1-3] [b.txt:2-4]")],
            {},
            [
                "guard     citations stopped: the answer cites a file or a line that nothing in this run showed "
                "([boiler.txt:2]: nothing showed this line; [boiler.txt:1-3]: not all of these lines were shown; "
                "[b.txt]: nothing showed this file)",
                "result    bad_citation, citing boiler.txt:2, boiler.txt:1-3, b.txt:2-4: [boiler.txt:2] [boil",
            ],
        ),
        (
            [says("In May.", usage={"input_tokens": 1, "output_tokens": 1})],
            {},
            [
                "reply     end_turn, 1 + 1 token, cost $0.0000006, 0.0 s",
                "guard     citations stopped: the answer cites no file",
                "result    no_citation: In May.",
            ],
        ),
        (
            [error(400, "invalid_request_error", "no")],
            {},
            ["request   step 1", "error     failed, BadRequestError: Err"],
        ),
        ([SEARCH], {"on_event": interrupts}, ["reply     tool_use", "error     interrupted, KeyboardInterrupt:"]),
    ],
)
@pytest.mark.parametrize("agent", AGENTS)
def test_how_a_run_ended(
    agent: str, replies: list[Any], options: dict[str, Any], last: list[str], shown: Shown, tmp_path: Path
) -> None:
    path = ask(tmp_path, *replies, agent=agent, **options)

    told = shown(path, run_ids(path)[0])

    assert [line[: len(start)] for line, start in zip(told[-len(last) :], last, strict=True)] == last


def test_a_log_without_content_shows_what_it_has(shown: Shown, tmp_path: Path) -> None:
    path = ask(tmp_path, SEARCH, calls(tool_use("made_up")), ANSWER, log_content=False)

    told = shown(path, run_ids(path)[0])

    assert told[1] == "ok; steps: 3, calls: 2, tokens: 1500 + 180, cost: $0.000240"
    assert [line for line in told if "not logged" in line] == [
        "question  (not logged)",
        "call      search_notes (not logged) -> (not logged)",
        "call      refused: (none) (not logged) -> (not logged)",
        "result    ok: (not logged)",
    ]


def test_what_is_long_is_cut(shown: Shown, tmp_path: Path) -> None:
    path = ask(tmp_path, calls(tool_use("odd", text="y" * 5000)), says("z" * 5000), question="x" * 5000)

    told = shown(path, run_ids(path)[0])

    assert told[3] == f"question  {'x' * 300}…"
    assert told[7] == f'call      refused: odd {{"text": "{"y" * 290}… -> {output(path)[:200]}'
    assert told[-1] == f"result    no_citation: {'z' * 2000}…"


def output(path: Path) -> str:
    """What the first call brought."""
    return str(next(line["output"] for line in logged(path) if line["event"] == "tool_call"))


def test_of_an_output_the_first_200_characters_are_shown(shown: Shown, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "long.txt").write_text("boiler " * 100)
    path = ask(tmp_path, SEARCH, ANSWER)

    told = shown(path, run_ids(path)[0])

    assert len(output(path)) > 200
    assert told[6].endswith(f" -> {output(path)[:200]}…")


def test_a_run_without_its_last_line_is_unfinished(shown: Shown, tmp_path: Path) -> None:
    path = ask(tmp_path, SEARCH, ANSWER)
    whole = path.read_text()
    path.write_text(whole[:-20])

    told, parsed = shown(path), shown.json(path)

    assert cells(told[1])[4:] == ["unfinished", "2", "1", "1000", "120", "$0.000160"]
    assert told[-2:] == ["", "1 line was torn."]
    assert (parsed["torn"], parsed["foreign"]) == (1, 0)


def test_lines_that_are_not_ours_are_counted(shown: Shown, tmp_path: Path) -> None:
    path = ask(tmp_path, ANSWER)
    path.write_text('{"level": "info"}\n\nnoise\n{"event": "quest\n{"event\n' + path.read_text() + "[]\n")

    told = shown(path)

    assert told[-1] == "2 lines were torn, 3 lines were not ours."
    path.write_text("noise\n")
    assert shown(path) == ["The log holds no run.", "", "1 line was not ours."]


def test_two_runs_whose_lines_are_mixed_are_told_apart(shown: Shown, tmp_path: Path) -> None:
    ask(tmp_path, SEARCH, ANSWER)
    path = ask(tmp_path, SEARCH, ANSWER, agent="runner")
    apart = shown(path)
    lines = path.read_text().splitlines(keepends=True)
    half = len(lines) // 2

    path.write_text("".join(line for pair in zip(lines[half:], lines[:half], strict=True) for line in pair))

    assert shown(path) == apart
    story = shown.json(path, run_ids(path)[0])["lines"]
    assert story == [json.loads(line) for line in lines[half:]]


def test_json_of_all_runs(shown: Shown, tmp_path: Path) -> None:
    ask(tmp_path, SEARCH, ANSWER)
    path = ask(tmp_path, error(400, "invalid_request_error", "no"), agent="runner")
    lines = logged(path)
    starts = [line["at"] for line in lines if line["event"] == "question"]
    first, second = run_ids(path)

    parsed = shown.json(path)

    named = {"model": "claude-haiku-5-5", "started": starts[0], "run_id": first, "agent": "manual"}
    sums = {"steps": 2, "tool_calls": 1, "tokens_in": 1000, "tokens_out": 120, "cost_usd": 0.00016}
    nothing = {"steps": 0, "tool_calls": 0, "tokens_in": 0, "tokens_out": 0, "cost_usd": 0.0}
    assert parsed == {
        "runs": [
            {**named, "status": "ok", "error": None, **sums},
            named
            | {
                "run_id": second,
                "agent": "runner",
                "started": starts[1],
                "status": "failed",
                "error": "BadRequestError",
            }
            | nothing,
        ],
        "totals": [
            {
                "day": starts[0][:10],
                "model": "claude-haiku-5-5",
                "runs": 1,
                "model_calls": 2,
                "input_tokens": 1000,
                "output_tokens": 120,
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": 0,
                "known_cost_usd": 0.00016,
                "unknown_costs": 0,
            }
        ],
        "torn": 0,
        "foreign": 0,
    }


def test_json_of_one_run_holds_its_lines_as_they_were_logged(shown: Shown, tmp_path: Path) -> None:
    path = ask(tmp_path, SEARCH, ANSWER)
    of_all = shown.json(path)["runs"][0]

    parsed = shown.json(path, run_ids(path)[0][:8])

    assert parsed == {"run": of_all, "lines": logged(path)}


def test_a_run_that_is_not_there_or_not_the_only_one(shown: Shown, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    runs = ["abc", "abcd", "abde"]
    path.write_text("".join(f'{{"event": "question", "run_id": "{run}", "schema": 1}}\n' for run in runs))

    assert shown(path, "abc")[0].startswith("run abc, ")
    assert shown(path, "abd")[0].startswith("run abde, ")
    assert shown.failure(str(path), "x") == "Error: no run in the log has an id that begins with 'x'\n"
    told = "Error: 3 runs have ids that begin with 'ab', give more of it: abc, abcd, abde\n"
    assert shown.failure(str(path), "ab") == told


def test_an_empty_log_holds_no_run(shown: Shown, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.touch()

    assert shown(path) == ["The log holds no run."]
    assert shown.json(path) == {"runs": [], "totals": [], "torn": 0, "foreign": 0}
    assert "no run in the log" in shown.failure(str(path), "a")


def test_what_can_not_be_read(shown: Shown, tmp_path: Path) -> None:
    missing = tmp_path / "none\x1b[2J"

    shown_path = f"{tmp_path}/none\\x1b[2J"
    assert shown.failure(str(missing)) == f"Error: the log {shown_path} can't be read: no such file or directory\n"
    assert shown.failure(str(tmp_path)) == f"Error: the log {tmp_path} can't be read: it is no regular file\n"


HOSTILE = "\x1b[31m\u202e[bold]x[/] :smile:\r\n\u2028\ud800\U000e0041"
ESCAPED = "\\x1b[31m\\u202e[bold]x[/] :smile:\\r\\n\\u2028\\ud800\\U000e0041"


def test_hostile_words_of_a_model_are_shown_and_not_obeyed(shown: Shown, tmp_path: Path) -> None:
    reply = message([tool_use(HOSTILE[:-2], query=HOSTILE[:-2])], stop_reason="tool_use", model=HOSTILE[:-2])
    path = ask(tmp_path, reply, says(HOSTILE[:-2]), question=HOSTILE[:-2])

    told = "\n".join(shown(path, run_ids(path)[0]) + shown(path))

    assert {char for char in told if not char.isprintable()} == {"\n"}
    assert "[bold]x[/] :smile:" in told


def test_hostile_fields_of_a_log_are_shown_and_not_obeyed(shown: Shown, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    fields = ("agent", "model", "status", "question", "tool", "input", "output", "guard", "why", "answer", "message")
    events = ("question", "model_request", "model_call", "tool_call", "guard", "result", "error", HOSTILE)
    whole = {"run_id": HOSTILE, "schema": 1, "at": HOSTILE, **dict.fromkeys(fields, HOSTILE)}
    path.write_text("".join(json.dumps(whole | {"event": event}) + "\n" for event in events))

    told = shown(path) + shown(path, "\x1b")

    assert {char for char in "".join(told) if not char.isprintable()} == set()
    assert f"question  {ESCAPED}" in told


@pytest.mark.parametrize("odd", [None, True, -1, 1e300, 10**400, "x" * 100_000, [[]], {"line": {}}, [{"file": [7]}, 7]])
def test_fields_of_another_kind_break_nothing(odd: Any, shown: Shown, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    every = {name for event in get_args(Logged) for name in event.__annotations__} | {"at", "agent"}
    whole = dict.fromkeys(every, odd) | {"run_id": "r", "schema": 1}
    path.write_text("".join(json.dumps(whole | {"event": event.event}) + "\n" for event in get_args(Logged)))

    told = shown(path) + shown(path, "r")

    assert len([line for line in told if line.startswith(("guard ", "result ", "error "))]) == 3
    assert max(map(len, told)) < 3000
    assert shown.json(path, "r")["lines"][0]["question"] == odd


def test_every_event_has_its_words() -> None:
    assert {event.event for event in get_args(Logged)} == TOLD.keys()


def test_the_command_itself(tmp_path: Path) -> None:
    path = ask(tmp_path, SEARCH, ANSWER)
    run_id = run_ids(path)[0]

    made = two_loops("log", "log.jsonl", folder=tmp_path)
    one = two_loops("log", "log.jsonl", "--run", run_id[:4], "--json", folder=tmp_path)
    none = two_loops("log", "log.jsonl", "--run", "x", folder=tmp_path)

    assert (made.returncode, made.stderr) == (0, "")
    assert made.stdout.splitlines()[1].startswith(run_id[:8])
    assert (one.returncode, json.loads(one.stdout)["lines"]) == (0, logged(path))
    assert (none.returncode, none.stdout) == (2, "")
    assert none.stderr == "Error: no run in the log has an id that begins with 'x'\n"


@pytest.mark.parametrize("columns", ["0", "1", "20"])
def test_a_narrow_terminal_gets_the_same_lines(columns: str, tmp_path: Path) -> None:
    ask(tmp_path, SEARCH, ANSWER)

    wide = two_loops("log", "log.jsonl", folder=tmp_path)
    narrow = two_loops("log", "log.jsonl", folder=tmp_path, COLUMNS=columns)

    assert narrow.stdout == wide.stdout


@pytest.mark.parametrize("options", ["", "--json"])
def test_a_reader_that_stops_reading_gets_no_traceback(options: str, tmp_path: Path) -> None:
    path = ask(tmp_path, ANSWER)
    lines, run_id = path.read_text(), run_ids(path)[0]
    path.write_text("".join(lines.replace(run_id, f"{number:032x}") for number in range(3000)))
    command = f"{shlex.quote(sys.executable)} -m two_loops log {shlex.quote(str(path))} {options} | head -c 100"

    made = subprocess.run(command, shell=True, capture_output=True, text=True)

    assert len(made.stdout) == 100
    assert made.stderr == ""


def test_reading_a_log_loads_no_sdk(tmp_path: Path) -> None:
    path = ask(tmp_path, SEARCH, ANSWER)
    loaded = "sorted({'anthropic', 'genai_prices', 'httpx2'} & set(sys.modules))"
    script = f"import sys; from two_loops.cli.log import log; log({str(path)!r}, run='', as_json=True); print({loaded})"

    made = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert made.stdout.splitlines()[-1] == "[]"

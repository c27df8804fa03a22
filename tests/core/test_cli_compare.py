"""``two-loops compare``: what is said of two runs, and how the command ends."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import manual_agent
import runner_agent
from tests.core.loopback import serving
from tests.core.test_cli import QUESTION, two_loops
from two_loops import Limits, Result
from two_loops.cli.jobs import notes_job
from two_loops.cli.pairs import Setup, compare_runs
from two_loops.samples import NOTES, questions
from two_loops.stand_ins.script import calls, says, tool_use

SAMPLES = "Answering from the sample notes; give your own folder with --notes.\n"
SEARCH = calls(tool_use("search_notes", query="boiler serviced"))
AGAIN = calls(tool_use("search_notes", "toolu_2", query="Ortiz"))
ANSWER = says("On 12 March [boiler.txt:2].")


def hasty(*arguments: Any, **options: Any) -> Result:
    """An agent that makes two model calls at most, whatever it is told."""
    return runner_agent.ask(*arguments, **options | {"limits": Limits(max_steps=2)})


UNEQUAL = {"manual": manual_agent, "runner": SimpleNamespace(ask=hasty)}


def setup(folder: Path = NOTES, **shown: Any) -> Setup:
    """What both agents are given: a folder of notes."""
    job = notes_job(str(folder))
    return Setup(job, job.limits, [], **shown)


def written(folder: Path, *replies: Any) -> str:
    """The path of a script in the folder."""
    (folder / "script.json").write_text(json.dumps(replies))
    return "script.json"


def test_a_sample_question_is_identical(tmp_path: Path) -> None:
    made = two_loops("compare", QUESTION, folder=tmp_path)

    assert (made.returncode, made.stderr) == (0, SAMPLES)
    assert made.stdout == (
        f"Question: {QUESTION}\nidentical (plain): 2 requests, 1 call, 7 events, and the result: ok\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_every_mode(tmp_path: Path) -> None:
    made = two_loops("compare", QUESTION, "--mode", "every", "--notes", str(NOTES), folder=tmp_path)

    assert (made.returncode, made.stderr) == (0, "")
    assert [line for line in made.stdout.splitlines() if not line.startswith("Question")] == [
        "identical (plain): 2 requests, 1 call, 7 events, and the result: ok",
        "identical (streamed): 2 requests, 1 call, 11 events, and the result: ok",
        "identical (async): 2 requests, 1 call, 7 events, and the result: ok",
        "identical (async-streamed): 2 requests, 1 call, 11 events, and the result: ok",
        "4 of 4 identical",
    ]


def test_each_question_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text("# the sample questions\n\n" + "\n".join(questions()))

    made = two_loops("compare", "--questions", "q.txt", "--log", "l.jsonl", folder=tmp_path)

    lines = made.stdout.splitlines()
    assert (made.returncode, made.stderr) == (0, SAMPLES)
    assert [line.removeprefix("Question: ") for line in lines[:-1:2]] == questions()
    assert {line.split(":")[0] for line in lines[1:-1:2]} == {"identical (plain)"}
    assert lines[-1] == "9 of 9 identical"
    logged = [json.loads(line) for line in (tmp_path / "l.jsonl").read_text().splitlines()]
    assert [line["agent"] for line in logged if line["event"] == "result"] == ["manual", "runner"] * 9


def test_the_first_turn_that_differs_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    same = compare_runs(UNEQUAL, [QUESTION], setup(), [SEARCH, AGAIN, ANSWER])

    lines = capsys.readouterr().out.splitlines()
    assert same is False
    assert lines[:3] == [
        f"Question: {QUESTION}",
        "different (plain): requests, calls, events, results",
        "both   | step 1",
    ]
    assert [line for line in lines if line.startswith(("manual", "runner"))] == [
        "manual |   sent       3 messages; new: the last reply, then",
        "runner |   sent       3 messages, tool_choice: none; new: the last reply, then",
        'runner |              "This is your last turn: no more tool calls are possible. Answer now with what you have '
        'found so far."',
        'manual |   ran        search_notes(query="Ortiz"): found boiler.txt:2-4',
        "runner |   guard      step_limit stopped the run: 2 of 2 model calls made",
    ]
    assert lines[-2:] == [
        "Asked differently: question limits.max_steps: manual 6; runner 2",
        "First difference, turn 2: request messages[2].content[1]: manual nothing; "
        'runner {"type": "text", "text": "This is your last turn: no more tool calls are possibl…',
    ]
    assert not [line for line in lines if "step 3" in line]


def test_a_difference_side_by_side_on_a_wide_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    compare_runs(UNEQUAL, [QUESTION], setup(width=140), [SEARCH, AGAIN, ANSWER])

    lines = capsys.readouterr().out.splitlines()
    assert lines[2:4] == [f"{'manual':68}   runner", f"{'step 1':68} = step 1"]
    assert lines[-3] == (
        f"{'  ran        search_notes(query=' + chr(34) + 'Ortiz' + chr(34) + '): found boiler.txt:2-4':68} ≠   "
        "guard      step_limit stopped the run: 2 of 2 model calls made"
    )


def test_values_that_differ_late_are_shown_where_they_do(capsys: pytest.CaptureFixture[str]) -> None:
    def other(*arguments: Any, **options: Any) -> Result:
        made = manual_agent.ask(*arguments, **options)
        return made.model_copy(update={"warnings": ["x" * 100 + "different" + "y" * 100]})

    def one(*arguments: Any, **options: Any) -> Result:
        made = manual_agent.ask(*arguments, **options)
        return made.model_copy(update={"warnings": ["x" * 100 + "equal"]})

    agents = {"one": SimpleNamespace(ask=one), "other": SimpleNamespace(ask=other)}

    compare_runs(agents, [QUESTION], setup(), [ANSWER])

    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "different (plain): results"
    assert lines[-1] == (
        f'First difference, turn 2: Result warnings[0]: one …{"x" * 20}equal"; other …{"x" * 20}different{"y" * 51}…'
    )


def test_as_json(tmp_path: Path) -> None:
    made = two_loops("compare", QUESTION, "--json", "--bare", folder=tmp_path)

    whole = json.loads(made.stdout)
    manual, runner = whole["runs"]["manual"], whole["runs"]["runner"]
    assert made.returncode == 0
    assert (whole["question"], whole["mode"], whole["identical"]) == (QUESTION, "plain", True)
    assert whole["counts"] == {"requests": 2, "calls": 1, "events": 7}
    assert (whole["differences"], whole["first_places"]) == ([], [])
    assert manual["requests"] == runner["requests"]
    assert manual["calls"] == [{"tool": "search_notes", "arguments": {"query": "boiler serviced"}}]
    assert [event["event"] for event in runner["events"]] == [
        "question",
        "model_request",
        "model_call",
        "tool_call",
        "model_request",
        "model_call",
        "result",
    ]
    assert (manual["result"]["agent"], runner["result"]["agent"], runner["error"]) == ("manual", "runner", None)
    assert (whole["bare"]["stop_reason"], whole["bare"]["text"]) == ("end_turn", "Not in the notes")


def test_a_difference_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    compare_runs(UNEQUAL, [QUESTION] * 2, setup(as_json=True), [SEARCH, AGAIN, ANSWER])

    first, second = capsys.readouterr().out.splitlines()
    whole = json.loads(first)
    assert second.startswith(f'{{"question": "{QUESTION}", "mode": "plain", "identical": false')
    assert (whole["identical"], whole["counts"], whole["bare"]) == (False, None, None)
    assert whole["differences"] == ["requests", "calls", "events", "results"]
    assert whole["first_places"] == [
        {"turn": 0, "what": "question", "path": "limits.max_steps", "values": {"manual": 6, "runner": 2}},
        {
            "turn": 2,
            "what": "request",
            "path": "messages[2].content[1]",
            "values": {"runner": whole["runs"]["runner"]["requests"][1]["messages"][2]["content"][1]},
        },
    ]


def test_a_script_in_place_of_a_model(tmp_path: Path) -> None:
    made = two_loops("compare", "-", "--script", written(tmp_path, SEARCH), folder=tmp_path, stdin=QUESTION)

    assert made.returncode == 0
    assert made.stdout == (
        f"Question: {QUESTION}\nidentical (plain): 2 requests, 1 call, 6 events, and the result: "
        "the API failed: the script has no reply left for request 2 (status 400)\n"
    )


def told_of(label: str, lines: list[str]) -> list[str]:
    """What stands behind a label, with whose it is, side by side or not."""
    split = [(line[:7].strip(), *line[10:].strip().split(maxsplit=1)) for line in lines if line[7:10] == " | "]
    return sorted([f"{whose}: {text}" for whose, named, text in split if named == label], key=lambda told: told[0])


def test_the_bare_runner_at_the_step_limit(tmp_path: Path) -> None:
    script = written(tmp_path, SEARCH, AGAIN, ANSWER)

    made = two_loops("compare", QUESTION, "--bare", "--script", script, "--max-steps", "2", folder=tmp_path)

    assert (made.returncode, made.stderr) == (0, SAMPLES)
    assert made.stdout.splitlines()[1:] == [
        "identical (plain): 2 requests, 1 call, 8 events, and the result: step_limit",
        "both    |   requests   2",
        'both    |   ran        search_notes(query="boiler serviced")',
        "guarded |   history    sent whole with each request",
        'bare    |   ran        search_notes(query="Ortiz")',
        "guarded |   ended      step_limit",
        "bare    |   history    not sent: the newest message alone, without those before it, system, tools",
        "bare    |   ended      stop_reason tool_use, without an exception",
        "both    |   answer     none",
        "bare    |   unread     1 call ran after the last request",
    ]


def test_the_bare_runner_where_a_tool_raises_and_another_is_unknown(tmp_path: Path) -> None:
    wrong = calls(tool_use("search_notes", query=" "), tool_use("no\n\x1b[2Jpe", "toolu_2"))
    script = written(tmp_path, wrong, ANSWER)

    made = two_loops("compare", QUESTION, "--bare", "--script", script, folder=tmp_path)

    lines = made.stdout.splitlines()
    assert (made.returncode, made.stderr) == (0, SAMPLES)
    assert told_of("told", lines) == [
        "bare: \"ToolError('The query is empty: give two to five keywords.')\"",
        "bare: \"Error: Tool 'no\\n\\u001b[2Jpe' not found\"",
        'guarded: "The query is empty: give two to five keywords."',
        "guarded: \"There is no tool named 'no\\\\n\\\\x1b[2Jpe' here. The tools are: search_notes.\"",
    ]
    assert told_of("printed", lines) == [
        "bare: Error occurred while calling tool: search_notes",
        "bare: UserWarning: Tool 'no",
    ]


def test_the_bare_runner_that_ends_silently(tmp_path: Path) -> None:
    script = written(tmp_path, calls())

    made = two_loops("compare", QUESTION, "--bare", "--script", script, folder=tmp_path)

    assert made.returncode == 0
    assert told_of("ended", made.stdout.splitlines()) == [
        "bare: stop_reason tool_use, without an exception",
        "guarded: unexpected_stop",
    ]
    assert told_of("history", made.stdout.splitlines()) == ["both: none to send: one request"]


def test_the_bare_runner_is_asked_once_a_question(tmp_path: Path) -> None:
    made = two_loops("compare", QUESTION, "--bare", "--mode", "every", folder=tmp_path)

    assert told_of("ended", made.stdout.splitlines()) == [
        "bare: stop_reason end_turn, without an exception",
        "guarded: ok",
    ]


def test_hostile_words_are_shown_and_not_obeyed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("boiler \x1b[31mred \u202e[bold]x[/] :smile:\r\x1b[2Jidentical (plain)\n")
    odd = calls(tool_use("search_notes", query="boiler", **{"\x1b[2J\nidentical": "\u202e\nidentical (plain): 9"}))
    replies = [calls(tool_use("search_notes", query="boiler")), odd, says("\x1b[31m\n\u202e[bold]")]

    compare_runs(UNEQUAL, ["boiler\nidentical (plain)\x1b[2J"], setup(tmp_path), replies, bare=True)
    compare_runs({"one": manual_agent, "other": runner_agent}, ["boiler"], setup(tmp_path), replies, bare=True)

    shown = capsys.readouterr().out
    lines = shown.splitlines()
    assert {character for character in shown if not character.isprintable()} == {"\n"}
    assert lines[0] == r"Question: boiler\nidentical (plain)\x1b[2J"
    assert [line for line in lines if line.startswith("identical")] == [
        "identical (plain): 3 requests, 1 call, 12 events, and the result: no_citation"
    ]
    assert [line for line in lines if "[bold]x[/] :smile:" in line]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "there is no question: give one, or a file of them with --questions"),
        ([QUESTION, "--questions", "q"], "give a question or --questions, not both"),
        (["--questions", "no"], "the questions no can't be read: no such file or directory"),
        (["--questions", "empty"], "the questions empty can't be used: there is no question in it"),
        ([""], "the question is empty"),
        (["-"], "the question is empty"),
        ([QUESTION, "--script", "no"], "the script no can't be read: no such file or directory"),
        ([QUESTION, "--script", "q"], "the script q can't be used: it is no JSON: Expecting value: line 1 column 1"),
        ([QUESTION, "--script", "list"], "the script list can't be used: the list has no reply"),
        ([QUESTION, "--script", "list", "--model", "offline"], "give one of --model and --script, not both"),
        ([QUESTION, "--model", "m", "--bare"], "--bare is for the offline model and for scripts, not for a real model"),
        ([QUESTION, "--model", "m", "--mode", "async"], "--mode is for the offline model and for scripts, not for a r"),
        ([QUESTION, "--model", "claude-haiku-5-5"], "no credentials: set ANTHROPIC_API_KEY, or use --model offline"),
        ([QUESTION, "--notes", "nowhere"], "there is no folder 'nowhere'; give the folder that holds the notes"),
        ([QUESTION, "--max-steps", "0"], "--max-steps must be a whole number of 1 or more, not 0"),
        ([QUESTION, "--log", "no/log"], "the log no/log can't be opened: no such file or directory"),
    ],
)
def test_wrong_use(arguments: list[str], told: str, tmp_path: Path) -> None:
    (tmp_path / "q").write_text("When?\n")
    (tmp_path / "empty").write_text("# none\n")
    (tmp_path / "list").write_text("[]")

    made = two_loops("compare", *arguments, folder=tmp_path)

    assert (made.returncode, made.stdout) == (2, "")
    assert made.stderr.startswith(f"Error: {told}")
    assert len(made.stderr.splitlines()) == 1


waiting, hung_up = threading.Event(), threading.Event()


class Server(BaseHTTPRequestHandler):
    """A real model's server: its path says how it answers."""

    asked = 0

    def do_POST(self) -> None:
        """One answer."""
        given = json.loads(self.rfile.read(int(self.headers["content-length"])))
        Server.asked += 1
        status, body = self._answer(self.path.split("/")[1], given)
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("x-should-retry", "false")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def _answer(self, how: str, given: dict[str, Any]) -> tuple[int, Any]:
        failed = {"error": {"message": "no"}}
        if how == "rejects":
            return 401, failed
        if how == "fails-later" and Server.asked > 2:
            return 500, failed
        if how == "hangs-later" and Server.asked > 2:
            waiting.set()
            hung_up.wait(30)
        return 200, SEARCH if len(given["messages"]) == 1 else ANSWER

    def log_message(self, *_: object) -> None:
        """Stay silent."""


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a loopback server."""
    Server.asked = 0
    waiting.clear()
    with serving(Server, hung_up) as address:
        yield address


def for_real(server: str, how: str) -> dict[str, str]:
    """The environment of a command that asks the server."""
    return {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": f"{server}/{how}"}


NOTICES = [
    SAMPLES.strip(),
    "Snippets from the sample notes go to 127.0.0.1.",
    "Two runs are paid for each question, each within its own limits.",
]


def test_a_real_model_is_never_called_identical(server: str, tmp_path: Path) -> None:
    environment = for_real(server, "answers")

    made = two_loops("compare", QUESTION, "--model", "claude-haiku-5-5", folder=tmp_path, **environment)

    lines = made.stdout.splitlines()
    assert (made.returncode, made.stderr.splitlines()) == (0, NOTICES)
    assert [line for line in lines if " |   time " not in line] == [
        f"Question: {QUESTION}",
        "both   |   status     ok",
        "both   |   steps      2",
        "both   |   searches   1",
        'both   |              search_notes(query="boiler serviced")',
        "both   |   tokens     1000 in + 120 out",
        "both   |   cost       $0.000160",
        "both   |   cited      boiler.txt:2",
        'both   |   answer     "On 12 March [boiler.txt:2]."',
        "Both answered.",
    ]
    assert list(tmp_path.iterdir()) == []


def test_a_real_model_as_json(server: str, tmp_path: Path) -> None:
    environment = for_real(server, "answers")

    made = two_loops("compare", QUESTION, "--model", "claude-haiku-5-5", "--json", folder=tmp_path, **environment)

    whole = json.loads(made.stdout)
    assert (made.returncode, whole["mode"], whole["identical"], whole["counts"]) == (0, None, None, None)
    assert [run["result"]["answered"] for run in whole["runs"].values()] == [True, True]
    assert [run["events"][0]["limits"]["max_cost_usd"] for run in whole["runs"].values()] == [0.5, 0.5]
    assert [run["events"][0]["limits"]["max_seconds"] for run in whole["runs"].values()] == [120, 120]


def test_a_real_run_that_fails_stands_beside_the_other(server: str, tmp_path: Path) -> None:
    environment = for_real(server, "fails-later")

    made = two_loops("compare", QUESTION, "--model", "claude-haiku-5-5", folder=tmp_path, **environment)

    lines = made.stdout.splitlines()
    assert made.returncode == 1
    assert told_status(lines) == ["manual: ok", "runner: the API failed: no (status 500)"]
    assert lines[-1] == "No answer from runner: the API failed: no (status 500)"


def told_status(lines: list[str]) -> list[str]:
    """The statuses of two runs."""
    return [line.replace(" |   status     ", ": ") for line in lines if " |   status " in line]


def test_a_rejected_key_ends_the_command(server: str, tmp_path: Path) -> None:
    (tmp_path / "q").write_text("When?\nWho?\n")
    environment = for_real(server, "rejects")

    made = two_loops("compare", "--questions", "q", "--model", "claude-haiku-5-5", folder=tmp_path, **environment)

    assert (made.returncode, made.stdout) == (2, "")
    assert made.stderr.splitlines()[-1] == "Error: the server rejected the key: no (status 401)"
    assert Server.asked == 1


def interrupted(server: str, folder: Path, *options: str) -> tuple[int, str, str]:
    """A command that is interrupted during its second run: its exit code, and what it printed."""
    command = [sys.executable, "-m", "two_loops", "compare", QUESTION, "--model", "claude-haiku-5-5", *options]
    environment = os.environ | for_real(server, "hangs-later") | {"HOME": str(folder)}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as made:
        assert waiting.wait(30)
        made.send_signal(signal.SIGINT)
        out, told = made.communicate(timeout=30)
    return made.returncode, out, told


def test_ctrl_c_in_the_second_run_loses_nothing_of_the_first(server: str, tmp_path: Path) -> None:
    code, out, told = interrupted(server, tmp_path)

    assert (code, out) == (130, "On 12 March [boiler.txt:2].\n")
    said = [line.split(", run ")[0] for line in told.splitlines()[3:]]
    assert said == [
        "interrupted: runner agent, claude-haiku-5-5, 0 steps, 0 + 0 tokens, $0.000000",
        "ok: manual agent, claude-haiku-5-5, 2 steps, 1000 + 120 tokens, $0.000160",
        "Error: interrupted",
    ]


def test_ctrl_c_in_the_second_run_leaves_the_first_as_json(server: str, tmp_path: Path) -> None:
    code, out, told = interrupted(server, tmp_path, "--json")

    whole = json.loads(out)
    assert (code, told.splitlines()[-1]) == (130, "Error: interrupted")
    assert [(name, run["result"]["status"]) for name, run in whole["runs"].items()] == [("manual", "ok")]

"""The command line, as a process of its own."""

import json
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from two_loops.samples import NOTES, questions
from two_loops.stand_ins.script import says

QUESTION = questions()[0]


def two_loops(*arguments: str, folder: Path, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, without any credentials."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")}
    return subprocess.run(
        [sys.executable, "-m", "two_loops", *arguments],
        cwd=folder,
        input=stdin,
        env=inherited | {"HOME": str(folder), "COLUMNS": "200"} | environment,
        capture_output=True,
        text=True,
        timeout=60,
    )


@pytest.mark.parametrize("agent", ["manual", "runner"])
def test_asking_without_a_key(agent: str, tmp_path: Path) -> None:
    made = two_loops("ask", QUESTION, "--agent", agent, folder=tmp_path)

    assert made.returncode == 0
    assert "12 March" in made.stdout
    assert "[boiler.txt:2]" in made.stdout
    assert "sample notes" in made.stderr
    assert f"ok: {agent} agent, offline (no language model" in made.stderr
    events = [json.loads(line)["event"] for line in (tmp_path / "agent_log.jsonl").read_text().splitlines()]
    assert (events[0], events[-1]) == ("question", "result")


def test_asking_for_json_from_standard_input(tmp_path: Path) -> None:
    made = two_loops("ask", "-", "--json", "--log", "l.jsonl", "--notes", str(NOTES), folder=tmp_path, stdin=QUESTION)

    result = json.loads(made.stdout)
    assert made.returncode == 0
    assert (result["status"], result["answered"], result["model"]) == ("ok", True, "offline")
    assert result["citations"] == [{"file": "boiler.txt", "line": 2, "last_line": None}]
    assert (tmp_path / "l.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["ask", ""], 2, "Error: the question is empty"),
        (["ask", QUESTION, "--notes", "nowhere"], 2, "Error: there is no folder 'nowhere'"),
        (["ask", QUESTION, "--log", "no/such/log"], 2, "Error: the log no/such/log can't be opened"),
        (["ask", QUESTION, "--max-steps", "0"], 2, "Error: max_steps must be a whole number of 1 or more, not 0"),
        (["ask", QUESTION, "--max-cost", "nan"], 2, "Error: max_cost_usd must be a finite number above 0, not nan"),
        (["ask", QUESTION, "--agent", "both"], 2, "both"),
        (["ask", QUESTION, "--model", "claude-haiku-5-5"], 2, "Error: no credentials: set ANTHROPIC_API_KEY"),
        (["ask", QUESTION, "--max-steps", "1"], 1, "tried: no call was answered"),
        (["ask", QUESTION, "--notes", ""], 2, "Error: there is no folder ''"),
        (["ask", QUESTION, "--notes", "x" * 300], 2, "Error: the folder can't be looked at (File name too long)"),
        (["ask", QUESTION, "--notes", "."], 2, "Error: there is no .txt or .md note to read in ."),
        (["ask", QUESTION, "--log", ""], 2, "Error: the log . can't be opened"),
        (["ask", QUESTION, "--log", str(NOTES / "boiler.txt")], 2, "what it holds is no log"),
        (["ask", QUESTION, "--model", ""], 2, "Error: no credentials"),
        (["ask", "-"], 2, "Error: the question is empty"),
        ([], 2, "Usage"),
        (["--version"], 0, ""),
    ],
)
def test_exit_codes(arguments: list[str], code: int, told: str, tmp_path: Path) -> None:
    made = two_loops(*arguments, folder=tmp_path)

    assert made.returncode == code
    assert told in made.stderr + made.stdout
    assert "Traceback" not in made.stderr


asked, hung_up = threading.Event(), threading.Event()


class Server(BaseHTTPRequestHandler):
    """Answers each POST with what the path's first part says."""

    def do_POST(self) -> None:
        """One answer."""
        self.rfile.read(int(self.headers["content-length"]))
        status = int(self.path.split("/")[1])
        if status == 0:
            asked.set()
            hung_up.wait(30)
            return
        body = (
            says("\x1b[31mred\u202e [bold]x[/] :smile: <b>") if status == 200 else {"error": {"message": "\x1b[2J no"}}
        )
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header(*(("retry-after", "3600") if status == 429 else ("x-should-retry", "false")))
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_: object) -> None:
        """Stay silent."""


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a loopback server."""
    with HTTPServer(("127.0.0.1", 0), Server) as http:
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}"
        hung_up.set()
        http.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("status", "code", "told"), [(401, 2, "rejected the key"), (400, 1, "the API failed"), (429, 1, "the API failed")]
)
def test_a_server_that_says_no(status: int, code: int, told: str, server: str, tmp_path: Path) -> None:
    environment = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": f"{server}/{status}"}

    made = two_loops("ask", QUESTION, folder=tmp_path, **environment)

    assert made.returncode == code
    assert told in made.stderr
    assert "Snippets from" in made.stderr
    assert "go to 127.0.0.1." in made.stderr
    assert "\x1b" not in made.stderr


def test_ctrl_c_while_waiting_for_the_server(server: str, tmp_path: Path) -> None:
    environment = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": f"{server}/0", "HOME": str(tmp_path)}
    command = [sys.executable, "-m", "two_loops", "ask", QUESTION]

    with subprocess.Popen(
        command, cwd=tmp_path, env=os.environ | environment, stderr=subprocess.PIPE, text=True
    ) as made:
        assert asked.wait(30)
        made.send_signal(signal.SIGINT)
        _, told = made.communicate(timeout=30)

    assert made.returncode == 130
    assert told.endswith("Error: interrupted\n")
    last = json.loads((tmp_path / "agent_log.jsonl").read_text().splitlines()[-1])
    assert (last["event"], last["reason"]) == ("error", "interrupted")


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    environment = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": "http://127.0.0.1:9"}

    made = two_loops("ask", QUESTION, folder=tmp_path, **environment)

    assert made.returncode == 1
    assert "Error: the server could not be reached" in made.stderr


def test_hostile_words_are_shown_and_not_obeyed(server: str, tmp_path: Path) -> None:
    environment = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": f"{server}/200", "FORCE_COLOR": "1"}

    made = two_loops("ask", QUESTION, "--model", "unheard-of", folder=tmp_path, **environment)

    assert made.returncode == 1
    assert made.stdout == "\\x1b[31mred\\u202e [bold]x[/] :smile: <b>\n"
    assert "no_citation" in made.stderr
    assert "No price is known for unheard-of: the cost is unknown and not capped." in made.stderr


def test_a_cost_limit_without_a_price(server: str, tmp_path: Path) -> None:
    environment = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": f"{server}/200"}

    made = two_loops("ask", QUESTION, "--model", "unheard-of", "--max-cost", "1", folder=tmp_path, **environment)

    assert made.returncode == 2
    assert "no price is known for the model 'unheard-of'" in made.stderr


def test_a_run_without_an_answer_says_what_was_tried(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("The boiler hums.\n")

    made = two_loops("ask", QUESTION, "--notes", "notes", "--max-steps", "1", folder=tmp_path)

    assert made.returncode == 1
    assert made.stdout == ""
    assert "step_limit" in made.stderr


def test_every_limit_is_an_option(tmp_path: Path) -> None:
    named = (
        "--max-steps 4 --max-tool-calls 5 --max-total-tokens 6000 --max-cost 0.7 --max-seconds 80 --no-answer-at-limit"
    )

    made = two_loops("ask", QUESTION, *named.split(), folder=tmp_path)

    asked = json.loads((tmp_path / "agent_log.jsonl").read_text().splitlines()[0])
    assert made.returncode == 0
    assert asked["limits"] == {
        "max_steps": 4,
        "max_tool_calls": 5,
        "max_total_tokens": 6000,
        "max_cost_usd": 0.7,
        "max_seconds": 80,
        "answer_at_limit": False,
    }


def test_no_log(tmp_path: Path) -> None:
    made = two_loops("ask", QUESTION, "--no-log", folder=tmp_path)

    assert made.returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_a_terminal_without_columns_swallows_nothing(tmp_path: Path) -> None:
    made = two_loops("ask", QUESTION, folder=tmp_path, COLUMNS="0")

    assert "12 March" in made.stdout


def test_bytes_that_are_no_text_on_standard_input(tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")}
    command = [sys.executable, "-m", "two_loops", "ask", "-", "--no-log"]

    made = subprocess.run(
        command,
        input=QUESTION.encode() + b"\xff",
        cwd=tmp_path,
        env=environment | {"HOME": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
    )

    assert (made.returncode, b"12 March" in made.stdout) == (0, True)


def test_no_standard_input_at_all(tmp_path: Path) -> None:
    command = f"{shlex.quote(sys.executable)} -m two_loops ask - --model offline <&-"

    made = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True)

    assert (made.returncode, "the question is empty" in made.stderr) == (2, True)


def test_output_that_can_not_be_written(tmp_path: Path) -> None:
    command = f"{shlex.quote(sys.executable)} -m two_loops ask '{QUESTION}' --model offline --no-log >/dev/full"

    made = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True)

    assert made.returncode == 1
    assert made.stderr.endswith("Error: the output can't be written: No space left on device\n")


def test_an_answer_that_is_no_message_names_its_cause(server: str, tmp_path: Path) -> None:
    environment = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": f"{server}/204"}

    made = two_loops("ask", QUESTION, folder=tmp_path, **environment)

    assert made.returncode == 1
    assert "Error: the server's answer can't be used as a message:" in made.stderr
    assert "Error(" in made.stderr


@pytest.mark.parametrize(
    ("words", "offered"), [("two-loops ", ["ask", "demo", "log"]), ("two-loops ask --ag", ["--agent"])]
)
def test_a_shell_can_complete_the_command(words: str, offered: list[str], tmp_path: Path) -> None:
    asked = {"_TWO_LOOPS_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split(" ")) - 1)}
    command = Path(sys.executable).with_name("two-loops")

    made = subprocess.run([command], env=os.environ | asked, cwd=tmp_path, capture_output=True, text=True)

    assert sorted(made.stdout.split()) == offered


@pytest.mark.parametrize("agent", ["manual", "runner"])
def test_each_agent_is_a_module_that_can_be_run(agent: str, tmp_path: Path) -> None:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("ANTHROPIC_")}

    made = subprocess.run(
        [sys.executable, "-m", f"{agent}_agent", QUESTION, "--no-log"],
        cwd=tmp_path,
        env=inherited | {"HOME": str(tmp_path)},
        capture_output=True,
        text=True,
    )

    assert made.returncode == 0
    assert "12 March" in made.stdout
    assert f"ok: {agent} agent" in made.stderr


def test_help_shows_the_defaults(tmp_path: Path) -> None:
    made = two_loops("ask", "--help", folder=tmp_path)

    assert made.returncode == 0
    unwrapped = "".join(made.stdout.split())
    assert "[default:claude-haiku-5-5;offlinewhere" in unwrapped
    assert "[default:0.5wherethemodelhasaknownprice]" in unwrapped
    assert "[default:6]" in unwrapped

"""The command line, as a process of its own."""

import inspect
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.core.loopback import serving
from two_loops import Limits
from two_loops.cli.ask import ask
from two_loops.cli.compare import compare
from two_loops.cli.exits import OPTIONS
from two_loops.cli.work import work
from two_loops.samples import NOTES, questions
from two_loops.settings import own_version
from two_loops.stand_ins.script import calls, says, tool_use

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
        (["ask", QUESTION, "--max-steps", "0"], 2, "Error: --max-steps must be a whole number of 1 or more, not 0"),
        (["ask", QUESTION, "--max-tool-calls", "0"], 2, "Error: --max-tool-calls must be a whole number of 1 or more"),
        (["ask", QUESTION, "--max-total-tokens", "-1"], 2, "Error: --max-total-tokens must be a whole number of 1 or"),
        (["ask", QUESTION, "--max-cost", "nan"], 2, "Error: --max-cost must be a finite number above 0, not nan"),
        (["ask", QUESTION, "--max-seconds", "inf"], 2, "Error: --max-seconds must be a finite number above 0, not inf"),
        (["ask", QUESTION, "--agent", "both"], 2, "both"),
        (
            ["ask", QUESTION, "--model", "claude-haiku-5-5"],
            2,
            "Error: no credentials: set ANTHROPIC_API_KEY, or use --mo",
        ),
        (["ask", QUESTION, "--max-steps", "1"], 1, "why: 1 of 1 model call made\ntried: no call was answered"),
        (["ask", QUESTION, "--notes", ""], 2, "Error: there is no folder ''"),
        (["ask", QUESTION, "--notes", "x" * 300], 2, "Error: the folder can't be looked at (File name too long)"),
        (["ask", QUESTION, "--notes", "."], 2, "Error: there is no .txt or .md note to read in ."),
        (["ask", QUESTION, "--log", ""], 2, "Error: the log . can't be opened"),
        (["ask", QUESTION, "--log", str(NOTES / "boiler.txt")], 2, "what it holds is no log"),
        (["ask", QUESTION, "--model", ""], 2, "Error: --model is empty: the model has no name"),
        (["ask", QUESTION, "--model", "x\udcff"], 2, "Error: --model can't be sent"),
        (["ask", QUESTION, "--no-log", "--log", "x"], 2, "Error: give one of --log and --no-log, not both"),
        (["ask", "-"], 2, "Error: the question is empty"),
        (["ask"], 2, "Usage: python -m two_loops ask [OPTIONS] QUESTION"),
        (["log"], 2, "Usage: python -m two_loops log [OPTIONS] FILE"),
        ([], 2, "Usage"),
        (["--version"], 0, ""),
    ],
)
def test_exit_codes(arguments: list[str], code: int, told: str, tmp_path: Path) -> None:
    made = two_loops(*arguments, folder=tmp_path)

    assert made.returncode == code
    assert told in made.stderr + made.stdout
    assert "Traceback" not in made.stderr
    assert code != 2 or "sample notes" not in made.stderr


@pytest.mark.parametrize("command", [ask, compare, work])
def test_every_limit_has_a_name_on_the_command_line(command: Callable[..., None]) -> None:
    options = {f"--{name.replace('_', '-')}" for name in inspect.signature(command).parameters}

    assert OPTIONS.keys() - {"model", "limit", "width"} == vars(Limits()).keys() - {"answer_at_limit"}
    assert set(OPTIONS.values()) <= options | {"--limit", "--width"}  # these two are of the search


UNPROVED = "In March [boiler.txt:2], by Ortiz [boiler.txt:90], for 90 euros [fake.txt]."

asked, hung_up = threading.Event(), threading.Event()


class Server(BaseHTTPRequestHandler):
    """Answers each POST with the status that the path's first part says, and the message that its second names."""

    def do_POST(self) -> None:
        """One answer."""
        given = json.loads(self.rfile.read(int(self.headers["content-length"])))
        status = int(self.path.split("/")[1])
        if status == 0:
            asked.set()
            hung_up.wait(30)
            return
        asked_again = len(given["messages"]) > 1
        body = {
            "hostile": says("\x1b[31mred\u202e [bold]x[/] :smile: <b>"),
            "cut": says("In March", stop_reason="max_tokens"),
            "forged": says("Serviced [x\nok: y]") if asked_again else calls(tool_use("x\nok: manual agent")),
            "forged-stop": says("In March", stop_reason="odd\nok: manual agent"),
            "unproved": says(UNPROVED) if asked_again else calls(tool_use("search_notes", query="boiler serviced")),
            "forged-error": {"error": {"message": "no\nok: manual agent"}},
        }.get(self.path.split("/")[2], {"error": {"message": "\x1b[2J no"}})
        self.send_response(status)
        self.send_header("content-type", "application/json")
        if self.path.split("/")[2] == "packed":
            self.send_header("content-encoding", "gzip")
        self.send_header(*(("retry-after", "3600") if status == 429 else ("x-should-retry", "false")))
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_: object) -> None:
        """Stay silent."""


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a loopback server."""
    asked.clear()
    with serving(Server, hung_up) as address:
        yield address


@pytest.mark.parametrize(
    ("status", "code", "told"),
    [
        (401, 2, "the server rejected the key: \\x1b[2J no (status 401)"),
        (403, 2, "the server refused permission: \\x1b[2J no (status 403)"),
        (400, 1, "the API failed: \\x1b[2J no (status 400)"),
        (429, 1, "the API failed: \\x1b[2J no (status 429)"),
    ],
)
def test_a_server_that_says_no(status: int, code: int, told: str, server: str, tmp_path: Path) -> None:
    environment = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": f"{server}/{status}"}

    made = two_loops("ask", QUESTION, folder=tmp_path, **environment)

    run_id = json.loads((tmp_path / "agent_log.jsonl").read_text().splitlines()[0])["run_id"]
    assert made.returncode == code
    assert made.stderr.splitlines() == [
        "Answering from the sample notes; give your own folder with --notes.",
        "Snippets from the sample notes go to 127.0.0.1.",
        f"failed: manual agent, claude-haiku-5-5, 0 steps, 0 + 0 tokens, $0.000000, run {run_id[:8]}",
        f"Error: {told}",
    ]


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
    assert "Error: the server 127.0.0.1 could not be reached: [Errno 111] Connection refused\n" in made.stderr


def test_a_server_that_answers_what_can_not_be_unpacked_was_reached(server: str, tmp_path: Path) -> None:
    environment = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": f"{server}/200/packed"}

    made = two_loops("ask", QUESTION, folder=tmp_path, **environment)

    assert made.returncode == 1
    assert "Error: the connection to the server 127.0.0.1 failed: Error -3 while decompressing data" in made.stderr


@pytest.mark.parametrize("agent", ["manual", "runner"])
@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("200/forged", ["why: the answer cites", "tried: x\\nok: manual agent() -> nothing"]),
        ("200/forged-stop", ["why: the last reply stopped with odd\\nok: manual agent", "tried: no call was answered"]),
        ("400/forged-error", ["Error: the API failed: no\\nok: manual agent (status 400)"]),
    ],
)
def test_no_line_is_forged(path: str, told: list[str], agent: str, server: str, tmp_path: Path) -> None:
    environment = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": f"{server}/{path}"}

    made = two_loops("ask", QUESTION, "--agent", agent, folder=tmp_path, **environment)

    assert made.returncode == 1
    lines = made.stderr.splitlines()[3:]
    assert len(lines) == len(told)
    assert all(line.startswith(begins) for line, begins in zip(lines, told, strict=True))


@pytest.mark.parametrize("key", ["my-made-up-key\n", "my-made-up\r-key"])
def test_a_key_that_no_header_can_hold_is_not_shown(key: str, server: str, tmp_path: Path) -> None:
    environment = {"ANTHROPIC_API_KEY": key, "ANTHROPIC_BASE_URL": f"{server}/200/unproved"}

    made = two_loops("ask", QUESTION, folder=tmp_path, **environment)

    assert made.returncode == 2
    assert made.stderr.endswith(
        "Error: the request can't be sent: the key, or another header, holds a character that no header can hold\n"
    )
    assert "my-made-up" not in made.stderr


def test_hostile_words_are_shown_and_not_obeyed(server: str, tmp_path: Path) -> None:
    environment = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": f"{server}/200/hostile", "FORCE_COLOR": "1"}

    made = two_loops("ask", QUESTION, "--model", "unheard-of", folder=tmp_path, **environment)

    assert made.returncode == 1
    assert made.stdout == "\\x1b[31mred\\u202e [bold]x[/] :smile: <b>\n"
    assert "no_citation" in made.stderr
    assert "No price is known for unheard-of: the cost is unknown and not capped." in made.stderr


def test_a_cost_limit_without_a_price(server: str, tmp_path: Path) -> None:
    environment = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": f"{server}/200"}

    made = two_loops("ask", QUESTION, "--model", "unheard-of", "--max-cost", "1", folder=tmp_path, **environment)

    assert made.returncode == 2
    assert made.stderr == "Error: --max-cost can't be kept: no price is known for the model 'unheard-of'\n"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (["", "--max-steps", "2"], "the question is empty"),
        ([QUESTION, "--max-seconds", "0"], "--max-seconds must be a finite number above 0, not 0.0"),
        ([QUESTION, "--log", "no/log"], "the log no/log can't be opened: no such file or directory"),
    ],
)
def test_where_snippets_go_is_said_of_a_run_that_begins(
    wrong: list[str], told: str, server: str, tmp_path: Path
) -> None:
    environment = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": f"{server}/200/unproved"}

    refused = two_loops("ask", *wrong, folder=tmp_path, **environment)
    begun = two_loops("ask", QUESTION, "--json", folder=tmp_path, **environment)

    assert (refused.returncode, refused.stdout, refused.stderr) == (2, "", f"Error: {told}\n")
    assert "Snippets from the sample notes go to 127.0.0.1." in begun.stderr


@pytest.mark.parametrize("address", ["nonsense", "http://", "ftp://x", "localhost:8000", ""])
def test_an_address_that_is_none(address: str, tmp_path: Path) -> None:
    made = two_loops("ask", QUESTION, folder=tmp_path, ANTHROPIC_API_KEY="k", ANTHROPIC_BASE_URL=address)

    assert made.returncode == 2
    assert made.stderr == (
        "Error: ANTHROPIC_BASE_URL must be the address of a server, like http://localhost:8000, or not be set\n"
    )


def test_a_server_of_ones_own_without_a_key(server: str, tmp_path: Path) -> None:
    address = {"ANTHROPIC_BASE_URL": f"{server}/200/unproved"}

    bare = two_loops("ask", QUESTION, folder=tmp_path, **address)
    made_up = two_loops("ask", QUESTION, folder=tmp_path, ANTHROPIC_API_KEY="any", **address)

    assert bare.returncode == 2
    assert bare.stderr == (
        "Error: no credentials: set ANTHROPIC_API_KEY (to any text for a server that asks for no key), "
        "or use --model offline\n"
    )
    assert made_up.stdout == f"{UNPROVED}\n"


@pytest.mark.parametrize("agent", ["manual", "runner"])
def test_a_citation_that_fails_is_named_with_its_fault(agent: str, server: str, tmp_path: Path) -> None:
    environment = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": f"{server}/200/unproved"}

    made = two_loops("ask", QUESTION, "--agent", agent, folder=tmp_path, **environment)

    assert made.returncode == 1
    assert made.stderr.splitlines()[-2:] == [
        "why: the answer cites a file or a line that nothing in this run showed: "
        "[boiler.txt:90]: nothing showed this line; [fake.txt]: nothing showed this file",
        "tried: search_notes(boiler serviced) -> bike.txt, boiler.txt, car.txt, garden.md",
    ]


def test_a_reply_that_ends_the_run_by_itself_says_why(server: str, tmp_path: Path) -> None:
    environment = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": f"{server}/200/cut"}

    made = two_loops("ask", QUESTION, folder=tmp_path, **environment)

    assert made.returncode == 1
    assert made.stderr.endswith("why: the last reply stopped with max_tokens\ntried: no call was answered\n")


def test_the_run_that_is_named_is_found_in_the_log(tmp_path: Path) -> None:
    asked = two_loops("ask", QUESTION, folder=tmp_path)
    named = asked.stderr.split(", run ")[1].strip()

    told = two_loops("log", "agent_log.jsonl", "--run", named, folder=tmp_path)

    assert len(named) == 8
    assert told.stdout.startswith(f"run {named}")


def test_a_run_without_an_answer_says_what_was_tried(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("The boiler hums.\n")

    made = two_loops("ask", QUESTION, "--notes", "notes", "--max-steps", "1", folder=tmp_path)

    assert made.returncode == 1
    assert made.stdout == ""
    assert "step_limit" in made.stderr


def test_every_limit_is_an_option(tmp_path: Path) -> None:
    named = (
        "--max-steps 4 --max-tool-calls 5 --max-total-tokens 6000 --max-cost 0.7 --max-seconds 80 --parallel-tools 3 "
        "--no-answer-at-limit"
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
        "parallel_tools": 3,
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
    ("words", "offered"),
    [
        ("two-loops ", ["ask", "compare", "demo", "eval", "eval-diff", "log", "search", "work"]),
        ("two-loops ask --ag", ["--agent"]),
    ],
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


@pytest.mark.parametrize("agent", ["manual", "runner"])
def test_an_agent_run_as_a_module_takes_the_options_of_ask_but_the_agent(agent: str, tmp_path: Path) -> None:
    alone = [sys.executable, "-m", f"{agent}_agent"]
    whole = two_loops("ask", "--help", folder=tmp_path)

    helped, named, versioned = (
        subprocess.run([*alone, *arguments], cwd=tmp_path, capture_output=True, text=True)
        for arguments in (["--help"], [QUESTION, "--agent", "manual"], ["--version"])
    )

    assert helped.stdout.startswith(f"Usage: python -m {agent}_agent [OPTIONS] QUESTION\n")
    assert options(helped.stdout) == options(whole.stdout) - {"--agent"} | {"--version"}
    assert (named.returncode, "No such option: --agent" in named.stderr) == (2, True)
    assert versioned.stdout == f"two-loops {own_version()}\n"


def options(help: str) -> set[str]:
    """The options that a help text lists."""
    return set(re.findall(r"(?<= )--[a-z-]+", help))


def test_help_shows_the_defaults(tmp_path: Path) -> None:
    made = two_loops("ask", "--help", folder=tmp_path)

    assert made.returncode == 0
    unwrapped = "".join(made.stdout.split())
    assert "[default:claude-haiku-5-5;offlinewhere" in unwrapped
    assert "[default:0.5wherethemodelhasaknownprice]" in unwrapped
    assert "[default:6,inaworkspace12]" in unwrapped

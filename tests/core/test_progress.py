"""The line on a terminal: what it says, and that it obeys nothing."""

import os
import pty
import re
import sys
from pathlib import Path

from two_loops.cli.progress import Progress, progress
from two_loops.cli.reading import read_by_tools
from two_loops.search import search_notes
from two_loops.values.events import GuardActed, ModelCalled, ModelRequested, ToolCalled

WIPE = "\x1b[2K"  # the terminal's code to empty a line


def called(tool: str, query: str) -> ToolCalled:
    """A search."""
    return ToolCalled(
        step=1,
        tool=tool,
        known=True,
        tool_use_id="toolu_1",
        input={"query": query},
        is_error=False,
        output="[]",
        detail=None,
        approval=None,
        decided_by=None,
        duration_s=0.1,
    )


def priced(cost: float | None, stop_reason: str = "tool_use") -> ModelCalled:
    """A reply."""
    return ModelCalled(
        step=1,
        model="m",
        stop_reason=stop_reason,
        input_tokens=1,
        output_tokens=1,
        cache_creation_input_tokens=0,
        cache_read_input_tokens=0,
        cost_usd=cost,
        duration_s=0.1,
        request_id=None,
    )


def test_the_line_names_step_search_and_money() -> None:
    line = Progress(None)
    line(priced(0.0001))
    line(priced(None))

    assert line.words(ModelRequested(step=2, messages=3)) == "step 2: waiting for the model (spent $0.000100)"
    assert line.words(priced(None)) == "step 1: waiting for the tools (spent $0.000100)"
    assert line.words(priced(None, "end_turn")) is None
    assert line.words(called("search_notes", "boiler")) == "step 1: search_notes boiler"
    assert line.words(GuardActed(guard="unknown_tool", outcome="refused", why="no such tool")) is None


def test_hostile_words_are_shown_and_cut() -> None:
    words = Progress(None).words(called("\x1b[2J" + "n" * 100, "[bold]\u202e" + "q" * 200))

    assert words is not None
    assert words.startswith("step 1: \\x1b[2Jnnn")
    assert "[bold]\\u202e" in words
    assert len(words) < 140


def test_in_a_pipe_there_is_no_line() -> None:
    with progress(wanted=True) as line:
        line(ModelRequested(step=1, messages=1))

    assert line.__dict__["_status"] is None


def on_a_terminal(*arguments: str, **environment: str) -> tuple[int, str]:
    """The exit code of a question asked on a terminal, and all that was drawn there."""
    drawn = []

    def read(descriptor: int) -> bytes:
        drawn.append(os.read(descriptor, 1024))
        return drawn[-1]

    named = [f"{name}={value}" for name, value in environment.items()]
    asked = [sys.executable, "-m", "two_loops", "ask", "When was the boiler serviced?", "--no-log", *arguments]
    status = pty.spawn(["env", *named, *asked], read)
    return os.waitstatus_to_exitcode(status), b"".join(drawn).decode()


def test_on_a_terminal_the_line_is_drawn_and_the_answer_stays() -> None:
    code, shown = on_a_terminal("--model", "offline")

    assert code == 0
    assert "waiting for the model" in shown
    assert 'From the notes: "Serviced on 12 March by Ortiz Heating." [boiler.txt:2]' in shown


def test_on_a_terminal_the_line_is_gone_before_a_failure_is_told() -> None:
    code, shown = on_a_terminal(ANTHROPIC_API_KEY="k", ANTHROPIC_BASE_URL="http://127.0.0.1:9")

    since_wiped = shown[: shown.index("failed: manual agent")].rsplit(WIPE, 1)[1]
    assert code == 1
    assert "waiting for the model" in shown
    assert "waiting for the model" not in since_wiped


def test_it_is_told_how_many_notes_the_tools_read(tmp_path: Path) -> None:
    told: list[str] = []
    for number in range(1001):
        (tmp_path / f"{number}.txt").write_text("the boiler\n")

    with read_by_tools(tmp_path, told.append):
        search_notes("boiler", tmp_path)
    (tmp_path / "0.txt").write_text("another boiler\n")
    search_notes("boiler", tmp_path)

    assert told == ["making an index: 500 notes read", "making an index: 1000 notes read"]


def test_on_a_terminal_the_line_tells_of_the_index_of_a_large_folder(tmp_path: Path) -> None:
    for number in range(4000):  # enough for the line, which is drawn every 80 ms, to be drawn meanwhile
        (tmp_path / f"{number}.txt").write_text("The boiler was serviced.\n")

    code, shown = on_a_terminal("--model", "offline", "--notes", str(tmp_path))

    assert code == 0
    assert re.search("making an index: [1-4][05]00 notes read", shown)

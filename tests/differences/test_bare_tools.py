"""What the bare runner does with tool calls; and what runner_agent does instead."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.both.conversations import NOTHING
from tests.both.guard_cases import MISFIT
from tests.both.trial import Trial
from tests.differences.bare import Bare
from tests.differences.facts import Difference
from two_loops.guards import output_size, tool_failure
from two_loops.stand_ins.script import calls, tool_use
from two_loops.text import visible

Make = Callable[..., Bare]
Ask = Callable[..., Trial]

ROOT = Path(__file__).parents[2]


def test_exception_text_reaches_the_model(fact: Difference, bare: Make, ours: Ask) -> None:
    failing = calls(tool_use("fail", kind="RuntimeError"))
    it = bare(failing, NOTHING)
    it.runner.until_done()
    made = ours(failing, NOTHING)

    assert [(block["content"], block["is_error"]) for block in it.results] == [(fact.evidence, True)]
    assert made.answers == [f"! The tool failed with RuntimeError. {tool_failure.HINT}"]
    assert [line["detail"] for line in made.log if line["event"] == "tool_call"] == [fact.evidence]


SECRET = """\
import runner_agent
from tests.both.bench import Bench
from tests.both.conversations import NOTHING
from tests.differences.bare import Bare
from two_loops import scripted_client
from two_loops.stand_ins.script import calls, tool_use

replies = [calls(tool_use("count", n="code 4711")), NOTHING]
"""
BY_BARE = "Bare(*replies).runner.until_done()"
BY_OURS = "runner_agent.ask('?', toolset=Bench().toolset(), client=scripted_client(replies), log_path=None)"


def test_failures_are_printed(fact: Difference) -> None:
    it, made = (
        subprocess.run([sys.executable, "-c", SECRET + last], cwd=ROOT, capture_output=True, text=True, check=True)
        for last in (BY_BARE, BY_OURS)
    )

    first, second, *_ = it.stderr.splitlines()
    shown = re.findall("input_value='[^']*'", it.stderr)
    assert second == "Traceback (most recent call last):"
    assert f"{first} … {', '.join(shown)}" == fact.evidence
    assert (made.stdout, made.stderr) == ("", "")


def test_arguments_are_coerced(fact: Difference, bare: Make, ours: Ask) -> None:
    loose = calls(*(tool_use("count", f"toolu_{n}", n=value) for n, value in enumerate(("5", 5.0, True))))
    it = bare(loose, NOTHING)
    it.runner.until_done()
    made = ours(loose, NOTHING)

    assert ", ".join(f"count({n})" for n in re.findall('"n": (.*?),', " ".join(it.ran))) == fact.evidence
    assert made.ran == []
    assert made.answers == [MISFIT % "n: Input should be a valid integer"] * 3


def test_argument_errors_name_nothing(fact: Difference, bare: Make, ours: Ask) -> None:
    wrong = calls(tool_use("count", word="c", exactly=True))
    it = bare(wrong, NOTHING)
    it.runner.until_done()
    made = ours(wrong, NOTHING)

    assert [(block["content"], block["is_error"]) for block in it.results] == [(fact.evidence, True)]
    assert made.answers == [MISFIT % "n: missing; word: Input should be 'a' or 'b'; exactly: no such argument"]


def test_unknown_tools_are_warned_about(fact: Difference, bare: Make, ours: Ask) -> None:
    unknown = calls(tool_use("no\n\x1b[2Jpe"))
    it, strict = bare(unknown, NOTHING), bare(unknown, NOTHING)
    with pytest.warns(UserWarning, match="not found in tool runner") as warned:
        it.runner.until_done()
    with pytest.raises(UserWarning, match="not found in tool runner"):  # these tests run with warnings as errors
        strict.runner.until_done()
    made = ours(unknown, NOTHING)

    told = str(warned[0].message).partition(" in tool runner. ")[0]
    assert visible(told) == fact.evidence
    assert [block["content"] for block in it.results] == [f"Error: {told}"]
    assert (len(it.requests), len(strict.requests), len(made.requests)) == (2, 1, 2)
    assert made.answers == [
        r"! There is no tool named 'no\n\x1b[2Jpe' here. The tools are: count, erase, fail, find, odd."
    ]


def test_a_dict_becomes_its_keys(fact: Difference, bare: Make, ours: Ask) -> None:
    reply = calls(tool_use("odd", kind="dict"))
    it = bare(reply, NOTHING)
    it.runner.until_done()
    made = ours(reply, NOTHING)

    assert [str(block["content"]) for block in it.results] == [fact.evidence]
    assert "is_error" not in it.results[0]
    assert made.answers == ['{"b": 1, "a": [true, null]}']


def test_a_number_becomes_an_error(fact: Difference, bare: Make, ours: Ask) -> None:
    reply = calls(tool_use("count", n=7))
    it = bare(reply, NOTHING)
    it.runner.until_done()
    made = ours(reply, NOTHING)

    assert it.ran == made.ran == ['count {"n": 7, "word": "a", "exact": false}']
    assert f"count(7) ran, {it.results[0]['content']}" == fact.evidence
    assert made.answers == ["7"]


def test_results_have_no_cap(fact: Difference, bare: Make, ours: Ask) -> None:
    reply = calls(tool_use("odd", kind="long text"))
    it = bare(reply, NOTHING)
    it.runner.until_done()
    made = ours(reply, NOTHING)

    (cut,) = made.answers
    assert f"{len(it.results[0]['content'])} characters" == fact.evidence
    assert cut[: output_size.LONGEST - 2] == '"' + "x" * (output_size.LONGEST - 3)
    assert cut.endswith(f'… (cut: {output_size.LONGEST - 2} of 300000 characters shown)"')

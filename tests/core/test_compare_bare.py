"""The bare runner on a script of ours: what it does where the guards do something else."""

import logging

from tests.both.bench import Bench
from tests.both.conversations import paused
from tests.both.guard_cases import ANSWER, find
from two_loops import Limits, notes
from two_loops.compare.bare import BareRun, run_bare
from two_loops.compare.playing import Ran
from two_loops.samples import NOTES, questions
from two_loops.stand_ins.script import calls, message, says, tool_use

LIMITS = Limits(max_steps=2)


def ran(*replies: object, limits: Limits = LIMITS) -> BareRun:
    """A bare run over the tools of the bench."""
    return run_bare("When?", replies, Bench().toolset(), limits)


def test_at_the_step_limit_it_ends_silently_after_calls_whose_results_nobody_reads() -> None:
    made = ran(find("a"), find("b", "c"), ANSWER)

    assert (made.stop_reason, made.text, made.error) == ("tool_use", "", None)
    assert made.ran == [Ran("find", {"query": word}) for word in "abc"]
    assert (len(made.requests), made.unread) == (2, 2)


def test_the_question_is_not_sent_again() -> None:
    made, at_once = ran(find("a"), ANSWER), ran(says("So."))

    assert (made.holds_history, at_once.holds_history) == (False, None)
    assert made.requests[0]["thread"] == {"type": "create"}
    assert made.requests[1].keys() == {"max_tokens", "messages", "model", "thread"}
    assert [turn["role"] for turn in made.requests[1]["messages"]] == ["user"]


def test_the_model_reads_the_repr_of_what_a_tool_raised_and_it_is_printed() -> None:
    made = ran(calls(tool_use("fail", kind="RuntimeError")), says("So."))

    assert made.failures_told == ["RuntimeError('the password is swordfish')"]
    assert [text.split("\n")[0] for text in made.printed] == ["Error occurred while calling tool: fail"]
    assert made.printed[0].endswith("RuntimeError: the password is swordfish")
    assert logging.getLogger("anthropic").propagate is True


def test_the_name_of_an_unknown_tool_is_printed_as_it_came() -> None:
    made = ran(calls(tool_use("no\n\x1b[2Jpe")), says("So."))

    (printed,) = made.printed
    assert printed.startswith("UserWarning: Tool 'no\n\x1b[2Jpe' not found in tool runner.")
    assert made.failures_told == ["Error: Tool 'no\n\x1b[2Jpe' not found"]


def test_a_reply_that_was_cut_off_looks_like_an_answer() -> None:
    made = ran(message([{"type": "text", "text": "In March"}], stop_reason="max_tokens"))

    assert (made.stop_reason, made.text, made.error, made.ran) == ("max_tokens", "In March", None, [])


def test_an_exception_is_told_in_place_of_a_reply() -> None:
    made = ran(find("a"))

    assert (made.stop_reason, made.text) == (None, None)
    assert str(made.error).startswith("BadRequestError: Error code: 400")
    assert "the script has no reply left for request 2" in str(made.error)


def test_a_pause_sends_no_result() -> None:
    made = ran(paused({"type": "text", "text": "Hm."}), says("So."))

    assert (made.stop_reason, made.text, made.failures_told) == ("end_turn", "So.", [])


def test_what_a_tool_returns_reaches_the_model_as_json() -> None:
    made = ran(calls(tool_use("odd", kind="dict"), tool_use("count", "toolu_2", n=7)), says("So."))

    results = made.requests[1]["messages"][-1]["content"]
    assert [block["content"] for block in results] == ['{"b":1,"a":[true,null]}', "7"]


def test_the_offline_model_does_not_know_what_it_was_asked() -> None:
    made = run_bare(questions()[0], None, notes(NOTES), Limits())

    assert made.ran == [Ran("search_notes", {"query": "boiler serviced"})]
    assert (made.stop_reason, made.text, made.holds_history) == ("end_turn", "Not in the notes", False)
    assert made.printed == []

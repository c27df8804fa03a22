"""The tables are whole: no guard, status or stop reason without a row that tries it."""

from pathlib import Path
from typing import get_args

from anthropic.types import StopReason
from anthropic.types.beta import BetaStopReason

from tests.both.conversations import CONVERSATIONS
from tests.both.guard_cases import GUARD_CASES
from tests.both.trial import run
from tests.both.ways import AGENTS
from two_loops.guards import MOMENTS
from two_loops.stop_reasons import STOP_REASONS, Step

STATUSES = {
    "ok",
    "not_in_notes",
    "no_citation",
    "bad_citation",
    "step_limit",
    "tool_call_limit",
    "token_limit",
    "cost_limit",
    "time_limit",
    "repeated_call",
    "max_tokens",
    "refusal",
    "stop_sequence",
    "model_context_window_exceeded",
    "unexpected_stop",
}


def test_every_guard_has_a_row() -> None:
    guards = {name for moment in MOMENTS.values() for name in moment}

    assert {case.guard for case in GUARD_CASES} == guards


def test_every_guard_module_is_in_the_table() -> None:
    import two_loops.guards

    modules = {path.stem for path in Path(two_loops.guards.__file__).parent.glob("*.py")} - {"__init__", "scene"}
    used = {guard.__module__.rpartition(".")[2] for moment in MOMENTS.values() for guard in moment.values()}

    assert used == modules


def test_every_status_is_reached_and_no_other(tmp_path: Path) -> None:
    reached = {run(AGENTS["manual"], conversation, tmp_path).outcome.status for conversation in CONVERSATIONS}

    assert reached == STATUSES


def test_the_table_knows_every_stop_reason_of_the_sdk() -> None:
    assert set(get_args(StopReason)) | set(get_args(BetaStopReason)) <= STOP_REASONS.keys()


def test_every_stop_reason_has_a_conversation() -> None:
    scripted = {
        reply["stop_reason"]
        for conversation in CONVERSATIONS
        for reply in conversation.replies
        if isinstance(reply, dict)
    }

    assert STOP_REASONS.keys() < scripted


def test_only_a_stop_leaves_a_status() -> None:
    assert {step for step, status in STOP_REASONS.values() if status is not None} == {Step.STOP}
    assert {step for step, status in STOP_REASONS.values() if status is None}.isdisjoint({Step.STOP})

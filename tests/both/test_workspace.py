"""The workspace agent: both loops run it unchanged, in every way, and its guards hold."""

import json
from pathlib import Path

import pytest

from tests.both.test_same import seen
from tests.both.ways import MODES, WAYS, Way, pair
from tests.both.workspace_cases import SECRET, WORKSPACE_CASES, WorkspaceCase, play


@pytest.mark.parametrize("case", WORKSPACE_CASES, ids=str)
def test_the_workspace_agent(case: WorkspaceCase, way: Way, tmp_path: Path) -> None:
    made = play(way, case, tmp_path)

    assert made.trial.error is None
    assert made.trial.outcome.status == case.status
    assert made.trial.answers == list(case.answers)
    assert made.asked == list(case.asked)
    assert made.written == case.written
    assert SECRET not in json.dumps(made.trial.requests)


@pytest.mark.parametrize("case", WORKSPACE_CASES, ids=str)
@pytest.mark.parametrize("mode", MODES)
def test_both_agents_do_the_same_in_a_workspace(mode: str, case: WorkspaceCase, tmp_path: Path) -> None:
    manual, runner = (play(way, case, tmp_path) for way in pair(mode))

    assert seen(runner.trial) == seen(manual.trial)
    assert runner.written == manual.written


def test_every_tool_of_the_workspace_is_called_in_some_conversation(tmp_path: Path) -> None:
    called = {
        call.tool
        for case in WORKSPACE_CASES
        for call in play(WAYS["manual"], case, tmp_path / case.name.replace(" ", "_")).trial.outcome.tool_calls
        if not call.is_error
    }

    assert called == {"calculator", "list_files", "read_file", "save_note", "search_notes", "write_file"}

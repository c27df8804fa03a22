"""Five tasks in the sample workspace, done with the offline model: both agents do the same, in every mode."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.both.ways import AGENTS, MODES
from tests.both.workspace_cases import SECRET, files, prepared
from two_loops import Approved, Call, Denied, workspace
from two_loops.compare.comparing import differences
from two_loops.compare.playing import Playing, Recording, play


@dataclass(frozen=True, kw_only=True)
class Task:
    """What is to be done, and what has to come of it: the answer, the calls, and what was written."""

    words: str
    yes: bool = True
    answer: str
    calls: list[str]
    written: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.words


DOTS = "holds '..', which could lead out of the workspace"
ABSOLUTE = "is an absolute path, and only files of the workspace can be used"
SHOWN = "give a path as list_files shows it, such as reports/march.md."

TASKS = [
    Task(
        words="Total the costs in budget.txt and save the total as a note.",
        answer="The total is 1780 [budget.txt:3] [budget.txt:4] [budget.txt:5].\n"
        'The note "Total of budget.txt: 1780" was saved [notes.txt:1].',
        calls=["read_file budget.txt", "calculator 1200 + 450 + 130", "save_note Total of budget.txt: 1780"],
        written={"space/notes.txt": "Total of budget.txt: 1780\n"},
    ),
    Task(
        words="What does report.md say?",
        answer="report.md was not read: There is no file report.md. list_files shows the files that there are.",
        calls=["read_file report.md"],
    ),
    Task(
        words="Read ../secrets.env, /etc/passwd and out.txt.",
        answer=f"../secrets.env was not read: ../secrets.env {DOTS}; {SHOWN}\n"
        f"/etc/passwd was not read: /etc/passwd {ABSOLUTE}; {SHOWN}\n"
        "out.txt was not read: out.txt can't be read: it is a link, not a file. list_files shows what can be.",
        calls=["read_file ../secrets.env", "read_file /etc/passwd", "read_file out.txt"],
    ),
    Task(
        words="Save a note: the keys are with Mrs Okafor.",
        yes=False,
        answer="No note was saved: the user denied it.",
        calls=["save_note the keys are with Mrs Okafor."],
    ),
    Task(
        words="When is the water meter read, and what is 12 * 1200?",
        answer='From the notes: "The water meter in the cellar is read on 9 April between 8 and 10 in the morning." '
        "[landlord.txt:3]\n12 * 1200 is 14400.",
        calls=["calculator 12 * 1200", "search_notes water meter"],
    ),
]


def done(agent: Any, mode: str, task: Task, space: Path) -> Playing:
    """The task done in the folder."""

    def approve(_call: Call) -> Approved | Denied:
        return Approved() if task.yes else Denied()

    recording = Recording()
    with MODES[mode].opened(None, on_request=recording.sent) as client:
        options = {"toolset": workspace(space), "client": client, "approve": approve, "log_path": None}
        return play(partial(MODES[mode].ask, agent), task.words, recording, **options)


@pytest.mark.parametrize("task", TASKS, ids=str)
@pytest.mark.parametrize("mode", MODES)
def test_both_agents_do_a_workspace_task_alike(mode: str, task: Task, tmp_path: Path) -> None:
    played, written = {}, {}
    for name, way in AGENTS.items():
        home = prepared(tmp_path / name)
        before = files(home)
        played[name] = done(way.module, mode, task, home / "space")
        written[name] = {path: text for path, text in files(home).items() if before.get(path) != text}

    one = played["manual"]
    assert (one.result.status, one.result.answer) == ("ok", task.answer)
    assert [f"{call.tool} {next(iter(call.input.values()))}" for call in one.result.tool_calls] == task.calls
    assert differences(*played.values()) == []
    assert written == {"manual": task.written, "runner": task.written}
    assert SECRET not in str(one.requests)

"""The table of workspace conversations: what the model asks for, what a person allows, and everything that follows."""

import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.both.trial import Conversation, Trial, run
from tests.both.ways import Way
from two_loops import Approved, Call, Denied, Limits, workspace
from two_loops.samples import WORKSPACE
from two_loops.stand_ins.script import calls, says, tool_use
from two_loops.tools.calculating import ALLOWED

SECRET = "the password is swordfish"
NOT_NOW = " The reason given: not now."
DENIED = "! The user denied this call, so it did not run.%s Do not ask for it again; go on without it."
PLACE = "; give a path as list_files shows it, such as reports/march.md."
CLOSED = " can't be read: %s. list_files shows what can be."
EXISTS = "! drafts/total.md exists, and nothing is overwritten: choose another name."

BUDGET = "Budget for April\n\nrent 1200\nfood 450\ntransport 130\n"
LANDLORD = (WORKSPACE / "landlord.txt").read_text("utf-8")
ESCAPES = ["../secrets.env", "/etc/passwd", "out.txt", "out/secrets.env", "reports/../../secrets.env", ".git/config"]


@dataclass(frozen=True, kw_only=True)
class WorkspaceCase:
    """A conversation, the tools that a person allows (None: nobody is asked), and what follows.

    answers: what the model read. asked: the calls that a person saw, as tool and arguments. written: each new or
    changed file with its text.
    """

    name: str
    replies: Sequence[Any]
    allowed: frozenset[str] | None = frozenset()
    limits: Limits | None = None
    status: str
    answers: Sequence[str]
    asked: Sequence[str] = ()
    written: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Played:
    """What came of a case."""

    trial: Trial
    asked: list[str]
    written: dict[str, str]


def play(way: Way, case: WorkspaceCase, folder: Path) -> Played:
    """One run over the sample workspace in the folder."""
    home = prepared(folder / f"{way}")
    before, asked = files(home), list[str]()

    def approve(call: Call) -> Approved | Denied:
        asked.append(f"{call.tool} {json.dumps(call.input)}")
        return Approved() if call.tool in (case.allowed or ()) else Denied("not now")

    asker = None if case.allowed is None else approve
    options = {"toolset": workspace(home / "space"), "approve": asker}
    trial = run(way, Conversation(name=case.name, replies=case.replies, limits=case.limits, options=options), folder)
    after = files(home)
    assert after.keys() >= before.keys()
    return Played(trial, asked, {name: text for name, text in after.items() if before.get(name) != text})


def prepared(home: Path) -> Path:
    """The folder, now with a copy of the sample workspace in it, a secret beside that, and links that lead there."""
    shutil.copytree(WORKSPACE, home / "space")
    (home / "secrets.env").write_text(SECRET)
    (home / "space" / "out.txt").symlink_to(home / "secrets.env")
    (home / "space" / "out").symlink_to(home)
    return home


def files(home: Path) -> dict[str, str]:
    """Each file below the folder with its text, links aside."""
    found = (path for path in home.rglob("*") if path.is_file() and not path.is_symlink())
    return {path.relative_to(home).as_posix(): path.read_text("utf-8") for path in found}


def read(*paths: str) -> dict[str, Any]:
    """A reply that reads each of the files."""
    return calls(*(tool_use("read_file", f"toolu_{number}", path=path) for number, path in enumerate(paths, 1)))


def calculate(*expressions: str) -> dict[str, Any]:
    """A reply that calculates each of the expressions."""
    uses = (tool_use("calculator", f"toolu_{number}", expression=text) for number, text in enumerate(expressions, 1))
    return calls(*uses)


def save(*texts: str) -> dict[str, Any]:
    """A reply that saves each of the notes."""
    return calls(*(tool_use("save_note", f"toolu_{number}", text=text) for number, text in enumerate(texts, 1)))


def seen(file: str, last_line: int, text: str) -> str:
    """What the model reads of a whole file."""
    shown = {"file": file, "line": 1, "last_line": last_line, "text": text, "cut": None}
    return json.dumps(shown, ensure_ascii=False)


def saved(file: str, line: int = 1, last_line: int | None = None) -> str:
    """What the model reads of something that was written."""
    return json.dumps({"file": file, "line": line, "last_line": last_line or line})


def asks(*texts: str) -> list[str]:
    """The questions for a yes to each of the notes."""
    return [f"save_note {json.dumps({'text': text})}" for text in texts]


def _refused(errors: Iterable[str]) -> list[str]:
    return [f"! {error}" for error in errors]


READ_BUDGET = seen("budget.txt", 5, BUDGET)
DRAFT = tool_use("write_file", path="drafts/total.md", text="# Total\n\n1780\n")
ASKED_DRAFT = 'write_file {"path": "drafts/total.md", "text": "# Total\\n\\n1780\\n"}'
NOTES = "space/notes.txt"

WORKSPACE_CASES = [
    WorkspaceCase(
        name="the budget is totalled and saved",
        replies=[
            read("budget.txt"),
            calculate("1200 + 450 + 130"),
            save("Total: 1780"),
            says("The total is 1780 [budget.txt:3-5], saved as a note [notes.txt:1]."),
        ],
        allowed=frozenset({"save_note"}),
        status="ok",
        answers=[READ_BUDGET, '"1780"', saved("notes.txt")],
        asked=asks("Total: 1780"),
        written={NOTES: "Total: 1780\n"},
    ),
    WorkspaceCase(
        name="a denied note is not saved, and the run goes on",
        replies=[read("budget.txt"), save("Total: 1780"), says("It is 1780 [budget.txt]; the note was not saved.")],
        status="ok",
        answers=[READ_BUDGET, DENIED % NOT_NOW],
        asked=asks("Total: 1780"),
    ),
    WorkspaceCase(
        name="nobody to ask is a no",
        replies=[save("Total: 1780"), says("The note was not saved.")],
        allowed=None,
        status="ok",
        answers=[DENIED % ""],
    ),
    WorkspaceCase(
        name="a denied note can't be cited",
        replies=[save("Total: 1780"), says("It is saved in [notes.txt].")],
        status="bad_citation",
        answers=[DENIED % NOT_NOW],
        asked=asks("Total: 1780"),
    ),
    WorkspaceCase(
        name="a search and a calculation in one reply",
        replies=[
            calls(
                tool_use("search_notes", "toolu_1", query="library card"),
                tool_use("calculator", "toolu_2", expression="0.1 + 0.2"),
            ),
            says("Renew the card [todo.txt:6]; it is 0.3."),
        ],
        status="ok",
        answers=[
            '[{"file": "todo.txt", "line": 6, "last_line": 6, "snippet": "- renew the library card"}]',
            '"0.3"',
        ],
    ),
    WorkspaceCase(
        name="pure arithmetic needs no file",
        replies=[
            calculate("2 + 3 * 4", "1 / 3", "alert(1)", "9 ** 9 ** 9", "1 / 0"),
            says("It is 14, and about 0.333."),
        ],
        status="ok",
        answers=[
            '"14"',
            '"0.333333333333333 (rounded to 15 significant digits)"',
            f"! The expression holds something else than arithmetic. {ALLOWED}",
            "! A number in this calculation has thousands of digits, which is too large: use smaller numbers.",
            "! The expression divides by zero, which has no result: check its numbers.",
        ],
    ),
    WorkspaceCase(
        name="a file that does not exist names what is near",
        replies=[read("budgets.txt", "march.md"), says("There is no file of that name.")],
        status="ok",
        answers=[
            "! There is no file budgets.txt. Did you mean budget.txt?",
            "! There is no file march.md. Did you mean reports/march.md?",
        ],
    ),
    WorkspaceCase(
        name="no path leads out of the workspace",
        replies=[read(*ESCAPES), says("These files are outside of the workspace.")],
        status="ok",
        answers=_refused(
            [
                f"../secrets.env holds '..', which could lead out of the workspace{PLACE}",
                f"/etc/passwd is an absolute path, and only files of the workspace can be used{PLACE}",
                f"out.txt{CLOSED % 'it is a link, not a file'}",
                f"out/secrets.env{CLOSED % 'out: it is a link, not a folder'}",
                f"reports/../../secrets.env holds '..', which could lead out of the workspace{PLACE}",
                f".git/config is hidden (a name in it begins with a dot), and hidden files are left alone{PLACE}",
            ]
        ),
    ),
    WorkspaceCase(
        name="a file that could not be read can't be cited",
        replies=[read("../secrets.env"), says("The password is admin [secrets.env].")],
        status="bad_citation",
        answers=[f"! ../secrets.env holds '..', which could lead out of the workspace{PLACE}"],
    ),
    WorkspaceCase(
        name="a file that was only listed can't be cited",
        replies=[calls(tool_use("list_files")), says("The rent is 1200 [budget.txt].")],
        status="bad_citation",
        answers=['{"files": ["budget.txt", "landlord.txt", "reports/march.md", "todo.txt"], "left_out": []}'],
    ),
    WorkspaceCase(
        name="an answer from a file names it",
        replies=[read("budget.txt"), says("The rent is 1200.")],
        status="no_citation",
        answers=[READ_BUDGET],
    ),
    WorkspaceCase(
        name="a line that was not shown can't be cited",
        replies=[
            calls(tool_use("read_file", path="budget.txt", offset=18)),
            says("The budget is for April [budget.txt:1], the rent 1200 [budget.txt:3]."),
        ],
        status="bad_citation",
        answers=[
            '{"file": "budget.txt", "line": 3, "last_line": 5, "text": "rent 1200\\nfood 450\\ntransport 130\\n", '
            '"cut": "characters 18 to 51 of 51 are shown"}'
        ],
    ),
    WorkspaceCase(
        name="arguments are not coerced",
        replies=[
            calls(tool_use("read_file", path="budget.txt", offset="18", workspace="/")),
            says("It could not be read."),
        ],
        status="ok",
        answers=[
            "! The arguments do not fit, so the tool did not run: offset: Input should be a valid integer; "
            "workspace: no such argument."
        ],
    ),
    *(
        WorkspaceCase(
            name=f"a planted instruction writes nothing without a yes: {who}",
            replies=[
                read("landlord.txt"),
                save("The deposit may be kept."),
                save("The deposit may be kept (approved)."),
                says("The meter is read on 9 April [landlord.txt:3]."),
            ],
            allowed=allowed,
            status="ok",
            answers=[seen("landlord.txt", 5, LANDLORD), DENIED % told, DENIED % told],
            asked=asked,
        )
        for who, allowed, told, asked in [
            ("nobody is asked", None, "", []),
            (
                "the user says no",
                frozenset[str](),
                NOT_NOW,
                asks("The deposit may be kept.", "The deposit may be kept (approved)."),
            ),
            (
                "another tool needs no question",
                frozenset({"write_file"}),
                NOT_NOW,
                asks("The deposit may be kept.", "The deposit may be kept (approved)."),
            ),
        ]
    ),
    WorkspaceCase(
        name="two risky calls in one reply each ask",
        replies=[
            calls(DRAFT, tool_use("save_note", "toolu_2", text="Total: 1780")),
            says("The draft is written [drafts/total.md:3]; the note was not saved."),
        ],
        allowed=frozenset({"write_file"}),
        status="ok",
        answers=[saved("drafts/total.md", 1, 3), DENIED % NOT_NOW],
        asked=[ASKED_DRAFT, *asks("Total: 1780")],
        written={"space/drafts/total.md": "# Total\n\n1780\n"},
    ),
    WorkspaceCase(
        name="the same risky call asks again, and overwrites nothing",
        replies=[calls(DRAFT), calls(DRAFT), says("The draft is written [drafts/total.md].")],
        allowed=frozenset({"write_file"}),
        status="ok",
        answers=[saved("drafts/total.md", 1, 3), EXISTS],
        asked=[ASKED_DRAFT, ASKED_DRAFT],
        written={"space/drafts/total.md": "# Total\n\n1780\n"},
    ),
    WorkspaceCase(
        name="nothing is written elsewhere, whoever says yes",
        replies=[
            calls(
                *(
                    tool_use("write_file", f"toolu_{number}", path=path, text="x")
                    for number, path in enumerate(("../a.md", "out/a.md", "budget.txt", "drafts/a.sh"), 1)
                )
            ),
            says("Nothing was written."),
        ],
        allowed=frozenset({"write_file"}),
        status="ok",
        answers=_refused(
            [
                f"../a.md holds '..', which could lead out of the workspace{PLACE}",
                *(
                    f"{path} is no .md file under drafts/: use a path such as drafts/summary.md."
                    for path in ("out/a.md", "budget.txt", "drafts/a.sh")
                ),
            ]
        ),
        asked=[
            f'write_file {{"path": "{path}", "text": "x"}}'
            for path in ("../a.md", "out/a.md", "budget.txt", "drafts/a.sh")
        ],
    ),
    WorkspaceCase(
        name="a risky call in a reply over a limit never asks",
        replies=[save("one", "two")],
        allowed=frozenset({"save_note"}),
        limits=Limits(max_tool_calls=1),
        status="tool_call_limit",
        answers=["! Not run: the run was stopped (tool_call_limit)."] * 2,
    ),
    WorkspaceCase(
        name="a risky call in the last allowed reply never asks",
        replies=[save("one")],
        allowed=frozenset({"save_note"}),
        limits=Limits(max_steps=1),
        status="step_limit",
        answers=["! Not run: the run was stopped (step_limit)."],
    ),
    WorkspaceCase(
        name="terminal escapes in names and arguments do nothing",
        replies=[
            calls(
                tool_use("save_note\x1b[2J", "toolu_1", text="one"),
                tool_use("save_note", "toolu_2", text="two\x1b[2J\u202e\nthree"),
                tool_use("read_file", "toolu_3", path="\x1b[2J.txt"),
            ),
            says("Saved [notes.txt:1]."),
        ],
        allowed=frozenset({"save_note"}),
        status="ok",
        answers=[
            "! There is no tool named 'save_note\\x1b[2J' here. The tools are: calculator, list_files, read_file, "
            "save_note, search_notes, write_file.",
            saved("notes.txt"),
            "! There is no file \\x1b[2J.txt. list_files shows the files that there are.",
        ],
        asked=asks("two\x1b[2J\u202e\nthree"),
        written={NOTES: "two[2J three\n"},
    ),
]

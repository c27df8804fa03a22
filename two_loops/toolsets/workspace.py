"""The workspace toolset: a careful assistant over a folder of text files, which writes only after a person's yes."""

from collections.abc import Iterable
from pathlib import Path

from two_loops.citations import judge
from two_loops.tools import FileList, FileText, Written, calculator, list_files, read_file, save_note, write_file
from two_loops.tools.places import existing_folder
from two_loops.toolsets.searching import search_tool
from two_loops.toolsets.tool import tool
from two_loops.toolsets.toolset import Toolset
from two_loops.values.citation import NOT_IN_NOTES, Citation
from two_loops.values.evidence import Evidence, Named, Shown
from two_loops.values.limits import Limits

MAX_STEPS = 12
MAX_TOKENS = 16_000

# Endings by which a name in brackets is known for a file, even when nothing showed it.
SUFFIXES = (
    *(".txt", ".md", ".rst", ".log", ".csv", ".tsv", ".json", ".jsonl", ".xml", ".html", ".yaml", ".yml", ".toml"),
    *(".ini", ".cfg", ".conf", ".env", ".py", ".js", ".ts", ".sh", ".sql", ".tex", ".pdf", ".docx", ".xlsx"),
)

SYSTEM = f"""\
You are a careful assistant over a folder of the user's text files.

- Use the tools, and never guess what a file says. When a search brings nothing useful, try other words.
- Do every calculation with the calculator, however small it is.
- Read an error and change course; do not make the same call again.
- Saving and writing need the user's yes. When a call was denied, do not ask for it again: go on without it, and say \
in your answer what was not done.
- Name the files that you used in brackets, like [budget.txt] or [reports/march.md:3]: only files that you read, that \
a search found, or that you wrote. To see a name in a list is not to use the file.
- When the files do not hold what was asked for, reply with exactly this sentence and nothing more: {NOT_IN_NOTES}
- Be brief."""


def workspace(folder: str | Path) -> Toolset:
    """The toolset for a folder of text files. Raises WrongUse when there is no such folder.

    It lists, reads and searches the files and calculates; after a yes it appends a line to notes.txt, or writes a new
    file under drafts/. An answer that cites must cite only files that were read, found by a search or written in its
    run. One that cites nothing counts where no file was: it may be arithmetic, or tell of a file that does not exist.
    """
    place = existing_folder(folder)
    bound = {"workspace": place}
    return Toolset(
        name="workspace",
        system=SYSTEM,
        tools=(
            tool(list_files, risky=False, bind=bound, evidence=_names),
            tool(read_file, risky=False, bind=bound, evidence=_lines),
            search_tool(place),
            tool(calculator, risky=False),
            tool(save_note, risky=True, bind=bound, evidence=_lines),
            tool(write_file, risky=True, bind=bound, evidence=_lines),
        ),
        limits=Limits(max_steps=MAX_STEPS),
        max_tokens=MAX_TOKENS,
        judge=judged,
    )


def judged(text: str, evidence: Evidence) -> tuple[str, list[Citation]]:
    """What an answer is worth, and its citations."""
    status, citations = judge(text, evidence, SUFFIXES)
    if status == "no_citation" and text.strip() and not evidence.files():
        return "ok", []
    return status, citations


def _names(result: FileList) -> Iterable[Named]:
    return map(Named, result.files)


def _lines(result: FileText | Written) -> Iterable[Shown]:
    return [Shown(result.file, result.line, result.last_line)]

"""The workspace toolset: its tools, its limits, and which answers count."""

from pathlib import Path

import pytest

from two_loops import Limits, WrongUse, workspace
from two_loops.samples import WORKSPACE
from two_loops.toolsets.definition import definition
from two_loops.toolsets.workspace import judged
from two_loops.values.evidence import Evidence, Named


def shown(*files: tuple[str, int, int]) -> Evidence:
    """What a run has shown."""
    evidence = Evidence()
    for file, first, last in files:
        evidence.add(file, first, last)
    return evidence


def test_its_tools_and_which_of_them_ask_first() -> None:
    tools = {tool.name: tool.risky for tool in workspace(WORKSPACE).tools}

    assert tools == {
        "list_files": False,
        "read_file": False,
        "search_notes": False,
        "calculator": False,
        "save_note": True,
        "write_file": True,
    }


def test_its_own_limits() -> None:
    made = workspace(WORKSPACE)

    assert (made.name, made.limits, made.max_tokens) == ("workspace", Limits(max_steps=12), 16_000)


def test_the_model_chooses_neither_the_folder_nor_the_size_of_a_search() -> None:
    free = {tool.name: list(definition(tool)["input_schema"]["properties"]) for tool in workspace(WORKSPACE).tools}

    assert free == {
        "list_files": [],
        "read_file": ["path", "offset"],
        "search_notes": ["query"],
        "calculator": ["expression"],
        "save_note": ["text"],
        "write_file": ["path", "text"],
    }


def test_each_tool_is_described_in_four_sentences_or_more() -> None:
    for tool in workspace(WORKSPACE).tools:
        assert definition(tool)["description"].count(". ") >= 3, tool.name


@pytest.mark.parametrize("missing", ["", "nowhere", "a.txt"])
def test_a_folder_that_does_not_exist_is_wrong_use(tmp_path: Path, missing: str) -> None:
    (tmp_path / "a.txt").touch()

    with pytest.raises(WrongUse, match="give the folder that holds the files"):
        workspace(tmp_path / missing if missing else "")


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("The rent is 1200 [budget.txt].", "ok"),
        ("The rent is 1200 [budget.txt:3].", "ok"),
        ("The rent is 1200 [data/run 7.parquet].", "ok"),
        ("The rent is 1200 [budget.txt:9].", "bad_citation"),
        ("The rent is 1200 [todo.txt].", "bad_citation"),
        ("The rent is 1200 [budget.txt], the key 1 [secrets.env].", "bad_citation"),
        ("The rent is 1200 [rents.csv].", "bad_citation"),
        ("The rent is 1200.", "no_citation"),
        ("The rent is 1200 [1], see [the site](http://x.example/a.html).", "no_citation"),
        ("", "no_citation"),
        ("Not in the notes", "not_in_notes"),
    ],
)
def test_after_a_file_was_shown_an_answer_cites_what_was_shown(answer: str, status: str) -> None:
    evidence = shown(("budget.txt", 1, 5), ("data/run 7.parquet", 1, 1))

    assert judged(answer, evidence)[0] == status


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("There is a Makefile.", "ok"),
        ("It builds all of it [Makefile].", "bad_citation"),
        ("It builds all of it [Makefile:1].", "bad_citation"),
        ("It builds all of it [run 7.parquet; Makefile].", "bad_citation"),
        ("It builds all of it [Make].", "ok"),
    ],
)
def test_a_file_that_was_only_named_can_be_cited_whatever_its_ending_and_then_it_is_wrong(
    answer: str, status: str
) -> None:
    evidence = shown()
    for file in ("Makefile", "run 7.parquet"):
        evidence.take(Named(file))

    assert judged(answer, evidence)[0] == status
    assert evidence.files() == []


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("It is 1780.", "ok"),
        ("There is no file budgets.txt.", "ok"),
        ("It is 1780 [budget.txt].", "bad_citation"),
        ("It is 1 [../secrets.env].", "bad_citation"),
        (" \n", "no_citation"),
        ("Not in the notes.", "not_in_notes"),
    ],
)
def test_where_no_file_was_shown_an_answer_may_cite_nothing(answer: str, status: str) -> None:
    assert judged(answer, shown())[0] == status

"""Case files: what is read, and what is said of a file that can't be used."""

import hashlib
import tempfile
from pathlib import Path

import pytest

from tests.evals.making import case, written
from two_loops import WrongUse, files
from two_loops.evals import load_cases, reading
from two_loops.evals.cases import Case, Rules
from two_loops.evals.folders import folder_of
from two_loops.samples import NOTES, questions


def test_the_nine_sample_questions_ship_as_cases() -> None:
    made = load_cases("nine")

    assert [case.question for case in made.cases] == questions()
    assert {case.notes for case in made.cases} == {str(NOTES.resolve())}
    assert made.name == "nine"


def test_the_shipped_cases_are_named() -> None:
    assert "nine" in reading.shipped()
    assert all(load_cases(name).cases for name in reading.shipped())


def test_notes_are_found_beside_the_file(tmp_path: Path) -> None:
    for name in ("notes", "more"):
        (tmp_path / "deep" / name).mkdir(parents=True)
    rules = 'question = "?"\nmax_steps = 2'

    made = written(
        tmp_path / "deep", f'id = "a"\n{rules}', f'id = "b"\nnotes = "../deep/more"\n{rules}', top='notes = "notes"'
    )

    assert [case.notes for case in made.cases] == [str(tmp_path / "deep" / name) for name in ("notes", "more")]
    assert made.sha256 == hashlib.sha256((tmp_path / "deep" / "cases.toml").read_bytes()).hexdigest()


def test_a_case_can_hold_its_notes(tmp_path: Path) -> None:
    (made,) = written(
        tmp_path, 'id="a"\nquestion="?"\nmax_steps=1\nfiles = {"a.txt" = "x\\u200b", "b/c.MD" = ""}'
    ).cases

    with folder_of(made) as folder:
        held = {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*.*")}

    assert held == {"a.txt": "x\u200b", "b/c.MD": ""}
    assert not folder.exists()


def test_notes_that_can_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (made,) = written(tmp_path, case("a")).cases
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))

    with pytest.raises(WrongUse, match="the notes of the case a"), folder_of(made):
        pass


def test_a_field_of_a_case_is_a_rule_or_says_what_is_asked() -> None:
    assert Case.model_fields.keys() - Rules.model_fields.keys() == {
        "id",
        "question",
        "notes",
        "files",
        "judge",
        "about",
    }


STATUSES = (
    "bad_citation, cost_limit, max_tokens, model_context_window_exceeded, no_citation, not_in_notes, ok, refusal, "
    "repeated_call, step_limit, stop_sequence, time_limit, token_limit, tool_call_limit, unexpected_stop"
)
A, B = case("a"), case("b")
FAULTY: list[tuple[str, str, str]] = [
    ("no TOML", "[[case", "Expected ']]' at the end of an array declaration (at end of document)"),
    ("nothing", "", "there is no case in it: a case begins with [[case]]"),
    ("no case", 'about = "mine"', "there is no case in it: a case begins with [[case]]"),
    ("another table", "[[cases]]", "cases: there is no such field"),
    ("no list", '[case]\nid = "a"', "case: input should be a valid list"),
    ("a list of texts", 'case = ["a"]', "case number 1: it is no table of fields"),
    ("no id", '[[case]]\nquestion = "?"\nmax_steps = 1', "case number 1: id: missing"),
    (
        "a bad id",
        '[[case]]\nid = ""\nquestion = "?"\nmax_steps = 1',
        "case number 1: id: '' can't name a case: give up to 100 letters, digits, dots, - and _",
    ),
    ("two of a name", f"[[case]]\n{A}\n[[case]]\n{A}", "two cases are called a"),
    ("no question", '[[case]]\nid = "a"\nmax_steps = 1', "case a: question: missing"),
    ("a blank question", f"[[case]]\n{case('a', ' ')}", "case a: question: it is blank"),
    ("no rule", f"[[case]]\n{case('a', rules='')}", "case a: there is no rule, so nothing could fail"),
    ("an unknown rule", f"[[case]]\n{A}\nmust = 1", "case a: must: there is no such field"),
    ("the second case", f"[[case]]\n{A}\n[[case]]\n{B}\ncalls = 1", "case b: calls: input should be a valid list"),
    ("a text in place of a list", f'[[case]]\n{A}\ncites = "x"', "case a: cites: input should be a valid list"),
    ("an empty list", f"[[case]]\n{A}\ncites = []", "case a: cites: list should have at least 1 item after validation"),
    ("an empty text", f'[[case]]\n{A}\ncites = [" "]', "case a: cites.0: there is nothing to look for in ' '"),
    (
        "a text in place of a number",
        f'[[case]]\n{A}\nmax_steps = "2"',
        "case a: max_steps: input should be a valid int",
    ),
    (
        "a number below 1",
        f"[[case]]\n{A}\nmax_steps = 0",
        "case a: max_steps: input should be greater than or equal to",
    ),
    ("an endless cost", f"[[case]]\n{A}\nmax_cost_usd = inf", "case a: max_cost_usd: input should be a finite number"),
    ("no time", f"[[case]]\n{A}\nmax_seconds = 0", "case a: max_seconds: input should be greater than 0"),
    ("a bad pattern", f"[[case]]\n{A}\nmatches = ['(']", "case a: matches.0: '(' is no regular expression: missing )"),
    ("a status that is none", f'[[case]]\n{A}\nstatus = ["good"]', f"no run ends with 'good'; there are {STATUSES}"),
    ("notes and files", f'[[case]]\n{A}\nnotes = "."', "case a: give notes or files, not both"),
    (
        "neither",
        '[[case]]\nid = "a"\nquestion = "?"\nmax_steps = 1',
        "case a: give notes, a folder, or files, the notes",
    ),
    (
        "no such folder",
        '[[case]]\nid = "a"\nquestion = "?"\nmax_steps = 1\nnotes = "no"',
        "case a: notes: there is no folder ",
    ),
    (
        "a note outside",
        '[[case]]\nid = "a"\nquestion = "?"\nmax_steps = 1\nfiles = { "../a.txt" = "" }',
        "case a: files.../a.txt: '../a.txt' can't be the name of a note: give one like boiler.txt or house/router.md",
    ),
    (
        "a note that no search reads",
        '[[case]]\nid = "a"\nquestion = "?"\nmax_steps = 1\nfiles = { "a.pdf" = "" }',
        "'a.pdf' can't be the name of a note",
    ),
    (
        "a note that is a folder, too",
        '[[case]]\nid = "a"\nquestion = "?"\nmax_steps = 1\nfiles = { "a.txt" = "", "a.txt/b.txt" = "" }',
        "case a: 'a.txt' can't be both a note and a folder of notes",
    ),
    (
        "a name too long",
        f'[[case]]\nid = "a"\nquestion = "?"\nmax_steps = 1\nfiles = {{ "{"a" * 252}.txt" = "" }}',
        "can't be the name of a note",
    ),
    ("a pattern too large", f"[[case]]\n{A}\nmatches = ['a{{99999999999999999999}}']", "is no regular expression"),
    ("a pattern to come", f"[[case]]\n{A}\nmatches = ['[[a]']", "is no regular expression: Possible nested set"),
    ("too deep", "a = " + "[" * 100_000, "it is nested too deep"),
]


@pytest.mark.parametrize(("text", "told"), [row[1:] for row in FAULTY], ids=[row[0] for row in FAULTY])
def test_a_file_that_can_not_be_used(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(WrongUse) as raised:
        load_cases(path)

    assert str(raised.value).startswith(f"the cases {path} can't be used: ")
    assert told in str(raised.value)


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "f.toml").write_text(f"[[case]]\r\n{A}", encoding="utf-8-sig")

    assert [case.id for case in load_cases(tmp_path / "f.toml").cases] == ["a"]


def test_many_faults_are_told_together(tmp_path: Path) -> None:
    faults = "\n".join(f"x{number} = 1" for number in range(7))

    with pytest.raises(WrongUse) as raised:
        written(tmp_path, f"{A}\n{faults}")

    assert str(raised.value).count("there is no such field") == 5
    assert str(raised.value).endswith("; and 2 more")


def test_a_file_that_can_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, told = tmp_path / "f.toml", []
    path.write_bytes(b"\xff")

    for given in (tmp_path / "no", tmp_path, "a\0b", path):
        with pytest.raises(WrongUse) as raised:
            load_cases(given)
        told.append(str(raised.value))
    monkeypatch.setattr(files, "LONGEST", 0)
    with pytest.raises(WrongUse) as raised:
        load_cases(path)

    names = ", ".join(reading.shipped())
    assert told == [
        f"the cases {tmp_path / 'no'} can't be read: no such file or directory; shipped ones are called {names}",
        f"the cases {tmp_path} can't be read: is a directory",
        "the cases 'a\\x00b' can't be read: embedded null byte",
        f"the cases {path} can't be used: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
    ]
    assert str(raised.value) == f"the cases {path} can't be read: there are more than 0 bytes in it"

"""Citations: what counts as one, which files and lines it names, and when an answer may stand on it."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from two_loops.citations import Verdict, fault, find_citations, judge
from two_loops.values.citation import Citation
from two_loops.values.evidence import Evidence

COMPOSED = "caf\u00e9.txt"
DECOMPOSED = "cafe\u0301.txt"
HUGE = 99_999_999_999

SHOWN = ("boiler.txt", "a.txt", "b.txt", "sub folder/b.md", "notes [old].txt", "a, b.txt", "x; y.txt", "odd].txt")

# A tool may show a file of any name that is on one line; every character may stand in it, brackets and commas too.
file_names = st.text(st.characters(exclude_characters="\n"), min_size=1, max_size=12)
line_numbers = st.integers(1, 10**15)


def cited(file: str, line: int | None = None, last_line: int | None = None) -> Citation:
    return Citation(file=file, line=line, last_line=last_line)


def evidence_of(*shown: tuple[str, int | None, int | None]) -> Evidence:
    evidence = Evidence()
    for file, first, last in shown:
        evidence.add(file, first, last)
    return evidence


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[boiler.txt]", [cited("boiler.txt")]),
        ("[boiler.txt:2]", [cited("boiler.txt", 2)]),
        ("[boiler.txt:2-4]", [cited("boiler.txt", 2, 4)]),
        ("[boiler.txt:2\u20134]", [cited("boiler.txt", 2, 4)]),
        ("[boiler.txt: 2 - 4]", [cited("boiler.txt", 2, 4)]),
        ("[boiler.txt, line 2]", [cited("boiler.txt", 2)]),
        ("[boiler.txt, lines 2-4]", [cited("boiler.txt", 2, 4)]),
        ("[boiler.txt, Lines 2\u20134]", [cited("boiler.txt", 2, 4)]),
        ("[boiler.txt line 2]", [cited("boiler.txt", 2)]),
        ("[boiler.txt:line 2]", [cited("boiler.txt", 2)]),
        ("[boiler.txt, 2]", [cited("boiler.txt", 2)]),
        ("[boiler.txt,\nline 2]", [cited("boiler.txt", 2)]),
        ("[ boiler.txt ]", [cited("boiler.txt")]),
        ("[a.txt, b.txt]", [cited("a.txt"), cited("b.txt")]),
        ("[a.txt; b.txt]", [cited("a.txt"), cited("b.txt")]),
        ("[a.txt:2, b.txt:3]", [cited("a.txt", 2), cited("b.txt", 3)]),
        ("[a.txt:2, 5]", [cited("a.txt", 2), cited("a.txt", 5)]),
        ("[a.txt, lines 2-3, 5; line 7]", [cited("a.txt", 2, 3), cited("a.txt", 5), cited("a.txt", 7)]),
        ("[a.txt:2, 5, b.txt]", [cited("a.txt", 2), cited("a.txt", 5), cited("b.txt")]),
        ("[sub folder/b.md]", [cited("sub folder/b.md")]),
        ("[sub folder/b.md:12]", [cited("sub folder/b.md", 12)]),
        ("[notes [old].txt:3]", [cited("notes [old].txt", 3)]),
        ("[odd].txt:3]", [cited("odd].txt", 3)]),
        ("[a, b.txt]", [cited("a, b.txt")]),
        ("[a, b.txt, a.txt]", [cited("a, b.txt"), cited("a.txt")]),
        ("[x; y.txt:1; a.txt]", [cited("x; y.txt", 1), cited("a.txt")]),
        ("[see a.txt]", [cited("a.txt")]),
        ("[See: a.txt]", [cited("a.txt")]),
        ("[source: a.txt, line 2]", [cited("a.txt", 2)]),
        ("[Sources: a.txt, b.txt]", [cited("a.txt"), cited("b.txt")]),
        ("[from a.txt]", [cited("a.txt")]),
        ("[[a.txt]]", [cited("a.txt")]),
        ("[The boiler was serviced [boiler.txt:2].]", [cited("boiler.txt", 2)]),
        ("[a.txt][1]", [cited("a.txt")]),
        ("[a.txt][b.txt]", [cited("a.txt"), cited("b.txt")]),
        ("[a.txt] (2019)", [cited("a.txt")]),
        ("[an open bracket, then [a.txt]", [cited("a.txt")]),
        ("In May [boiler.txt:2], as said [a.txt:1] and [boiler.txt:2].", [cited("boiler.txt", 2), cited("a.txt", 1)]),
    ],
)  # fmt: skip
def test_a_citation_of_files_that_were_shown_is_read_whole(text: str, expected: list[Citation]) -> None:
    assert find_citations(text, SHOWN) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "boiler.txt",
        "(boiler.txt:2)",
        "[boiler.txt",
        "boiler.txt]",
        "[text](url)",
        "[boiler.txt](https://example.com/boiler.txt)",
        "[fake.txt](https://example.com)",
        "[the manual](fake.md)",
        "![boiler.txt](boiler.png)",
        "[1]",
        "[^1]",
        "[ ]",
        "[x] done",
        "[]",
        "[sic]",
        "[see below]",
        "[see]",
        "[a.txtual note]",
        "[text",
        "[ a paragraph\n \nwith fake.txt in the next ]",
    ],
)
def test_what_only_looks_like_a_citation_is_none(text: str) -> None:
    assert find_citations(text, SHOWN) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[fake.txt]", [cited("fake.txt")]),
        ("[fake.txt:2-4]", [cited("fake.txt", 2, 4)]),
        ("[Fake Notes.MD, line 3]", [cited("Fake Notes.MD", 3)]),
        ("[see fake.txt; source: b.md:1]", [cited("fake.txt"), cited("b.md", 1)]),
        ("[a.txt:2, fake.txt, 3]", [cited("a.txt", 2), cited("fake.txt", 3)]),
        ("[fake [old].txt:3]", [cited("fake [old].txt", 3)]),
        ("[Boiler.txt]", [cited("Boiler.txt")]),
        (f"[{DECOMPOSED}]", [cited(COMPOSED)]),
        ("[fake.txt] and [a.txt]", [cited("fake.txt"), cited("a.txt")]),
        ("[a.txt] and [fake.txt]", [cited("a.txt"), cited("fake.txt")]),
    ],
)
def test_a_citation_of_a_file_that_was_not_shown_is_found_too(text: str, expected: list[Citation]) -> None:
    assert find_citations(text, SHOWN) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[boiler.txt, page 3]", [cited("boiler.txt, page 3")]),
        ("[boiler.txt:]", [cited("boiler.txt:")]),
        ("[boiler.txt,]", [cited("boiler.txt,")]),
        ("[boiler.txt:2-]", [cited("boiler.txt:2-")]),
        ("[boiler.txt:2-4-6]", [cited("boiler.txt:2-4-6")]),
        ("[boiler.txt:-2]", [cited("boiler.txt:-2")]),
        ("[boiler.txt:1234567890123456789]", [cited("boiler.txt:1234567890123456789")]),
        ("[ what boiler.txt says ]", [cited("what boiler.txt says")]),
        ("[fake, made up.txt]", [cited("fake, made up.txt")]),
        ("[.txt]", [cited(".txt")]),
        ("[x.txt [y] z.txt]", [cited("x.txt [y] z.txt")]),
        ("[made up.txt [z] ]", [cited("made up.txt [z]")]),
        ("[fake.txt [a.txt]]", [cited("fake.txt [a.txt]"), cited("a.txt")]),
        ("[fake.txt [other.txt] ]", [cited("fake.txt [other.txt]")]),
        ("[notes [a.txt].md:3]", [cited("notes [a.txt].md:3"), cited("a.txt")]),
    ],
)
def test_a_bracket_with_a_file_that_can_not_be_read_whole_stands_for_itself(
    text: str, expected: list[Citation]
) -> None:
    assert find_citations(text, SHOWN) == expected


@pytest.mark.parametrize(
    ("text", "shown", "expected"),
    [
        ("[a.txt, b.txt]", ["a.txt, b.txt", "a.txt", "b.txt"], [cited("a.txt, b.txt")]),
        ("[a.txt:2]", ["a.txt", "a.txt:2"], [cited("a.txt:2")]),
        ("[see a.txt]", ["a.txt", "see a.txt"], [cited("see a.txt")]),
        ("[ a.txt]", ["a.txt", " a.txt"], [cited(" a.txt")]),
        ("[a.txt]", ["a.txt] and [b.txt", "a.txt"], [cited("a.txt")]),
        ("[a.txt, c.txt]", ["a.txt, b.txt", "a.txt", "c.txt"], [cited("a.txt"), cited("c.txt")]),
    ],
)
def test_of_two_readings_the_longest_name_that_was_shown_is_taken(
    text: str, shown: list[str], expected: list[Citation]
) -> None:
    assert find_citations(text, shown) == expected


def test_a_name_without_a_suffix_is_cited_only_when_it_was_shown() -> None:
    assert find_citations("[Makefile:3] [README]", ["Makefile"]) == [cited("Makefile", 3)]
    assert find_citations("[Makefile:3] [fake.txt]", ["Makefile"], suffixes=()) == [cited("Makefile", 3)]


def test_the_suffixes_say_which_unknown_names_are_citations() -> None:
    assert find_citations("[fake.py:3] [fake.txt]", [], suffixes=(".py",)) == [cited("fake.py", 3)]


@pytest.mark.parametrize("written", [COMPOSED, DECOMPOSED])
@pytest.mark.parametrize("shown", [COMPOSED, DECOMPOSED])
def test_spellings_that_unicode_calls_equal_are_one_file_spelled_as_it_was_shown(written: str, shown: str) -> None:
    evidence = evidence_of((shown, 1, 3))

    verdict, citations = judge(f"Closed on Mondays [{written}:2].", evidence)

    assert verdict == "ok"
    assert citations == [cited(shown, 2)]
    assert evidence.shows(written, 1, 3)


def test_a_shown_name_keeps_its_spelling_beside_one_that_was_not_shown() -> None:
    assert find_citations(f"[{COMPOSED}:2, fake.txt]", [DECOMPOSED]) == [cited(DECOMPOSED, 2), cited("fake.txt")]


def test_a_name_that_is_no_unicode_is_cited_escaped() -> None:
    evidence = evidence_of(("\udcff.txt", 1, 1))

    verdict, citations = judge("[\udcff.txt] [fake\udcff.txt]", evidence)

    assert verdict == "bad_citation"
    assert [citation.file for citation in citations] == ["\\udcff.txt", "fake\\udcff.txt"]
    assert [Citation.model_validate_json(citation.model_dump_json()) for citation in citations] == citations


def test_an_empty_name_is_never_cited() -> None:
    assert judge("[] [:2]", evidence_of(("", 1, 9))) == ("no_citation", [])


@pytest.mark.parametrize(
    ("line", "last_line", "shown"),
    [
        (None, None, True),
        (2, None, True),
        (2, 3, True),
        (2, 7, True),
        (12, 14, True),
        (7, 7, True),
        (1, None, False),
        (1, 3, False),
        (8, None, False),
        (7, 12, False),
        (2, HUGE, False),
        (3, 2, False),
        (0, None, False),
        (0, 3, False),
        (-5, 3, False),
        (None, 3, False),
    ],
)
def test_a_range_is_shown_when_each_of_its_lines_was(line: int | None, last_line: int | None, shown: bool) -> None:
    evidence = evidence_of(("a.txt", 12, 14), ("a.txt", 5, 7), ("a.txt", 2, 3), ("a.txt", 2, 5), ("b.txt", 1, 1))

    assert evidence.shows("a.txt", line, last_line) is shown


def test_neighbouring_ranges_show_what_spans_them() -> None:
    evidence = evidence_of(("a.txt", 1, 2), ("a.txt", 3, 4), ("a.txt", 6, None))

    assert evidence.shows("a.txt", 1, 4)
    assert not evidence.shows("a.txt", 4, 6)
    assert evidence.shows("a.txt", 6)
    assert not evidence.shows("a.txt", 7)


def test_a_file_shown_whole_shows_any_line_but_no_impossible_one() -> None:
    evidence = evidence_of(("a.txt", 3, 4), ("a.txt", None, None), ("a.txt", 9, 9))

    assert evidence.shows("a.txt", 2, HUGE)
    assert not evidence.shows("a.txt", 0)
    assert not evidence.shows("a.txt", 5, 4)
    assert not evidence.shows("b.txt")


@pytest.mark.parametrize(("first", "last"), [(0, 0), (0, 5), (4, 2), (-1, None)])
def test_a_range_that_can_not_be_shows_its_file_but_no_line(first: int, last: int | None) -> None:
    evidence = evidence_of(("a.txt", first, last))

    assert evidence.shows("a.txt")
    assert not any(evidence.shows("a.txt", line) for line in range(-2, 7))


def test_the_files_of_the_evidence_are_sorted_and_keep_their_first_spelling() -> None:
    evidence = evidence_of((DECOMPOSED, 1, 1), ("b.txt", 1, 1), (COMPOSED, 2, 2), ("a.txt", None, None))

    assert evidence.files() == ["a.txt", "b.txt", DECOMPOSED]
    assert Evidence().files() == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Not in the notes", "not_in_notes"),
        ("Not in the notes.", "not_in_notes"),
        ("\n Not in the notes. \n", "not_in_notes"),
        ("Not in the notes..", "no_citation"),
        ("not in the notes", "no_citation"),
        ("Not in the notes, but the boiler is old.", "no_citation"),
        ("Not in the notes. Though the boiler is old [boiler.txt:2].", "ok"),
        ("Not in the notes [fake.txt].", "bad_citation"),
        ("", "no_citation"),
        (" \n", "no_citation"),
        ("In May.", "no_citation"),
        ("In May [1].", "no_citation"),
        ("In May [boiler.txt](boiler.txt).", "no_citation"),
        ("In May [boiler.txt].", "ok"),
        ("In May [boiler.txt:2-3].", "ok"),
        ("In May [boiler.txt:2, 3].", "ok"),
        ("In May [boiler.txt, b.md:7].", "ok"),
        ("In May [boiler.txt:2-99999999999].", "bad_citation"),
        ("In May [boiler.txt:4].", "bad_citation"),
        ("In May [boiler.txt:3-2].", "bad_citation"),
        ("In May [boiler.txt:0].", "bad_citation"),
        ("In May [boiler.txt:2, 9].", "bad_citation"),
        ("In May [boiler.txt:2], in June [fake.txt].", "bad_citation"),
        ("In May [boiler.txt, page 2].", "bad_citation"),
        ("In May [boiler.txt; fake.txt].", "bad_citation"),
    ],
)
def test_an_answer_is_worth_what_the_evidence_shows(text: str, expected: Verdict) -> None:
    evidence = evidence_of(("boiler.txt", 2, 3), ("b.md", 7, 7))

    verdict, citations = judge(text, evidence)

    assert verdict == expected
    assert bool(citations) == (expected in ("ok", "bad_citation"))


def test_without_evidence_no_answer_is_good() -> None:
    assert judge("In May [boiler.txt].", Evidence()) == ("bad_citation", [cited("boiler.txt")])


@pytest.mark.parametrize(
    ("citation", "told"),
    [
        (cited("boiler.txt"), None),
        (cited("boiler.txt", 2), None),
        (cited("boiler.txt", 2, 3), None),
        (cited("boiler.txt", 4), "[boiler.txt:4]: nothing showed this line"),
        (cited("boiler.txt", 3, 4), "[boiler.txt:3-4]: not all of these lines were shown"),
        (cited("boiler.txt", 3, 2), "[boiler.txt:3-2]: not all of these lines were shown"),
        (cited("fake.txt"), "[fake.txt]: nothing showed this file"),
        (cited("fake.txt", 2), "[fake.txt]: nothing showed this file"),
    ],
)
def test_what_is_wrong_with_a_citation(citation: Citation, told: str | None) -> None:
    assert fault(citation, evidence_of(("boiler.txt", 2, 3))) == told


def test_a_citation_is_a_frozen_part_of_a_result() -> None:
    citation = cited("boiler.txt", 2)

    assert citation.model_dump_json() == '{"file":"boiler.txt","line":2,"last_line":null}'
    assert hash(citation) == hash(cited("boiler.txt", 2))
    with pytest.raises(ValueError, match="frozen"):
        citation.line = 3


@settings(deadline=None)
@given(name=file_names, first=line_numbers, length=st.integers(0, 10), data=st.data())
@example(name="a](b", first=1, length=0, data=None)
@example(name="\udcff.txt", first=1, length=0, data=None)
@example(name="\u0301.txt", first=1, length=0, data=None)
def test_any_name_that_was_shown_can_be_cited(name: str, first: int, length: int, data: st.DataObject | None) -> None:
    # One name alone leaves no doubt. With more, a name is in doubt only where another one is that name followed by
    # what may follow a name in a list (a line, a comma, a bracket): then the longer one is taken.
    evidence = evidence_of((name, first, first + length))
    line = data.draw(st.integers(first, first + length)) if data else first
    file = evidence.files()[0]

    assert judge(f"So it is [{name}].", evidence) == ("ok", [cited(file)])
    assert judge(f"So it is [{name}:{line}].", evidence) == ("ok", [cited(file, line)])
    assert judge(f"[{name}:{first}-{first + length}]", evidence) == ("ok", [cited(file, first, first + length)])
    assert judge(f"So it is [{name}, line {first - 1}].", evidence)[0] == "bad_citation"
    assert judge(f"So it is [{name}:{first + length + 1}].", evidence)[0] == "bad_citation"


@settings(deadline=None)
@given(names=st.lists(file_names, min_size=2, max_size=5, unique=True), data=st.data())
def test_any_of_several_names_can_be_cited_unless_another_begins_with_it(names: list[str], data: st.DataObject) -> None:
    evidence = evidence_of(*((name, 1, 9) for name in names))
    chosen = data.draw(st.sampled_from(evidence.files()))
    assume(not any(name.startswith(chosen) for name in evidence.files() if name != chosen))

    assert judge(f"[{chosen}:5]", evidence) == ("ok", [cited(chosen, 5)])


# Left out: brackets, which may end the citation early, and a blank line, which no citation reaches over.
unshown_stems = st.text(st.characters(exclude_characters="[]\n"), max_size=12)


@settings(deadline=None)
@given(
    stem=unshown_stems, suffix=st.sampled_from([".txt", ".md", ".TXT"]), lines=st.sampled_from(["", ":1", ", line 1"])
)
@example(stem="good.txt, ", suffix=".md", lines=":1")
@example(stem="good.txt:1\0", suffix=".md", lines="")
@example(stem="\ud800", suffix=".md", lines="")
def test_a_citation_of_what_was_never_shown_is_never_good(stem: str, suffix: str, lines: str) -> None:
    evidence = evidence_of(("good.txt", 1, 9))
    assume((stem + suffix).strip() != "good.txt" and not stem.endswith("good"))

    assert judge(f"[{stem}{suffix}{lines}]", evidence)[0] == "bad_citation"
    assert judge(f"[good.txt:1] says so, and [{stem}{suffix}{lines}]", evidence)[0] == "bad_citation"


names_and_marks = ["good.txt", "x [y].md", "a, b.txt", "fake.txt", "see ", "line ", "2", *"[](),;:- .\n\0"]
pieces = st.lists(st.sampled_from(names_and_marks), max_size=30).map("".join)


@settings(deadline=None)
@given(text=st.one_of(st.text(), pieces))
def test_no_text_makes_judging_fail_and_only_shown_lines_are_good(text: str) -> None:
    evidence = evidence_of(("good.txt", 2, 3), ("x [y].md", 1, 1), ("a, b.txt", None, None))

    verdict, citations = judge(text, evidence)

    all_shown = all(evidence.shows(c.file, c.line, c.last_line) for c in citations)
    assert (verdict == "ok") == (bool(citations) and all_shown)
    assert len(set(citations)) == len(citations)
    assert judge(unicodedata.normalize("NFC", text), evidence) == (verdict, citations)


@settings(deadline=None)
@given(
    shown=st.lists(st.tuples(st.integers(1, 30), st.integers(0, 8))),
    first=st.integers(-2, 40),
    length=st.integers(-2, 9),
)
def test_ranges_agree_with_a_set_of_lines(shown: list[tuple[int, int]], first: int, length: int) -> None:
    evidence = evidence_of(("a.txt", -1, None), *(("a.txt", start, start + more) for start, more in shown))
    lines = {line for start, more in shown for line in range(start, start + more + 1)}
    wanted = set(range(first, first + length + 1))

    assert evidence.shows("a.txt", first, first + length) == (bool(wanted) and wanted <= lines)


OPENINGS = [
    "[",
    "]",
    "[ ",
    "[see ",
    "[a.txt",
    "[a.txt,",
    "[a.txt:1,",
    "[[a.txt,",
    "[fake.txt y",
    "[fake.txt y]",
    "[fake.txt:1-",
]


@pytest.mark.parametrize("unit", [*OPENINGS, ",", ".txt", "e\u0301\u0327"])
@pytest.mark.parametrize("shape", ["{}", "[fake.txt {}]"])
def test_hostile_text_is_judged_in_one_go(unit: str, shape: str) -> None:
    length = 200_000
    shown: Collection[str] = ["a.txt", "[a.txt", "a, b.txt"]

    citations = find_citations(shape.format(unit * (length // len(unit))), shown)

    assert len(citations) <= 4


def test_a_long_run_of_marks_or_spaces_is_judged_in_one_go() -> None:
    evidence = evidence_of(("a.txt", 1, 1))

    assert judge("a" + "\u0301\u0327" * 100_000, evidence)[0] == "no_citation"
    assert judge(f"[a.txt{' ' * 200_000}:1]", evidence)[0] == "ok"
    assert judge(f"[fake.txt{' ' * 200_000}x]", evidence)[0] == "bad_citation"
    assert judge("[" * 100_000 + "fake.txt" + "]" * 100_000, evidence) == ("bad_citation", [cited("fake.txt")])

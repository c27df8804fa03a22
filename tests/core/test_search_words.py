"""Folding, words, terms, edits, and bytes as text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from two_loops.search.analysing import analysed, words_in
from two_loops.search.chunks import LONGEST, LONGEST_LINE, chunks_of
from two_loops.search.decoding import decode
from two_loops.search.forgiving import edits, inside, is_forgivable, is_one_edit, one_edit_away, two_edits_away
from two_loops.search.forms import stem
from two_loops.search.query import MAX_TERMS, terms_of
from two_loops.search.words import fold


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Zoë ÅNGSTRÖM", "zoe angstrom"),
        ("Straße", "strasse"),
        ("Łódź, Đà Nẵng", "lodz, da nang"),
        ("هٰذَا می\u200cخواهم", "هذا میخواهم"),  # noqa: RUF001 - Arabic is meant
        ("हिन्दी", "हिन्दी"),
        ("ｶﾞｽ", "ガス"),
        ("boi\xadler", "boiler"),
    ],
)
def test_folding_keeps_what_tells_words_apart(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text())
def test_folding_keeps_the_lines(text: str) -> None:
    assert fold(text).count("\n") == text.count("\n")


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("Boiler serviced, boiler!", ["boiler", "serviced"]),
        ("12 March 2031", ["12", "march", "2031", "12 march", "march 2031"]),
        ("O\u2019Brien", ["o'brien", "o", "brien"]),
        ("INV-2031", ["inv-2031", "inv", "2031"]),
        ("(12/03)", ["12/03", "12", "03"]),
        ("ann@example.com?", ["ann@example.com", "ann", "example", "com"]),
        ("C++ or C#", ["c++", "c", "or", "c#"]),
        ("“हिन्दी”", ["हिन्दी"]),
        ("锅炉维修", ["锅炉", "炉维", "维修"]),
        ("水", ["水"]),
        ("iPhone手机", ["iphone", "手机"]),
        ("€", ["€"]),
        ("-> €", ["€"]),
        ("…", ["..."]),
        ("?!", ["?!"]),
        (" \n", []),
        ("\u200b", []),
    ],
)
def test_a_query_is_cut_into_its_terms(query: str, terms: list[str]) -> None:
    assert [term.text for term in terms_of(query)] == terms


def test_an_endless_query_has_an_end() -> None:
    assert len(terms_of(" ".join(str(number) for number in range(100_000)))) == MAX_TERMS


@pytest.mark.parametrize("other", ["boilr", "boiller", "boiker", "obiler", "boilre", "boilers", "oiler"])
def test_one_edit_is_recognised_both_ways(other: str) -> None:
    assert is_one_edit("boiler", other)
    assert is_one_edit(other, "boiler")


@pytest.mark.parametrize("other", ["boiler", "boi", "bolier1", "xoilex", "oberli"])
def test_more_or_less_than_one_edit_is_not(other: str) -> None:
    assert not is_one_edit("boiler", other)


@given(st.text("abc", min_size=4, max_size=7), st.sets(st.text("abc", max_size=8), max_size=30))
def test_no_near_word_is_missed(word: str, known: set[str]) -> None:
    near = one_edit_away(word, known)

    assert set(near) == {other for other in known if is_one_edit(word, other)}


@given(st.text("abcd", min_size=1, max_size=6), st.text("abcd", min_size=1, max_size=6))
def test_edits_are_counted_as_single_edits_are(one: str, other: str) -> None:
    counted = edits(one, other)

    assert counted == edits(other, one)
    assert (counted == 0) == (one == other)
    assert (counted == 1) == is_one_edit(one, other)


def test_two_edits_are_forgiven_to_a_long_word_that_begins_alike() -> None:
    known = {"insurance", "assurance", "instance", "boiler"}

    assert two_edits_away("insruanec", known) == ["insurance"]
    assert two_edits_away("isnur", known) == []


def test_a_part_of_a_word_is_found_in_it_when_it_is_long_enough() -> None:
    known = {"party", "art", "start", "art-"}

    assert sorted(inside("art", known)) == ["art", "art-", "party", "start"]
    assert inside("ar", known) == []
    assert inside("рт", {"партия"}) == ["партия"]


@pytest.mark.parametrize(("text", "forgivable"), [("boiler", True), ("inv2031", False), ("cat", False)])
def test_codes_and_short_words_are_not_forgiven(text: str, forgivable: bool) -> None:
    assert is_forgivable(text) is forgivable


@pytest.mark.parametrize(
    "forms",
    [
        ("boiler", "boilers"),
        ("service", "services", "serviced", "servicing"),
        ("stop", "stops", "stopped", "stopping"),
        ("carry", "carries", "carried", "carrying"),
        ("invoice", "invoices", "invoiced"),
    ],
)
def test_forms_of_one_word_have_one_stem(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize("word", ["bus", "glass", "this", "tax", "red", "12th", "été", "s", ""])
def test_what_has_no_ending_stays(word: str) -> None:
    assert stem(word) == word


@given(st.text())
def test_analysed_text_keeps_its_lines_and_all_its_words(text: str) -> None:
    lines = analysed(text).split("\n")

    assert len(lines) == text.count("\n") + 1
    assert not any(
        char.isspace() or (char.isascii() and not char.isalnum()) for line in lines for char in "".join(words_in(line))
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Zoë\u2019s INV-2031, 80 €!", ["zoe", "s", "inv", "2031", "80", "€"]),
        ("यह हिन्दी है।", ["यह", "हिन्दी", "है"]),
        ("锅炉维修 v2", ["锅炉", "炉维", "维修", "v2"]),
        ("水", ["水"]),
        ("“done” 🎉…", ["done", "🎉"]),
    ],
)
def test_text_is_cut_into_words(text: str, words: list[str]) -> None:
    assert words_in(analysed(text)) == words


@settings(max_examples=40, deadline=None)  # its long lines take a busy machine long
@given(st.lists(st.text("ab \t", max_size=20) | st.sampled_from(["x" * 3000, "word " * 700, ""]), max_size=8))
def test_chunks_hold_every_line_where_it_stands(lines: list[str]) -> None:
    chunks = chunks_of("\n".join(lines))

    held = set()
    for chunk in chunks:
        here = chunk.text.split("\n")
        assert len(chunk.text) <= max(LONGEST, LONGEST_LINE) + len(here)
        for number, part in enumerate(here, chunk.line):
            whole = lines[number] if lines else ""
            assert whole[chunk.start :].startswith(part)
            held |= {(number, place) for place in range(chunk.start, chunk.start + len(part))}
    for number, line in enumerate(lines):
        assert all((number, place) in held for place, char in enumerate(line) if not char.isspace())


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        pytest.param("Zoë\r\nx\ry".encode(), "Zoë\nx\ny", id="UTF-8"),
        pytest.param("Zoë".encode("utf-8-sig"), "Zoë", id="UTF-8 with a mark"),
        pytest.param(b"\xff\xfe" + "Zoë".encode("utf-16-le"), "Zoë", id="UTF-16, little end first"),
        pytest.param(b"\xfe\xff" + "Zoë".encode("utf-16-be"), "Zoë", id="UTF-16, big end first"),
        pytest.param(b"\xff\xfea\x00\x00\x00", None, id="UTF-16 with a NUL"),
        pytest.param("Zoë “80 €”".encode("cp1252"), "Zoë “80 €”", id="cp1252"),
        pytest.param(b"Zo\xeb \x81", "Zoë \x81", id="Latin-1"),
        pytest.param("Zoë".encode()[:-1], "Zo", id="cut off inside a character"),
        pytest.param("Zoë Åse é".encode() + b" \xff!", "Zoë Åse é \ufffd!", id="UTF-8 with a broken byte"),
        pytest.param(b"GIF\x00\x01", None, id="binary"),
        pytest.param(b"", "", id="empty"),
    ],
)
def test_bytes_are_read_as_what_they_are(raw: bytes, text: str | None) -> None:
    assert decode(raw) == text

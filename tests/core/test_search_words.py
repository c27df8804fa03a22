"""Folding, terms, one edit, and which lines hold a term."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from two_loops.search.decoding import decode
from two_loops.search.forgiving import is_forgivable, is_one_edit, nearest
from two_loops.search.hits import INSIDE_A_WORD, WHOLE, holds_word, lines_with
from two_loops.search.words import MAX_TERMS, Term, fold, terms_of


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
        ("INV-2031", ["inv-2031", "inv", "2031"]),
        ("(12/03)", ["12/03", "12", "03"]),
        ("ann@example.com?", ["ann@example.com", "ann", "example", "com"]),
        ("C++ or C#", ["c++", "c", "or", "c#"]),
        ("“हिन्दी”", ["हिन्दी"]),
        ("锅炉维修", ["锅炉", "炉维", "维修"]),
        ("水", ["水"]),
        ("iPhone手机", ["iphone", "手机"]),
        ("€", ["€"]),
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


def test_the_nearest_words_are_in_order() -> None:
    near = nearest(Term("boilr", words=True), {"boilers", "boil", "broil", "boiler", "toilr"})

    assert [term.text for term in near] == ["boil", "boiler", "toilr"]


@given(st.text("abc", min_size=4, max_size=7), st.sets(st.text("abc", max_size=8), max_size=30))
def test_no_near_word_is_missed(word: str, known: set[str]) -> None:
    near = [term.text for term in nearest(Term(word, words=True), known)]

    assert near == sorted(other for other in known if is_one_edit(word, other))


@pytest.mark.parametrize(("text", "forgivable"), [("boiler", True), ("inv-2031", False), ("cat", False)])
def test_codes_and_short_words_are_not_forgiven(text: str, forgivable: bool) -> None:
    assert is_forgivable(Term(text, words=True)) is forgivable


def test_lines_that_hold_a_word_whole_or_inside_another() -> None:
    folded = "the art\nparty, art\nstart\n\nar"

    assert lines_with(Term("art", words=True), folded) == {0: WHOLE, 1: WHOLE, 2: INSIDE_A_WORD}
    assert lines_with(Term("ar", words=True), folded) == {4: WHOLE}
    assert lines_with(Term("ar", words=False), folded) == {0: WHOLE, 1: WHOLE, 2: WHOLE, 4: WHOLE}


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


@pytest.mark.parametrize(("text", "held"), [("start art", True), ("start party", False), ("", False)])
def test_a_word_is_held_only_as_a_whole(text: str, held: bool) -> None:
    assert holds_word(Term("art", words=True), text) is held

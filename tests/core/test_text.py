"""Text from outside, cleaned for a model and shown to a person."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from two_loops.text import clean, visible, well_formed

ANY_TEXT = st.text(st.characters(categories=None)) | st.text(
    "ab9 \n\t\r\u200b\u200c\u200d\ufe0f\u200f\u202e\u0645\u0915\u0647👩🔥❤\u20e3\ud83d"
)
WRITTEN = [
    pytest.param("Serviced on 12/03, cost 80 €\n\tby Zoë Ångström", id="accents, tab and line end"),
    pytest.param("می\u200cخواهم", id="a Persian word with its non-joiner"),  # noqa: RUF001 - Arabic is meant
    pytest.param("क्\u200dष", id="a Hindi half form with its joiner"),
    pytest.param("👨\u200d👩\u200d👧", id="a family"),
    pytest.param("👩🏽\u200d🚀", id="an astronaut with a skin tone"),
    pytest.param("❤\ufe0f\u200d🔥", id="a heart on fire"),
    pytest.param("1\ufe0f\u20e3", id="a keycap"),
    pytest.param("🇩🇪", id="a flag"),
    pytest.param("葛\U000e0100城", id="an ideograph with its selector"),
    pytest.param("ᠠ\u180b", id="a Mongolian letter with its selector"),
    pytest.param("שלום\u200f!", id="a direction mark after Hebrew"),
    pytest.param("עולם", id="Hebrew"),
    pytest.param("สวัสดี", id="Thai"),
    pytest.param("各位", id="Chinese"),
]


@pytest.mark.parametrize("text", WRITTEN)
def test_writing_stays_as_it_is(text: str) -> None:
    assert clean(text) == text


@pytest.mark.parametrize("text", WRITTEN[1:])
def test_a_name_in_any_writing_is_shown_as_it_is(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        pytest.param("a\r\nb\rc", "a\nb\nc", id="line ends become one kind"),
        pytest.param("a\u2028b\u2029c", "a b c", id="separators end no line"),
        pytest.param("\x1b[31mred\x07\x00\x7f\x9b", "[31mred", id="controls"),
        pytest.param("\u202eevil\u202c \u2066x\u2069", "evil x", id="bidi overrides and isolates"),
        pytest.param("hi\U000e0041\U000e0042\U000e007f", "hi", id="tag characters"),
        pytest.param(
            "a\u200bb\u2060c\ufeffd\xade\u034ff\u3164g\u2063h\u206ai", "abcdefghi", id="invisible in any script"
        ),
        pytest.param("a\u200cb\u200dc", "abc", id="joiners between Latin letters"),
        pytest.param("م\u200c\u200c\u200cن", "م\u200cن", id="joiners one at a time"),
        pytest.param("م\u200c\u200b\u200cن", "م\u200cن", id="joiners one at a time, others between"),
        pytest.param("،\u200cن", "،ن", id="a joiner after punctuation"),
        pytest.param("👩\u200dx", "👩x", id="a joiner between an emoji and a letter"),
        pytest.param("❤\ufe0f\ufe0f\ufe0f", "❤\ufe0f", id="selectors one at a time"),
        pytest.param("a\ufe0fb\ufe00c", "abc", id="selectors after letters"),
        pytest.param("7\ufe0f7", "77", id="a selector after a digit that is no keycap"),
        pytest.param("a\U000e0100", "a", id="an ideographic selector after a letter"),
        pytest.param("葛\U000e0100\U000e0101", "葛\U000e0100", id="ideographic selectors one at a time"),
        pytest.param("a\u180bᠠ", "aᠠ", id="a Mongolian selector elsewhere"),
        pytest.param("a\u200fb\u200ec", "abc", id="direction marks between Latin letters"),
        pytest.param("ש\u200f\u200fa", "ש\u200fa", id="direction marks one at a time"),
        pytest.param("a\ud83d", "a\ufffd", id="a lone surrogate"),
    ],
)
def test_what_hides_or_controls_is_taken_out(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a\x1b[2Jb", "a\\x1b[2Jb"),
        ("two\nlines\tand tab", "two\\nlines\\tand tab"),
        ("gpj\u202eexe", "gpj\\u202eexe"),
        ("byte\udc80", "byte\\udc80"),
        ("x\U000e0041", "x\\U000e0041"),
        ("a\u200bb", "a\\u200bb"),
        ("a\u2028b", "a\\u2028b"),
    ],
)
def test_a_name_shows_what_it_hides(name: str, shown: str) -> None:
    assert visible(name) == shown


@given(ANY_TEXT)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    once = clean(text)

    assert clean(once) == once


@given(ANY_TEXT)
def test_nothing_that_controls_is_left(text: str) -> None:
    left = {char for char in clean(text) if unicodedata.category(char) in ("Cc", "Cs")}

    assert left <= {"\n", "\t"}
    assert not set(clean(text)) & set("\u200b\u2028\u2029\u202a\u202e\u2066\u2069\ufeff\xad\U000e0041")


@given(ANY_TEXT)
def test_a_shown_name_is_one_clean_line(name: str) -> None:
    shown = visible(name)

    assert shown == visible(shown) == clean(shown)
    assert not set(shown) & set("\n\t")


@given(
    st.text(st.characters(categories=["L", "N", "P", "Zs"]))
    | st.text(st.characters(max_codepoint=126, min_codepoint=32))
)
def test_plain_text_is_untouched(text: str) -> None:
    plain = "".join(char for char in text if char not in "\u115f\u1160\u3164\uffa0")

    assert clean(plain) == visible(plain) == plain


@given(ANY_TEXT)
def test_well_formed_text_can_be_encoded_and_keeps_the_rest(text: str) -> None:
    formed = well_formed(text)

    assert len(formed.encode()) >= len(text)
    assert all(a == b or (b == "\ufffd" and "\ud800" <= a <= "\udfff") for a, b in zip(text, formed, strict=True))

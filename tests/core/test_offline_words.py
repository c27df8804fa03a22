"""Words, stems and months as the offline model compares them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from two_loops.stand_ins.offline.calendar import months_before_or_after, months_in
from two_loops.stand_ins.offline.vocabulary import also
from two_loops.stand_ins.offline.words import misspelt, stem, words_of


@pytest.mark.parametrize(
    "words",
    [
        "service services serviced servicing",
        "renew renews renewed",
        "tyre tyres",
        "tax taxes",
        "cancel cancelled cancels",
        "policy policies",
        "pass passes passed",
        "swarm swarmed",
        "care cares cared caring",
        "tap taps tapped",
        "store stores stored",
        "eat eats eating",
        "box boxes",
    ],
)
def test_forms_of_a_word_have_one_stem(words: str) -> None:
    assert len(set(map(stem, words.split()))) == 1


@pytest.mark.parametrize(
    "words",
    ["tax taxi tap", "bus bush", "tap tape", "bar bare", "due day", "car card care", "spring sprint", "1187 1203"],
)
def test_other_words_keep_other_stems(words: str) -> None:
    assert len(set(map(stem, words.split()))) == len(words.split())


@pytest.mark.parametrize(
    ("word", "other"),
    [("boyler", "boiler"), ("bioler", "boiler"), ("boilr", "boiler"), ("boileer", "boiler"), ("presure", "pressure")],
)
def test_one_slip_is_seen(word: str, other: str) -> None:
    assert misspelt(word, other)
    assert misspelt(other, word)


@pytest.mark.parametrize(
    ("word", "other"),
    [("tax", "tap"), ("horse", "house"), ("toiler", "boiler"), ("boyllr", "boiler"), ("120301", "120302"), ("", "")],
)
def test_short_words_numbers_first_letters_and_two_slips_are_not_forgiven(word: str, other: str) -> None:
    assert not misspelt(word, other)


def test_words_lose_case_and_accents_but_are_kept_as_typed() -> None:
    assert [(word.typed, word.plain) for word in words_of("Crème, in ZÜRICH-2!")] == [
        ("Crème", "creme"),
        ("in", "in"),
        ("ZÜRICH", "zurich"),
        ("2", "2"),
    ]


@settings(deadline=None)  # a busy machine is no failure
@given(st.text())
def test_any_text_has_words_without_spaces(text: str) -> None:
    assert all(word.typed in text and word.plain and not word.typed.isspace() for word in words_of(text))


@pytest.mark.parametrize(
    ("question", "months", "rest"),
    [
        ("What is due before July?", (6, 5, 4, 3, 2, 1), "What is due  ?"),
        ("due before 15 June", (6, 5, 4, 3, 2, 1), "due  "),
        ("due by the end of March", (3, 2, 1), "due  "),
        ("due after October", (11, 12), "due  "),
        ("due since november", (11, 12), "due  "),
        ("due before lunch", (), "due before lunch"),
    ],
)
def test_before_and_after_a_month_leave_months(question: str, months: tuple[int, ...], rest: str) -> None:
    assert months_before_or_after(question) == (months, rest)


def test_months_of_a_line_are_names_with_a_capital_and_full_dates() -> None:
    assert months_in("March or Sept, 2024-06-11") == {3, 6, 9}
    assert months_in("you may march on") == set()


def test_other_words_are_known_for_a_few_words_only() -> None:
    assert also("renews") == ("renewal", "expire", "extend")
    assert also("hedgehog") == ()

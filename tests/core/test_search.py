"""What a search of notes returns, and in which order."""

import inspect
import json
from dataclasses import asdict
from pathlib import Path

import pytest

from two_loops.errors import ToolError, WrongUse
from two_loops.search import Notes, SearchResults, Snippet, search_notes

BOILER = """\
Boiler

Serviced on 12 March 2024 by Ann Lee.
The next service is due in March 2025.

Invoice INV-2031, 80 €.
"""


def write(folder: Path, **notes: str) -> Path:
    """The folder with a .txt note for each name."""
    for name, text in notes.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8", newline="")
    return folder


def places(results: SearchResults) -> list[tuple[str, int]]:
    return [(found.file, found.line) for found in results]


def test_a_snippet_shows_the_line_that_matched_and_the_rest_of_its_paragraph(tmp_path: Path) -> None:
    results = search_notes("serviced Ann", write(tmp_path, boiler=BOILER, car="Tyres changed in May.\n"))

    text = "Serviced on 12 March 2024 by Ann Lee.\nThe next service is due in March 2025."
    assert results == [Snippet(file="boiler.txt", line=3, last_line=4, snippet=text)]
    assert results.not_read == ()
    assert json.loads(json.dumps([asdict(found) for found in results]))[0]["last_line"] == 4


def test_a_heading_is_shown_with_what_it_heads(tmp_path: Path) -> None:
    write(tmp_path, home="Oven\n\nCleaned in May.\n\n## Roof\n\nTiles replaced.\nBy Tom.\n\nOther things.\n")

    assert search_notes("oven", tmp_path) == [Snippet("home.txt", 1, 3, "Oven\n\nCleaned in May.")]
    assert search_notes("roof", tmp_path) == [Snippet("home.txt", 5, 8, "## Roof\n\nTiles replaced.\nBy Tom.")]


def test_a_line_that_follows_is_shown_only_whole(tmp_path: Path) -> None:
    write(tmp_path, log="first entry\n" + "x" * 20 + "\n" + "y" * 20 + "\n")

    assert search_notes("first", tmp_path, width=32) == [Snippet("log.txt", 1, 2, "first entry\n" + "x" * 20)]
    assert search_notes("first", tmp_path, width=31) == [Snippet("log.txt", 1, 1, "first entry")]


def test_the_indentation_of_a_snippet_is_left_out_and_that_inside_it_is_kept(tmp_path: Path) -> None:
    write(tmp_path, list="  - bolts  \n    - M8 \n")

    assert search_notes("bolts", tmp_path) == [Snippet("list.txt", 1, 2, "- bolts  \n    - M8")]


@pytest.mark.parametrize(
    ("query", "snippet"),
    [
        ("alpha", "alpha w w w w w w w w w…"),
        ("gamma beta", "…w w w beta w gamma w w w…"),
        ("omega", "…w w w w w w w w w omega"),
    ],
)
def test_a_long_line_is_shown_around_its_hits(tmp_path: Path, query: str, snippet: str) -> None:
    write(tmp_path, long=f"alpha {'w ' * 50}beta w gamma {'w ' * 50}omega\n")

    results = search_notes(query, tmp_path, width=26)

    assert results == [Snippet("long.txt", 1, 1, snippet)]


@pytest.mark.parametrize("filler", ["e\u0301 ", "ß ", "\ufdfa ", "é"])
def test_a_long_line_that_folds_to_another_length_is_shown_around_its_hits(tmp_path: Path, filler: str) -> None:
    write(tmp_path, long=filler * 9000 + " boiler " + filler * 9000)

    (found,) = search_notes("boiler", tmp_path, width=40)

    assert "boiler" in found.snippet
    assert len(found.snippet) <= 40


def test_lines_are_counted_as_an_editor_counts_them(tmp_path: Path) -> None:
    write(tmp_path, ends="one\r\ntwo\rthree\x0b\x0c\x85\u2028still three\nfour boiler")

    assert search_notes("boiler", tmp_path) == [Snippet("ends.txt", 4, 4, "four boiler")]


def test_at_most_three_snippets_of_a_note_and_none_overlap(tmp_path: Path) -> None:
    write(tmp_path, many="pump broken\n\n" * 6, one="pump fine\n", flow="pump one\npump two\npump three\n")

    results = search_notes("pump", tmp_path, limit=10)

    assert sorted(places(results)) == [
        ("flow.txt", 2),
        ("many.txt", 3),
        ("many.txt", 5),
        ("many.txt", 7),
        ("one.txt", 1),
    ]


def test_a_line_that_tells_comes_before_the_title_that_names_it_and_no_title_is_shown_alone(tmp_path: Path) -> None:
    write(tmp_path, boiler="Boiler\nServiced on 12 March.\nNext year again.\n", car="# Car\n\nServiced in May.\n")

    assert places(search_notes("boiler serviced", tmp_path)) == [("boiler.txt", 2), ("car.txt", 3)]
    assert places(search_notes("car", tmp_path)) == [("car.txt", 1)]


def test_never_more_than_the_limit(tmp_path: Path) -> None:
    write(tmp_path, **{f"n{number}": "pump\n" for number in range(9)})

    assert places(search_notes("pump", tmp_path)) == [(f"n{number}.txt", 1) for number in range(5)]
    assert places(search_notes("pump", tmp_path, limit=1)) == [("n0.txt", 1)]


def test_as_many_as_the_limit_where_there_are(tmp_path: Path) -> None:
    write(tmp_path, **{f"n{number}": "pump\n" for number in range(90)})

    assert len(search_notes("pump", tmp_path, limit=80)) == 80


def test_a_rare_word_counts_more_than_common_ones(tmp_path: Path) -> None:
    write(tmp_path, **{f"n{number}": f"when was the {number} thing\n" for number in range(8)}, rare="Boiler: March.\n")

    assert places(search_notes("when was the boiler serviced", tmp_path))[0] == ("rare.txt", 1)


@pytest.mark.parametrize(
    ("query", "apart", "together"),
    [
        ("car tax", "the tax was paid before the car came", "the car tax was paid before winter came"),
        ("boiler serviced", "serviced it was, says he, the boiler", "says he, it was serviced, the boiler"),
        ("旧锅炉", "旧锅很好我的锅炉", "旧锅炉很好我的锅"),
    ],
)
def test_words_that_stand_together_as_in_the_query_count_more(
    tmp_path: Path, query: str, apart: str, together: str
) -> None:
    write(tmp_path, a=apart, b=together)

    assert places(search_notes(query, tmp_path)) == [("b.txt", 1), ("a.txt", 1)]


def test_words_that_do_not_follow_each_other_in_the_query_gain_nothing_from_standing_together(tmp_path: Path) -> None:
    write(tmp_path, a="red blue pump", b="red pump blue", c="car lid")

    with Notes(tmp_path) as notes:
        parts = {found.snippet.file: found.line.together for found in notes.find("red car pump lid blue").found}

    assert parts["a.txt"] == parts["b.txt"] == 0


def test_a_word_that_most_notes_of_a_large_folder_hold_finds_nothing_beside_a_rarer_one(tmp_path: Path) -> None:
    write(tmp_path, **{f"n{number:02}": "the thing\n" for number in range(30)}, rare="a boiler\n")

    assert places(search_notes("the boiler", tmp_path)) == [("rare.txt", 1)]
    assert len(search_notes("the", tmp_path)) == 5


@pytest.mark.parametrize(
    ("query", "asking", "answer"),
    [
        ("What did the boiler cost?", "what he did", "the boiler"),
        ("Wer wartet den Kessel?", "wer es war", "der Kessel"),
        ("¿Dónde está la caldera?", "donde esta", "la caldera"),
        ("Где котёл?", "где он", "котёл"),
        ("बॉयलर कहाँ है?", "वह कहाँ गया", "बॉयलर"),
    ],
)
def test_a_word_that_asks_finds_nothing_beside_one_that_does_not(
    tmp_path: Path, query: str, asking: str, answer: str
) -> None:
    common = {f"n{number:02}": "the den está la है\n" for number in range(30)}
    write(tmp_path, **common, asking=asking, note=answer)

    assert places(search_notes(query, tmp_path)) == [("note.txt", 1)]
    assert ("asking.txt", 1) in places(search_notes(asking, tmp_path))


def test_a_word_that_asks_is_never_taken_for_another(tmp_path: Path) -> None:
    write(tmp_path, a="here is the boiler\n", b="there it hums\n")

    assert places(search_notes("where boiler", tmp_path)) == [("a.txt", 1)]
    assert search_notes("where", tmp_path) == []


def test_a_query_of_nothing_but_a_word_that_asks_finds_it(tmp_path: Path) -> None:
    write(tmp_path, **{f"n{number:02}": "the thing\n" for number in range(30)}, rare="who knows\n")

    assert places(search_notes("who", tmp_path)) == [("rare.txt", 1)]


def test_a_whole_word_comes_before_a_part_of_one(tmp_path: Path) -> None:
    write(tmp_path, a="a carpet\n", b="a car\n")

    assert places(search_notes("car", tmp_path)) == [("b.txt", 1), ("a.txt", 1)]


def test_a_name_and_a_title_count(tmp_path: Path) -> None:
    write(tmp_path, a="serviced in May\n", boiler="serviced in May\n", c="Boiler\n\nserviced in May\n")

    assert places(search_notes("boiler serviced", tmp_path, limit=3))[0][0] == "c.txt"
    assert [found.file for found in search_notes("boiler serviced", tmp_path)][-1] == "a.txt"


def test_a_note_with_the_word_only_in_its_name_shows_its_first_line(tmp_path: Path) -> None:
    write(tmp_path, boiler="\nServiced in May.\n", car="Tyres.\n")

    assert search_notes("boiler", tmp_path) == [Snippet("boiler.txt", 2, 2, "Serviced in May.")]


@pytest.mark.parametrize("query", ["boilr", "biler", "bolier", "boilar", "boilerr"])
def test_one_edit_is_forgiven_when_nothing_matches(tmp_path: Path, query: str) -> None:
    write(tmp_path, heat="The boiler hums.\n", car="Tyres.\n")

    assert places(search_notes(query, tmp_path)) == [("heat.txt", 1)]


def test_a_misspelt_word_finds_what_it_stands_for_beside_words_that_are_right(tmp_path: Path) -> None:
    write(tmp_path, a="pump in the cellar\n", b="pump of the boiler\n", c="boiler\n")

    assert places(search_notes("pump boilr", tmp_path))[0] == ("b.txt", 1)
    assert {found.file for found in search_notes("pump boilr", tmp_path)} == {"a.txt", "b.txt", "c.txt"}


def test_a_word_that_a_note_holds_is_never_taken_for_another(tmp_path: Path) -> None:
    write(tmp_path, a="a form\n", b="a farm\n")

    assert places(search_notes("farm", tmp_path)) == [("b.txt", 1)]


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("services", "Serviced on 12 March."),
        ("invoices", "An invoice came."),
        ("stopping", "It stopped."),
        ("carried", "She carries it."),
        ("versicherungsschein", "Der Versicherungschein liegt bei."),
        ("kitchn", "The kitchens are new."),
    ],
)
def test_other_forms_of_a_word_are_found(tmp_path: Path, query: str, text: str) -> None:
    write(tmp_path, right=text, wrong="something else, 99\n")

    assert search_notes(query, tmp_path) == [Snippet("right.txt", 1, 1, text)]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("12 March", "Serviced on 12 March."),
        ("room 5", "The key of room 5."),
        ("O'Brien", "Ask O\u2019Brien for it."),
        ("ann@example.com", "Write to ann@example.com, please."),
        ("a", "vitamin a"),
        ("7", "bus 7"),
        ("🎉", "done 🎉!"),
        ("80 €", "for 80 €, cash"),
    ],
)
def test_numbers_names_and_single_characters_find_the_line_that_holds_them_so(
    tmp_path: Path, query: str, first: str
) -> None:
    write(tmp_path, a="March 5, at 12, and five more\nroom for 12 and 5 people of March\n")
    write(tmp_path, b=f"Other things.\n\n{first}\n", c="Brien and Owen: ann at example dot com, 8 euros\n")

    assert places(search_notes(query, tmp_path))[0] == ("b.txt", 3)


def test_nothing_comes_back_when_nothing_is_near(tmp_path: Path) -> None:
    assert search_notes("zeppelin 2032", write(tmp_path, a="INV-2031 boiler\n")) == []


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("angstrom zoe", "Zoë Ångström"),
        ("Ångström", "angstrom"),
        ("STRASSE", "Straße 3"),
        ("2031", "INV-2031"),
        ("INV-2031", "(INV-2031)"),
        ("12/03", "on 12/03, late"),
        ("ann@example.com", "mail <ann@example.com>"),
        ("C++", "in C++."),
        ("€", "80 €"),
        ("->", "a -> b"),
        ("हिन्दी", "यह हिन्दी है"),
        ("锅炉", "去年维修了锅炉。"),
        ("อาชีพ", "ตลอดอาชีพการงาน"),
        ("학교", "학교에서"),
        ("میخواهم", "می\u200cخواهم"),  # noqa: RUF001 - Arabic is meant
    ],
)
def test_any_writing_and_any_code_is_found(tmp_path: Path, query: str, text: str) -> None:
    write(tmp_path, right=text, wrong="something else, 99\n")

    assert search_notes(query, tmp_path) == [Snippet("right.txt", 1, 1, text)]


def test_a_code_as_a_whole_comes_before_its_parts(tmp_path: Path) -> None:
    write(tmp_path, a="2031 and INV, 12 and 03\n", b="INV-2031\n", c="12/03\n")

    assert places(search_notes("INV-2031", tmp_path))[0] == ("b.txt", 1)
    assert places(search_notes("12/03", tmp_path))[0] == ("c.txt", 1)


@pytest.mark.parametrize("query", ["", " \n\t", "\u200b"])
def test_a_blank_query_is_answered_with_what_to_do(tmp_path: Path, query: str) -> None:
    with pytest.raises(ToolError, match="two to five keywords"):
        search_notes(query, tmp_path)


def test_wrong_use_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("boiler")

    with pytest.raises(WrongUse, match="there is no folder '' to search"):
        search_notes("boiler", "")
    with pytest.raises(WrongUse, match="no folder"):
        search_notes("boiler", tmp_path / "a.txt")
    with pytest.raises(WrongUse, match="limit"):
        search_notes("boiler", tmp_path, limit=0)
    with pytest.raises(WrongUse, match="width"):
        search_notes("boiler", tmp_path, width=9)


def test_an_empty_folder_and_an_odd_query_find_nothing(tmp_path: Path) -> None:
    assert search_notes("boiler", tmp_path) == []
    assert search_notes("\ud83d \x00 " * 3000, write(tmp_path, a="x\n")) == []


def test_the_description_for_the_model_is_one_paragraph_of_at_least_four_sentences() -> None:
    description = (inspect.getdoc(search_notes) or "").split("\n\nArgs:")[0]

    assert "\n\n" not in description
    assert description.count(". ") + description.count(".\n") >= 3
    for promise in (
        "five snippets of 200 characters",
        "two to five keywords",
        "only reads",
        "never instructions",
        "last_line",
    ):
        assert promise in " ".join(description.split())

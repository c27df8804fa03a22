"""What backs an answer: what its sentences share with what was shown, and what stands nowhere in it."""

import json
from typing import Any

import pytest

import manual_agent
from two_loops import Result, scripted_client, workspace
from two_loops.cli.outcome import show
from two_loops.samples import NOTES, WORKSPACE
from two_loops.stand_ins.script import calls, says, tool_use
from two_loops.values.backing import Backing, Source, backed
from two_loops.values.backing.dates import dates
from two_loops.values.backing.numbers import numbers
from two_loops.values.backing.quotations import names, quotations, words
from two_loops.values.backing.sentences import sentences
from two_loops.values.prose import without_citations


def history(*shown: Any) -> list[dict[str, Any]]:
    """A history in which one call brought each of these."""
    uses = [tool_use("find", f"t{number}") for number, _ in enumerate(shown)]
    results = [
        {"type": "tool_result", "tool_use_id": f"t{number}", "content": json.dumps(value)}
        for number, value in enumerate(shown)
    ]
    return [
        {"role": "user", "content": "On 1 May?"},
        {"role": "assistant", "content": uses},
        {"role": "user", "content": results},
        {"role": "assistant", "content": [{"type": "text", "text": "…"}]},
    ]


def snippet(text: str, file: str = "a.txt", line: int = 2, last_line: int = 3) -> dict[str, Any]:
    """What a search shows."""
    return {"file": file, "line": line, "last_line": last_line, "snippet": text}


def unsupported(answer: str, *shown: Any) -> list[str]:
    """What of the answer stands nowhere."""
    return [text for backing in backed(answer, ["a.txt"], history(*shown)) for text in backing.unsupported]


SAME: list[tuple[str, str]] = [
    ("12 March", "serviced on March 12th"),
    ("the 12th of March", "12 mar"),
    ("12. March", "2026-03-12"),
    ("12/03", "12.03.2026"),
    ("03/12", "12 March"),
    ("in March", "on 12 March"),
    ("in March", "in march: March"),
    ("on the 12th", "on 12 March"),
    ("on Thursday", "on Thursdays"),
    ("1,187 euros", "1187"),
    ("1187", "1.187,50 and 1’187"),  # noqa: RUF001 - a mark between thousands
    ("1187.50", "1,187.50"),
    ("1.187,50", "1’187.5"),  # noqa: RUF001
    ("2024-03-12", "12.03.2024"),
    ("1.50", "1,5"),
    ("8.40", "at 08:40"),
    ("8:05 pm", "20:05"),
    ("4%", "four percent"),
    ("40 euros", "forty"),
    ('"Serviced on 12 March"', "serviced, on: 12 MARCH"),
    ('"cre\u0300me fraîche"', "Creme Fraiche"),
    ("“first … last”", "the last and the first"),
    ("the 'grey estate'", "Car (the grey estate)"),
    ("'don't do it'", "don't do it"),
    ("«a b» „c d“", "c d a b"),
]


@pytest.mark.parametrize(("said", "shown"), SAME)
def test_what_says_the_same_is_supported(said: str, shown: str) -> None:
    assert unsupported(f"It is {said} [a.txt:2].", [snippet(shown)]) == []


OTHER: list[tuple[str, str, list[str]]] = [
    ("12 March", "12 May and 3 March", ["12 March"]),
    ("12 euros", "on 12 March", ["12"]),
    ("the 13th", "on 12 March", ["13"]),
    ("31/12", "12 March", ["31/12"]),
    ("in May", "you may", ["May"]),
    ("on Tuesday", "on Thursday", ["Tuesday"]),
    ("12 March 2025", "12 March", ["2025"]),
    ("2031-03-12", "2024-03-12", ["2031"]),
    ("12.03.2031", "12.03.2024", ["2031"]),
    ("12/03/2031", "12/03/2024", ["2031"]),
    ("1187.50", "1,187.60", ["1187.50"]),
    ("381 euros", "318", ["381"]),
    ("9.40", "940", ["9.40"]),
    ("8:05 am", "20:05", ["8:05"]),
    ('"Pay at once"', "Pay once, at noon", ['"Pay at once"']),
    ('"12 March"', "12 April, 3 March", ['"12 March"']),
    ("7, 7 and 8", "9", ["7", "7", "8"]),
    ("1" * 5000, "2", ["1" * 5000]),
]


@pytest.mark.parametrize(("said", "shown", "told"), OTHER)
def test_what_says_something_else_is_not(said: str, shown: str, told: list[str]) -> None:
    assert unsupported(f"It is {said} [a.txt:2].", [snippet(shown)]) == told


def test_neither_the_question_nor_a_citation_nor_a_failed_call_supports_anything() -> None:
    messages = history([snippet("on 3 June", "7.txt")])
    messages[2]["content"][0]["is_error"] = True

    (made,) = backed("On 1 May or 3 June at 9 [7.txt:9].", ["7.txt"], messages)

    assert (made.sources, made.unsupported) == ([], ["1 May", "3 June", "9"])


def test_each_sentence_has_the_snippets_that_it_shares_something_with() -> None:
    first, second, third = snippet("on 12 March"), snippet("by Ortiz Heating", line=7, last_line=7), snippet("Nothing.")

    made = backed(
        "It was on 12 March [a.txt:2]. So says Ortiz Heating. Good.",
        ["a.txt"],
        history([first, second], [third, first]),
    )

    march, ortiz = Source(place="a.txt:2-3", text="on 12 March"), Source(place="a.txt:7", text="by Ortiz Heating")
    assert made == [
        Backing(sentence="It was on 12 March .", sources=[march], unsupported=[]),
        Backing(sentence="So says Ortiz Heating.", sources=[ortiz], unsupported=[]),
        Backing(sentence="Good.", sources=[], unsupported=[]),
    ]


def test_a_result_without_files_is_one_piece_under_its_tools_name() -> None:
    (made,) = backed("It is 1780.", [], history({"result": "1780"}, "no 3", [[], 7]))

    assert [source.place for source in made.sources] == ["find"]
    assert made.sources[0].text == '{"result": "1780"}'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("One. Two! Three? “Four.” Five", ["One.", "Two!", "Three?", "“Four.”", "Five"]),
        ("It is 1.5 bar. no capital, e.g. this.", ["It is 1.5 bar. no capital, e.g. this."]),
        ("From it:\n1. One\n- Two\n\n(3) Three\n* 4. Four", ["From it:", "One", "Two", "Three", "Four"]),
        ("(He said.) Then", ["(He said.)", "Then"]),
        ("…\n---\n", []),
        ("", []),
    ],
)
def test_sentences(text: str, told: list[str]) -> None:
    assert sentences(text) == told


def test_dates_and_numbers_are_found_where_they_stand() -> None:
    text = "May I? On May 3, 12 March, 45 March or 13/14 at 8:40 for 1,5."

    assert [date.text for date in dates(text)] == ["May 3", "12 March", "March"]
    assert [number.text for number in numbers(text)] == ["3", "12", "45", "13", "14", "8:40", "1,5"]


def test_quotations_and_names() -> None:
    text = "The Ortiz Heating’s \"one\" and ‘it’s two’, “three … four”, '' \"!\" don't 'five'; Zürich"  # noqa: RUF001

    assert quotations(text) == ["one", "it’s two", "three", "four", "five"]  # noqa: RUF001
    assert names(text) == ["Ortiz Heating", "Zürich"]
    assert words("  ") == ""


def test_citations_are_no_words_of_an_answer() -> None:
    files = ["a.txt", "b [1].md", "u\u0308.txt"]

    made = without_citations("A [a.txt:2], B [see b [1].md, lines 3-4], C [\xfc.txt] D [7] [x.txt].", files)

    assert made == "A , B , C  D [7] [x.txt]."
    assert without_citations("A [a.txt].", []) == "A [a.txt]."


@pytest.mark.parametrize(
    "text", ["' 'a" * 20_000, '"' * 50_001, "[" * 50_000, "12 March. " * 5_000, "1." * 30_000, "«" * 50_000]
)
def test_hostile_answers_cost_no_more_than_plain_ones(text: str) -> None:
    made = backed(text, ["a.txt"], history([snippet(text)]))

    assert [source.place for backing in made for source in backing.sources][:1] in ([], ["a.txt:2-3"])


def asked(*searches: str, answer: str) -> Result:
    """A run of a scripted model over the sample notes."""
    uses = [tool_use("search_notes", f"t{number}", query=query) for number, query in enumerate(searches)]
    with scripted_client([calls(*uses), says(answer)]) as client:
        return manual_agent.ask("?", notes_dir=NOTES, client=client, log_path=None)


WRONG = "On 13 March [boiler.txt:2], at 13 [boiler.txt:2]. On 13 March."


def test_a_result_tells_what_is_unsupported_once() -> None:
    made = asked("boiler serviced", answer=WRONG)

    assert (made.status, made.unsupported) == ("ok", ["13 March", "13"])
    assert "evidence" not in made.model_dump()
    assert made.model_copy(update={"answer": None}).evidence == []


def test_what_a_workspace_read_and_calculated_supports_an_answer() -> None:
    uses = calls(
        tool_use("read_file", "t1", path="budget.txt"), tool_use("calculator", "t2", expression="1200+450+130")
    )
    with scripted_client([uses, says("Rent is 1200; all is 1780, not 1870 [budget.txt].")]) as client:
        made = manual_agent.ask("?", toolset=workspace(WORKSPACE), client=client, log_path=None)

    (backing,) = made.evidence
    assert [source.place.partition(":")[0] for source in backing.sources] == ["budget.txt", "calculator"]
    assert backing.unsupported == ["1870"]


def test_ask_tells_of_what_is_unsupported(capsys: pytest.CaptureFixture[str]) -> None:
    show(asked("boiler serviced", answer=WRONG), None, as_json=False)
    show(asked("boiler serviced", answer="On 12 March [boiler.txt:2]."), None, as_json=False)
    show(asked("boiler serviced", answer="On 13 March."), None, as_json=False)

    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith("unsupported")]
    assert told == ["unsupported: nothing that was found holds 13 March, 13"]


def test_evidence_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    show(asked("boiler serviced", answer="On 13 March; so says Ortiz [boiler.txt:2]."), None, as_json=True)

    (backing,) = json.loads(capsys.readouterr().out)["evidence"]
    assert (backing["sentence"], backing["unsupported"]) == ("On 13 March; so says Ortiz .", ["13 March"])
    assert [source["place"] for source in backing["sources"]] == ["boiler.txt:2-4"]

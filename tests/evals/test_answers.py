"""How well unsupported numbers, dates and quotations tell wrong answers from right ones: counted, not promised."""

import pytest

import manual_agent
from tests.evals.answers import RIGHT, WRONG, Answer
from two_loops import Result, offline_client, scripted_client
from two_loops.samples import NOTES, questions
from two_loops.stand_ins.script import calls, says, tool_use


def asked(answer: Answer) -> Result:
    """A run that searched so and answered so."""
    uses = [tool_use("search_notes", f"t{number}", query=query) for number, query in enumerate(answer.searched)]
    with scripted_client([calls(*uses), says(answer.text)]) as client:
        return manual_agent.ask("?", notes_dir=NOTES, client=client, log_path=None)


def test_false_alarms_on_right_answers() -> None:
    alarms = {answer.name: asked(answer).unsupported for answer in RIGHT}

    assert len(RIGHT) == 24
    assert {name: told for name, told in alarms.items() if told} == {"a sum": ["1026"], "a difference": ["26"]}


def test_misses_on_wrong_answers() -> None:
    missed = [answer.name for answer in WRONG if not asked(answer).unsupported]

    assert len(WRONG) == 24
    assert missed == [
        "another firm",
        "two things mixed up",
        "another currency",
        "denied",
        "invoices swapped",
        "another floor",
        "a number of another thing",
        "a percentage in words",
    ]


@pytest.mark.parametrize("answer", RIGHT, ids=lambda answer: answer.name)
def test_a_right_answer_would_pass_without_it(answer: Answer) -> None:
    assert asked(answer).status == "ok"


@pytest.mark.parametrize("question", questions())
def test_no_false_alarm_on_the_nine_questions(question: str) -> None:
    with offline_client() as client:
        made = manual_agent.ask(question, notes_dir=NOTES, client=client, log_path=None)

    assert made.unsupported == []

"""The nine sample questions through both agents, with the offline model: what a careful owner would accept."""

from collections.abc import Callable
from pathlib import Path

import pytest

from two_loops import Result, offline_client
from two_loops.samples import NOTES, questions

FACTS: dict[str, tuple[str, set[str]]] = {
    "When was the boiler serviced?": ("12 March", {"boiler.txt"}),
    "Who serviced the boiler?": ("Ortiz Heating", {"boiler.txt"}),
    "When does the home insurance renew?": ("1 June", {"insurance.txt"}),
    "What is my policy number?": ("paper copy", {"insurance.txt"}),
    "What is due before July?": ("1 June", {"insurance.txt", "school.txt"}),
    "When is my car tax due?": ("Not in the notes", set()),
    "What did the supplier want?": ("which invoice", {"supplier.txt"}),
    "Summarise everything about money.": ("euros", {"budget.txt"}),
    "When is the boyler service due?": ("March", {"boiler.txt"}),
}


def test_every_sample_question_has_its_facts() -> None:
    assert list(FACTS) == questions()


@pytest.mark.parametrize("question", FACTS)
def test_a_sample_question(question: str, ask: Callable[..., Result], tmp_path: Path) -> None:
    fact, files = FACTS[question]
    with offline_client() as client:
        result = ask(question, notes_dir=NOTES, client=client, log_path=tmp_path / "log.jsonl")

    assert result.answered
    assert fact in (result.answer or "")
    assert files <= {citation.file for citation in result.citations}
    assert "password" not in (result.answer or "")
    assert result.cost_usd == 0

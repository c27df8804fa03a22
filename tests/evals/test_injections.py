"""The shipped injections: a model that obeys is caught, one that is honest passes, and so does the offline one."""

import unicodedata

import pytest

from tests.both.ways import AGENTS
from tests.evals.gullible import ORDERS, Order, gullible
from two_loops import offline_client
from two_loops.evals import load_cases, run_cases
from two_loops.evals.cases import Case
from two_loops.evals.reading import SHIPPED, Cases
from two_loops.evals.scored import Scored

CASES = load_cases("injections")

# Of these nothing reaches a model: the guards take out what hides it.
TAKEN_OUT = {"tag-characters"}


def made(case: Case, agent: str, order: Order | None) -> Scored:
    """One trial with a gullible model."""
    alone = Cases(CASES.name, CASES.sha256, (case,))
    with gullible(case, order) as client:
        (trial,) = run_cases(alone, {agent: AGENTS[agent]}, client=client).scored
    return trial


def test_there_are_at_least_thirty_kinds_and_each_has_its_order() -> None:
    assert len(CASES.cases) >= 30
    assert [case.id for case in CASES.cases] == list(ORDERS)
    assert all(case.about for case in CASES.cases)


@pytest.mark.parametrize("agent", AGENTS)
def test_the_rules_catch_each_obedience(agent: str) -> None:
    trials = [made(case, agent, ORDERS[case.id]) for case in CASES.cases]

    assert {trial.case for trial in trials if trial.passed} == TAKEN_OUT
    assert [trial.error for trial in trials if trial.error] == []


@pytest.mark.parametrize("agent", AGENTS)
def test_an_honest_answer_is_never_caught(agent: str) -> None:
    trials = [made(case, agent, None) for case in CASES.cases]

    assert [(trial.case, trial.faults) for trial in trials if not trial.passed] == []


def test_the_offline_model_obeys_none() -> None:
    with offline_client() as client:
        run = run_cases(CASES, AGENTS, client=client)

    assert [(trial.case, trial.faults) for trial in run.failed] == []
    assert run.planned == 2 * len(CASES.cases)


CAUGHT_BY: dict[str, set[str]] = {
    "plain-order": {"status", "contains", "cites_exactly", "not_contains"},
    "polite-request": {"not_contains"},
    "fake-search-result": {"status", "contains", "cites_exactly", "not_contains"},
    "forged-line": {"status", "cites_exactly"},
    "say-not-in-notes": {"status", "contains", "cites_exactly"},
    "search-for-secrets": {"cites_exactly", "not_contains", "not_in_calls"},
    "send-email": {"not_calls"},
    "delete-files": {"not_calls"},
    "file-name": {"contains", "cites_exactly", "not_contains"},
    "keep-searching": {"status", "contains", "cites_exactly", "max_steps"},
}


@pytest.mark.parametrize("name", CAUGHT_BY)
def test_which_rules_catch_it(name: str) -> None:
    (case,) = [case for case in CASES.cases if case.id == name]

    trial = made(case, "manual", ORDERS[name])

    assert {fault.rule for fault in trial.faults} == CAUGHT_BY[name]


def test_the_file_hides_nothing_from_who_reads_it() -> None:
    text = (SHIPPED / "injections.toml").read_text(encoding="utf-8")

    hidden = [char for char in text if unicodedata.category(char) in ("Cf", "Cc", "Co", "Cn") and char != "\n"]
    assert hidden == []

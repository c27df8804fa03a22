"""The registry is whole: a test for every fact, a fact for every test, and a table that a README can hold."""

from tests.differences import test_bare_requests, test_bare_runner, test_bare_tools
from tests.differences.facts import DIFFERENCES, costly, table


def test_every_fact_has_a_test_and_every_test_a_fact() -> None:
    modules = (test_bare_requests, test_bare_runner, test_bare_tools)
    tests = [name for module in modules for name in vars(module) if name.startswith("test_")]

    assert tests == [f"test_{fact.key}" for fact in DIFFERENCES]


def test_the_table_has_four_cells_a_row() -> None:
    head, rule, *rows = table().splitlines()

    assert head == "| the bare runner | seen | here | test |"
    assert rule == "| --- | --- | --- | --- |"
    assert [row.split(" | ")[3] for row in rows] == [f"`{fact.key}` |" for fact in DIFFERENCES]
    assert {row.count("|") for row in rows} == {5}


def test_the_costly_ones_are_a_part_of_the_table() -> None:
    rows = costly().splitlines()

    assert [row for row in table().splitlines() if row in rows] == rows
    assert 2 < len(rows) < len(table().splitlines())


def test_every_fact_is_told_in_single_lines() -> None:
    told = [text for fact in DIFFERENCES for text in (fact.key, fact.what, fact.ours, fact.evidence)]

    assert [text for text in told if not text.strip() or text != " ".join(text.split())] == []

"""A run held against an earlier one: what counts as won, lost, changed, and as a regression."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.evals.making import run
from two_loops import WrongUse
from two_loops.evals import compare_runs
from two_loops.evals.comparing import Change, Comparison
from two_loops.evals.scored import EvalRun


def pairs(changes: Sequence[Change]) -> list[tuple[str, str]]:
    """Of which case and agent."""
    return [(change.case, change.agent) for change in changes]


def kinds(made: Comparison) -> dict[str, Any]:
    """The cases by what became of them."""
    found = {name: "".join(change.case for change in getattr(made, name)) for name in ("won", "lost", "changed")}
    return found | {"same": made.same, "regressions": "".join(change.case for change in made.regressions)}


def test_one_trial_that_passed_and_fails_is_a_regression() -> None:
    made = compare_runs(run("p", "f", "p", "f"), run("p", "p", "f", "f"))

    assert kinds(made) == {"won": "b", "lost": "c", "changed": "", "same": 2, "regressions": "c"}
    assert made.made_with == {}


@pytest.mark.parametrize(
    ("old", "new", "margin", "regression"),
    [
        ("ppppp", "ppppf", 0.2, False),
        ("ppppf", "pppff", 0.2, False),
        ("ppppp", "pppff", 0.2, True),
        ("ppppp", "ppppf", 0.0, True),
        ("pppff", "fffff", 0.6, False),
        ("ppp", "f", 0.2, True),
        ("p", "pppp", 0.2, False),
    ],
)
def test_several_trials_may_fall_by_the_margin(old: str, new: str, margin: float, regression: bool) -> None:
    made = compare_runs(run(old), run(new), margin=margin)

    assert bool(made.regressions) == regression


def test_the_offline_model_may_lose_nothing() -> None:
    made = compare_runs(run("pppppp", model="offline"), run("pppppf", model="offline"))

    assert kinds(made)["regressions"] == "a"


def test_both_agents_are_held_against_themselves() -> None:
    both = ("manual", "runner")

    made = compare_runs(run("p", "f", agents=both), run("f", "f", agents=("runner", "mine")))

    assert pairs(made.lost) == [("a", "runner")]
    assert made.missing == (("a", "manual"), ("b", "manual"))
    assert made.added == (("a", "mine"), ("b", "mine"))
    assert made.made_with == {"list of agents": (["manual", "runner"], ["runner", "mine"])}


@pytest.mark.parametrize(
    ("fields", "differs"),
    [
        ({"answer": "So."}, ("answer",)),
        ({"steps": 3}, ("steps",)),
        ({"cost_usd": None}, ("cost",)),
        ({"run_id": "x"}, ()),
    ],
)
def test_what_differs_in_a_case_that_passes_both_times(fields: dict[str, Any], differs: tuple[str, ...]) -> None:
    made = compare_runs(run("p"), run("p", **fields))

    assert [change.differs for change in made.changed] == ([differs] if differs else [])
    assert made.same == (not differs)


def test_what_the_runs_were_made_with_is_told() -> None:
    old = run("p")
    other = {"system_sha256": "x", "tools_sha256": "x", "version": "x", "sdk_version": "x", "model": "x"}

    made = compare_runs(old, replace(old, header=old.header.model_copy(update=other)))

    assert made.made_with == {
        "model": ("m", "x"),
        "prompt": ("s", "x"),
        "tools": ("t", "x"),
        "version of two-loops": ("1", "x"),
        "version of anthropic": ("2", "x"),
    }


def test_a_trial_that_was_not_made_is_missing() -> None:
    new = run("p", "-")

    made = compare_runs(run("p", "p"), new)

    assert (made.missing, made.regressions) == ((("b", "manual"),), ())
    assert isinstance(new, EvalRun)


@pytest.mark.parametrize("margin", [-0.1, 1.1, float("nan")])
def test_a_margin_that_is_none(margin: float) -> None:
    with pytest.raises(WrongUse, match="margin must be a share from 0 to 1"):
        compare_runs(run("p"), run("p"), margin=margin)

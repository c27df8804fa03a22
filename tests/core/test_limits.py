"""The limits' own rules."""

from typing import Any

import pytest

from two_loops import Limits, WrongUse


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"max_steps": 0}, "max_steps must be a whole number of 1 or more, not 0"),
        ({"max_steps": None}, "max_steps must be a whole number of 1 or more, not None"),
        ({"max_steps": True}, "max_steps must be a whole number of 1 or more, not True"),
        ({"max_steps": 2.0}, "max_steps must be a whole number of 1 or more, not 2.0"),
        ({"max_tool_calls": -1}, "max_tool_calls must be a whole number of 1 or more, not -1"),
        ({"max_total_tokens": "9"}, "max_total_tokens must be a whole number of 1 or more, not '9'"),
        ({"max_cost_usd": 0}, "max_cost_usd must be a finite number above 0, not 0"),
        ({"max_cost_usd": float("nan")}, "max_cost_usd must be a finite number above 0, not nan"),
        ({"max_seconds": float("inf")}, "max_seconds must be a finite number above 0, not inf"),
        ({"max_seconds": 10**400}, f"max_seconds must be a finite number above 0, not {10**400}"),
        ({"max_seconds": -1.5}, "max_seconds must be a finite number above 0, not -1.5"),
        ({"max_seconds": True}, "max_seconds must be a finite number above 0, not True"),
        ({"max_seconds": "60"}, "max_seconds must be a finite number above 0, not '60'"),
        ({"answer_at_limit": 1}, "answer_at_limit must be True or False, not 1"),
    ],
)
def test_wrong_limits(wrong: dict[str, Any], told: str) -> None:
    with pytest.raises(WrongUse) as made:
        Limits(**wrong)
    with pytest.raises(WrongUse) as replaced:
        Limits().replace(**wrong)

    assert str(made.value) == told
    assert str(replaced.value) == told


def test_replacing_changes_only_what_it_names() -> None:
    assert Limits(max_steps=3, max_cost_usd=1).replace(max_cost_usd=0.5) == Limits(max_steps=3, max_cost_usd=0.5)


def test_a_limit_that_does_not_exist() -> None:
    with pytest.raises(WrongUse, match="no such limit: max_euros"):
        Limits().replace(max_euros=3)


def test_limits_are_frozen() -> None:
    with pytest.raises(AttributeError):
        Limits().max_steps = 7  # type: ignore[misc]

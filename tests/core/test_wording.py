"""Numbers with their nouns, and places in files."""

import pytest

from two_loops.guards import BEFORE_CALLS, BEFORE_REQUEST
from two_loops.values.limits import Limits
from two_loops.values.spent import Spent
from two_loops.wording import counted, place


@pytest.mark.parametrize(("number", "told"), [(0, "0 steps"), (1, "1 step"), (2, "2 steps"), (1200, "1200 steps")])
def test_a_noun_is_in_the_plural_but_for_one(number: int, told: str) -> None:
    assert counted(number, "step") == told


def test_guards_count_in_good_english() -> None:
    limits = Limits(max_steps=1, max_tool_calls=1, max_total_tokens=1)
    spent = Spent(steps=1, tool_calls=1, tokens=1, cost_usd=None, seconds=0.0)

    assert BEFORE_REQUEST["step_limit"](limits, spent) == "1 of 1 model call made"
    assert BEFORE_REQUEST["token_limit"](limits, spent) == "1 of 1 token used"
    assert BEFORE_CALLS["tool_call_limit"](limits, spent, 1) == "1 more after 1 would pass the limit of 1 tool call"


@pytest.mark.parametrize(
    ("line", "last_line", "told"), [(None, None, "a.txt"), (2, None, "a.txt:2"), (2, 2, "a.txt:2"), (2, 4, "a.txt:2-4")]
)
def test_a_place_names_its_lines(line: int | None, last_line: int | None, told: str) -> None:
    assert place("a.txt", line, last_line) == told

"""Each guard, on both agents: the status, what ran, how many requests, what the model read, and the log."""

from collections.abc import Callable

import pytest

from tests.both.guard_cases import GUARD_CASES, GuardCase
from tests.both.trial import Conversation, Trial

Try = Callable[[Conversation], Trial]


@pytest.mark.parametrize("case", GUARD_CASES, ids=str)
def test_guard(case: GuardCase, trial: Try) -> None:
    made = trial(case.conversation)

    assert made.error is None
    assert made.outcome.status == case.status
    assert made.ran == list(case.ran)
    assert len(made.requests) == case.requests
    assert made.answers == list(case.answers)
    assert made.story == case.story

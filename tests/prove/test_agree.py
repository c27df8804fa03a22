"""Any conversation at all: both agents do the same in every way, and what holds in each run holds here."""

from dataclasses import replace

import pytest

from tests.both.test_mutations import MUTANTS, mutated
from tests.both.ways import WAYS, pair
from tests.prove.proving import prove

SHARES, CONVERSATIONS = 10, 50  # in each share; ``make prove`` tries many more


@pytest.mark.parametrize("share", range(SHARES))
def test_every_property_holds_in_generated_conversations(share: int) -> None:
    reached = prove(CONVERSATIONS, start=share)

    assert reached["conversations", ""] == CONVERSATIONS
    assert [reached["runs", way] for way in WAYS] == [CONVERSATIONS] * len(WAYS)


@pytest.mark.parametrize(
    ("agent", "moment"),
    [("manual", "before_calls"), ("manual", "closing_words"), ("runner", "this_turn"), ("runner", "carried")],
)
def test_a_loop_without_one_moment_breaks_a_property(agent: str, moment: str) -> None:
    mutant = mutated(agent, *MUTANTS[agent][moment])
    ways = {str(way): replace(way, other=mutant if way.agent == agent else None) for way in pair("plain")}

    with pytest.raises(AssertionError) as broken:
        prove(300, start=1, ways=ways, shrink=False)

    assert broken.value.__notes__[0].startswith("The property ")

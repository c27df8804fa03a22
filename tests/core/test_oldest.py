"""The oldest releases that are tested are the ones that are allowed."""

import pytest

from tests.oldest import PROJECT, oldest


def test_each_dependency_names_its_oldest_release() -> None:
    pinned = oldest(PROJECT.read_text())

    assert "anthropic==2.2" in pinned
    assert len(pinned) == 6


def test_a_dependency_without_a_floor_is_an_error() -> None:
    with pytest.raises(ValueError, match="rich does not name its oldest release"):
        oldest('[project]\ndependencies = ["rich"]')

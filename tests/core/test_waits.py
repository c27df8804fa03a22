"""A coroutine that never waits has its result at once; one that would wait is an error, and is closed."""

import asyncio

import pytest

from two_loops.run.waits import at_once


async def inner() -> int:
    """Waits for nothing."""
    return 7


async def outer() -> int:
    """Waits for what waits for nothing."""
    return await inner() + await inner()


def test_what_never_waits_has_its_result_at_once() -> None:
    assert at_once(outer()) == 14


def test_what_it_raises_passes_through() -> None:
    async def failing() -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        at_once(failing())


def test_what_would_wait_is_an_error() -> None:
    closed: list[str] = []

    async def waiting() -> None:
        try:
            await asyncio.sleep(0)
        finally:
            closed.append("closed")

    with pytest.raises(RuntimeError, match="had to wait"):
        at_once(waiting())

    assert closed == ["closed"]

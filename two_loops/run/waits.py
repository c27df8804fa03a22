"""What a call waits for, a person's yes and the tool itself: by blocking, or on an event loop."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from threading import Lock
from typing import Any, Protocol, TypeVar

from two_loops.errors import WrongUse
from two_loops.guards.approval import ApproveAsync, asked, waited_for
from two_loops.values.call import Call

T = TypeVar("T")


class Waits(Protocol):
    """How a run waits."""

    async def ask(self, approve: ApproveAsync | None, call: Call) -> object:
        """What the asker says to the call."""

    async def use(self, tools: Sequence[Callable[[], T]]) -> list[T]:
        """What the tools bring, in their order; several work at the same time."""


class Blocking:
    """Calls the function and has its result: nothing here gives way to others."""

    async def ask(self, approve: ApproveAsync | None, call: Call) -> object:
        """What the asker says; one that would have to be waited for says no."""
        return asked(approve, call)

    async def use(self, tools: Sequence[Callable[[], T]]) -> list[T]:
        """What the tools bring, in their order; several work at the same time, in threads."""
        if len(tools) == 1:
            return [tools[0]()]
        with ThreadPoolExecutor(len(tools)) as pool:
            working = [pool.submit(copy_context().run, tool) for tool in tools]
        return [future.result() for future in working]


class OnEventLoop:
    """Lets others work meanwhile: an asker may be a coroutine function, and a tool runs in a thread."""

    async def ask(self, approve: ApproveAsync | None, call: Call) -> object:
        """What the asker says, now or later."""
        return await waited_for(asked(approve, call))

    async def use(self, tools: Sequence[Callable[[], T]]) -> list[T]:
        """What the tools bring, in their order; several work at the same time.

        A run that is cancelled before a thread took a tool never starts it; it is cancelled here where that is true of
        all of them. One that is cancelled later, however often, still learns what those that began bring, as a thread
        can't be stopped, and is cancelled at its next wait.
        """
        await asyncio.sleep(0)
        loop, claims = asyncio.get_running_loop(), [Lock() for _ in tools]
        working = [
            loop.run_in_executor(None, copy_context().run, _claimed, claim, tool)
            for claim, tool in zip(claims, tools, strict=True)
        ]
        cancelled = None
        while not all(future.done() for future in working):
            try:
                await asyncio.wait(working)
            except asyncio.CancelledError as error:
                working = working[: _begun(claims)] if cancelled is None else working
                if not working:
                    raise
                cancelled = error
        if cancelled is not None:
            _cancel_at_the_next_wait(cancelled)
        return [future.result() for future in working]  # type: ignore[misc]  # None only where the run gave up


def _begun(claims: Sequence[Lock]) -> int:
    """How many tools threads have taken, in their order; the others are given up."""
    for place in reversed(range(len(claims))):
        if not claims[place].acquire(blocking=False):
            return place + 1  # threads take them in their order, so those before it are taken, too
    return 0


def _claimed(claim: Lock, tool: Callable[[], T]) -> T | None:
    return tool() if claim.acquire(blocking=False) else None


def _cancel_at_the_next_wait(cancelled: asyncio.CancelledError) -> None:
    if (task := asyncio.current_task()) is not None:
        task.uncancel()  # as many requests to cancel as before, which time-outs count
        task.cancel(*cancelled.args)


def require_event_loop() -> None:
    """Raise WrongUse where no event loop of asyncio runs."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        raise WrongUse("ask_async() needs asyncio's event loop; elsewhere, run ask() in a thread") from None


def at_once(coroutine: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that never has to wait."""
    try:
        coroutine.send(None)
    except StopIteration as finished:
        result: T = finished.value
        return result
    coroutine.close()
    raise RuntimeError(f"{coroutine} had to wait")

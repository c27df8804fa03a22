"""What a call waits for, a person's yes and the tool itself: by blocking, or on an event loop."""

import asyncio
from collections.abc import Callable, Coroutine
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

    async def use(self, tool: Callable[[], T]) -> T:
        """What the tool brings."""


class Blocking:
    """Calls the function and has its result: nothing here gives way to others."""

    async def ask(self, approve: ApproveAsync | None, call: Call) -> object:
        """What the asker says; one that would have to be waited for says no."""
        return asked(approve, call)

    async def use(self, tool: Callable[[], T]) -> T:
        """What the tool brings."""
        return tool()


class OnEventLoop:
    """Lets others work meanwhile: an asker may be a coroutine function, and a tool runs in a thread."""

    async def ask(self, approve: ApproveAsync | None, call: Call) -> object:
        """What the asker says, now or later."""
        return await waited_for(asked(approve, call))

    async def use(self, tool: Callable[[], T]) -> T:
        """What the tool brings.

        A run that is cancelled before a thread took the tool never starts it. One that is cancelled later, however
        often, still learns what the tool brings, as a thread can't be stopped, and is cancelled at its next wait.
        """
        await asyncio.sleep(0)
        claim = Lock()  # held by the thread, or by the run that gave up before
        working = asyncio.get_running_loop().run_in_executor(None, copy_context().run, _claimed, claim, tool)
        cancelled = None
        while not working.done():
            try:
                await asyncio.wait([working])
            except asyncio.CancelledError as error:
                if claim.acquire(blocking=False):
                    raise
                cancelled = error
        if cancelled is not None:
            _cancel_at_the_next_wait(cancelled)
        return working.result()  # type: ignore[return-value]  # None only where the run gave up


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

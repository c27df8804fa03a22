"""What a call waits for, a person's yes and the tool itself: by blocking, or on an event loop."""

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import copy_context
from typing import Any, Protocol, TypeVar

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
        """What the tool brings. A run that is cancelled meanwhile still learns it: a thread can't be stopped."""
        working = asyncio.get_running_loop().run_in_executor(None, copy_context().run, tool)
        try:
            return await asyncio.shield(working)
        except asyncio.CancelledError:
            await asyncio.wait([working])
            _cancel_at_the_next_wait()
            return working.result()


def _cancel_at_the_next_wait() -> None:
    if (task := asyncio.current_task()) is not None:
        task.uncancel()  # as many requests to cancel as before, which time-outs count
        task.cancel()


def at_once(coroutine: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that never has to wait."""
    try:
        coroutine.send(None)
    except StopIteration as finished:
        result: T = finished.value
        return result
    coroutine.close()
    raise RuntimeError(f"{coroutine} had to wait")

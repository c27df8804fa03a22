"""What a call waits for, a person's yes and the tool itself: by blocking, or on an event loop."""

import asyncio
import signal
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from itertools import takewhile
from threading import Event, Lock
from typing import Any, Protocol, TypeVar

from two_loops.errors import WrongUse
from two_loops.guards.approval import ApproveAsync, asked, waited_for
from two_loops.values.call import Call

T = TypeVar("T")
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # those for which a program may raise an exception


class Waits(Protocol):
    """How a run waits."""

    async def ask(self, approve: ApproveAsync | None, call: Call) -> object:
        """What the asker says to the call."""

    async def use(self, tools: Sequence[Callable[[], T]]) -> list[T]:
        """What the tools bring, in their order, up to the first that raised; several work at the same time."""

    async def settle(self) -> None:
        """Raise what happened while several tools worked, once what they brought is kept."""


class Blocking:
    """Calls the function and has its result: nothing here gives way to others."""

    def __init__(self) -> None:
        self._held: BaseException | None = None

    async def ask(self, approve: ApproveAsync | None, call: Call) -> object:
        """What the asker says; one that would have to be waited for says no."""
        return asked(approve, call)

    async def use(self, tools: Sequence[Callable[[], T]]) -> list[T]:
        """What the tools bring, in their order, up to the first that raised.

        Several work at the same time, in threads, which can't be stopped: Ctrl-C, or what else a signal raises, is held
        back until all are done.
        """
        if len(tools) == 1:
            return [tools[0]()]
        done: dict[int, T] = {}
        raised: dict[int, BaseException] = {}
        over = Event()

        def work(place: int) -> None:
            try:
                done[place] = tools[place]()
            except BaseException as error:  # noqa: BLE001  # raised once what the tools bring is kept
                raised[place] = error
            if len(done) + len(raised) == len(tools):
                over.set()

        self._start(work, len(tools))
        while self._holding(over.wait):
            pass
        self._held = self._held or next(iter(raised.values()), None)
        return [done[place] for place in takewhile(done.__contains__, range(len(tools)))]

    def _start(self, work: Callable[[int], None], times: int) -> None:
        """Start that many threads; a signal that comes meanwhile has to wait."""
        pool = ThreadPoolExecutor(times)
        before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
        try:
            for place in range(times):
                pool.submit(copy_context().run, work, place)
        finally:
            self._holding(lambda: signal.pthread_sigmask(signal.SIG_SETMASK, before))
            pool.shutdown(wait=False)

    def _holding(self, act: Callable[[], object]) -> bool:
        """Act, and hold back what comes in between. Returns whether something did."""
        try:
            act()
        except BaseException as error:  # noqa: BLE001  # raised once what the tools bring is kept
            self._held = error
            return True
        return False

    async def settle(self) -> None:
        """Raise what was held back."""
        if self._held is not None:
            raise self._held


class OnEventLoop:
    """Lets others work meanwhile: an asker may be a coroutine function, and a tool runs in a thread."""

    def __init__(self) -> None:
        self._held: BaseException | None = None

    async def ask(self, approve: ApproveAsync | None, call: Call) -> object:
        """What the asker says, now or later."""
        return await waited_for(asked(approve, call))

    async def use(self, tools: Sequence[Callable[[], T]]) -> list[T]:
        """What the tools bring, in their order, up to the first that raised; several work at the same time.

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
        brought, self._held = _brought(working)
        return brought  # type: ignore[return-value]  # None only where the run gave up

    async def settle(self) -> None:
        """Raise what a tool raised; a run that was cancelled meanwhile goes no further."""
        if self._held is not None:
            raise self._held
        await asyncio.sleep(0)


def _brought(working: Sequence[asyncio.Future[T]]) -> tuple[list[T], BaseException | None]:
    """What came of the tools up to the first that raised, and what that one raised."""
    brought: list[T] = []
    for future in working:
        if (error := future.exception()) is not None:
            return brought, error
        brought.append(future.result())
    return brought, None


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

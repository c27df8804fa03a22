"""A run as its loop sees it: every moment, and the parts of a run that wait, by blocking or on an event loop."""

from typing import TYPE_CHECKING, Any

from two_loops.replies import read
from two_loops.run.ending import Message
from two_loops.run.moments import Moments
from two_loops.run.streams import adding_up
from two_loops.run.waits import Blocking, OnEventLoop, at_once
from two_loops.values.call import Call
from two_loops.values.reply import Reply

if TYPE_CHECKING:
    from anthropic import Anthropic, AsyncAnthropic


class Run(Moments):
    """A run that blocks."""

    client: "Anthropic"

    def read(self, answer: Any) -> Reply:
        """The reply. A stream is read to its end, and its text told as it comes."""
        if not self.streaming:
            return read(answer)
        with adding_up(answer) as stream:
            listener = self._listener()
            with listener.listening():
                for event in stream:
                    listener.hear(event)
        return listener.heard(stream)

    def answer(self, call: Call) -> Message:
        """Answer one call: a guard's refusal, or what the tool returned. A stopped run answers none any more."""
        place = self._calls.place(call)
        if self._is_open(place):
            self._answer(place)
        return self._calls.result(place, self._stopped_by())

    def answer_next(self) -> Message:
        """Answer the next call of the reply, for a loop that swallows exceptions: one waits for the next request."""
        place = self._calls.next()
        if self._held_back is None and self._is_open(place):
            try:
                self._answer(place)
            except Exception as error:  # noqa: BLE001  # raised again before the next request
                self._held_back = error
        return self._calls.result(place, self._stopped_by())

    def _answer(self, place: int) -> None:
        waits = Blocking()
        self._record(place, at_once(self._calls.made(place, waits)))
        at_once(waits.settle())


class AsyncRun(Moments):
    """A run on an event loop."""

    client: "AsyncAnthropic"

    async def read(self, answer: Any) -> Reply:
        """The reply. A stream is read to its end, and its text told as it comes."""
        if not self.streaming:
            return read(answer)
        async with adding_up(answer) as stream:
            listener = self._listener()
            with listener.listening():
                async for event in stream:
                    listener.hear(event)
        return listener.heard(stream)

    async def answer(self, call: Call) -> Message:
        """Answer one call: a guard's refusal, or what the tool returned. A stopped run answers none any more."""
        place = self._calls.place(call)
        if self._is_open(place):
            await self._answer(place)
        return self._calls.result(place, self._stopped_by())

    async def answer_next(self) -> Message:
        """Answer the next call of the reply, for a loop that swallows exceptions: one waits for the next request."""
        place = self._calls.next()
        if self._held_back is None and self._is_open(place):
            try:
                await self._answer(place)
            except Exception as error:  # noqa: BLE001  # raised again before the next request
                self._held_back = error
        return self._calls.result(place, self._stopped_by())

    async def _answer(self, place: int) -> None:
        waits = OnEventLoop()
        self._record(place, await self._calls.made(place, waits))
        await waits.settle()

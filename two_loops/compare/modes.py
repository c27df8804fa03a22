"""The ways to ask an agent: blocking or on an event loop, with whole replies or streamed ones."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from typing import Any, NamedTuple

from two_loops.stand_ins import async_offline_client, async_scripted_client, offline_client, scripted_client
from two_loops.values.result import Result


class Mode(NamedTuple):
    """waits: on an event loop. streamed: the replies come as streams."""

    waits: bool
    streamed: bool

    def ask(self, agent: Any, question: str, *, client: Any = None, **options: Any) -> Result:
        """Ask an agent: anything with an ``ask`` and an ``ask_async``. A client on an event loop is closed with it."""
        options = {"client": client} | ({"stream": True} if self.streamed else {}) | options
        if not self.waits:
            result: Result = agent.ask(question, **options)
            return result
        asked = asyncio.run(_asked(agent.ask_async, question, **options))
        if isinstance(asked, BaseException):
            raise asked
        return asked

    def client(self, replies: Iterable[Any] | None, **options: Any) -> Any:
        """The stand-in for a model that this mode takes: a script's, or without replies the offline model's."""
        if replies is None:
            return async_offline_client(**options) if self.waits else offline_client(**options)
        return async_scripted_client(replies, **options) if self.waits else scripted_client(replies, **options)

    @contextmanager
    def opened(self, replies: Iterable[Any] | None, **options: Any) -> Iterator[Any]:
        """Such a client, closed at the end where no event loop closes it."""
        client = self.client(replies, **options)
        with nullcontext() if self.waits else client:
            yield client


async def _asked(ask: Callable[..., Any], question: str, **options: Any) -> Result | BaseException:
    """The result or the exception, as asyncio itself can't pass on every exception."""
    async with options["client"] or nullcontext():
        try:
            result: Result = await ask(question, **options)
        except asyncio.CancelledError:
            raise  # of which asyncio makes Ctrl-C again
        except BaseException as error:  # noqa: BLE001
            return error
        return result


PLAIN = Mode(waits=False, streamed=False)
MODES: Mapping[str, Mode] = {
    "plain": PLAIN,
    "streamed": Mode(waits=False, streamed=True),
    "async": Mode(waits=True, streamed=False),
    "async-streamed": Mode(waits=True, streamed=True),
}

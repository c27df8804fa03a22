"""Every way to ask: two agents, blocking or on an event loop, with whole replies or streamed ones."""

import asyncio
from collections.abc import Iterable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from two_loops import Result, async_scripted_client, scripted_client
from two_loops.agent import Agent


@dataclass(frozen=True)
class Way:
    """Called like an agent's ``ask``, whichever way it asks."""

    agent: str
    waits: bool
    streamed: bool
    other: Agent | None = None  # asks in place of the agent of that name

    def __str__(self) -> str:
        return "-".join([self.agent, *["async"] * self.waits, *["streamed"] * self.streamed])

    def __call__(self, question: str, *, client: Any = None, **options: Any) -> Result:
        """Ask. A client on an event loop is closed with it."""
        options = {"client": client} | ({"stream": True} if self.streamed else {}) | options
        if not self.waits:
            result: Result = self.module.ask(question, **options)
            return result
        asked = asyncio.run(self._asked(question, **options))
        if isinstance(asked, BaseException):
            raise asked
        return asked

    async def _asked(self, question: str, **options: Any) -> Result | BaseException:
        """The result or the exception, as asyncio itself can't pass on every exception."""
        async with options["client"] or nullcontext():
            try:
                result: Result = await self.module.ask_async(question, **options)
            except BaseException as error:  # noqa: BLE001
                return error
            return result

    @property
    def module(self) -> Any:
        """The agent's package."""
        return self.other or import_module(f"{self.agent}_agent")

    def client(self, replies: Iterable[Any], **options: Any) -> Any:
        """The scripted client that this way takes."""
        return async_scripted_client(replies, **options) if self.waits else scripted_client(replies, **options)


MODES: Mapping[str, tuple[bool, bool]] = {
    "plain": (False, False),
    "streamed": (False, True),
    "async": (True, False),
    "async-streamed": (True, True),
}
AGENTS = {name: Way(name, False, False) for name in ("manual", "runner")}
WAYS = {str(way): way for way in (Way(agent, *mode) for mode in MODES.values() for agent in AGENTS)}


def pair(mode: str) -> tuple[Way, Way]:
    """The manual and the runner way of one mode."""
    manual, runner = (Way(agent, *MODES[mode]) for agent in AGENTS)
    return manual, runner

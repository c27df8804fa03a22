"""Every way to ask: two agents, blocking or on an event loop, with whole replies or streamed ones."""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from two_loops import Result
from two_loops.agent import Agent
from two_loops.compare.modes import MODES as MODES
from two_loops.compare.modes import Mode


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
        return self._mode.ask(self.module, question, client=client, **options)

    @property
    def _mode(self) -> Mode:
        return Mode(self.waits, self.streamed)

    @property
    def module(self) -> Any:
        """The agent's package."""
        return self.other or import_module(f"{self.agent}_agent")

    def client(self, replies: Iterable[Any], **options: Any) -> Any:
        """The scripted client that this way takes."""
        return self._mode.client(replies, **options)


AGENTS = {name: Way(name, False, False) for name in ("manual", "runner")}
WAYS = {str(way): way for way in (Way(agent, *mode) for mode in MODES.values() for agent in AGENTS)}


def pair(mode: str) -> tuple[Way, Way]:
    """The manual and the runner way of one mode."""
    manual, runner = (Way(agent, *MODES[mode]) for agent in AGENTS)
    return manual, runner

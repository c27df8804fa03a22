"""One question asked through one agent, with all of it that can be compared."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_args

from two_loops.compare.watching import watched
from two_loops.errors import WrongUse
from two_loops.toolsets.toolset import Toolset
from two_loops.values.events import Event
from two_loops.values.result import Result


@dataclass(frozen=True)
class Sent:
    """A request went out. body: its JSON."""

    body: dict[str, Any]


@dataclass(frozen=True)
class Ran:
    """A tool really ran."""

    tool: str
    arguments: dict[str, Any]


Moment = Event | Sent | Ran


@dataclass(frozen=True)
class Playing:
    """What came of a question.

    result: the unfinished one where ``error``, an exception, ended the run. moments: in their order, what the run
    reported, the requests that a stand-in received, and the calls that ran.
    """

    result: Result
    error: Exception | None
    moments: list[Moment]

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The body of each request that a stand-in received."""
        return [moment.body for moment in self.moments if isinstance(moment, Sent)]

    @property
    def ran(self) -> list[Ran]:
        """The calls that ran."""
        return [moment for moment in self.moments if isinstance(moment, Ran)]

    @property
    def events(self) -> list[Event]:
        """What the run reported."""
        return [moment for moment in self.moments if isinstance(moment, get_args(Event))]


class Recording:
    """Hears of one run. also: a listener of the caller's own for its events."""

    def __init__(self, also: Callable[[Event], object] | None = None) -> None:
        self.moments: list[Moment] = []
        self._also = also

    def heard(self, event: Event) -> None:
        """An event, as ``on_event`` receives it."""
        self.moments.append(event)
        if self._also is not None:
            self._also(event)

    def sent(self, body: dict[str, Any]) -> None:
        """A request, as a stand-in's ``on_request`` receives it."""
        self.moments.append(Sent(body))

    def ran(self, tool: str, arguments: dict[str, Any]) -> None:
        """A call, as ``watched`` tells of it."""
        self.moments.append(Ran(tool, arguments))


def play(
    ask: Callable[..., Result], question: str, recording: Recording, *, toolset: Toolset, **options: Any
) -> Playing:
    """Ask; ``options`` are those of an agent's ``ask``. An exception that ends a run which began is part of it."""
    watching = watched(toolset, recording.ran)
    try:
        result = ask(question, toolset=watching, on_event=recording.heard, **options)
    except WrongUse:
        raise
    except Exception as error:
        partial = getattr(error, "partial", None)
        if not isinstance(partial, Result):
            raise
        return Playing(partial, error, recording.moments)
    return Playing(result, None, recording.moments)

"""One line on a terminal that says what a run is doing: step, search, money."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.status import Status
from rich.text import Text

from two_loops.cli.screen import arguments, cut, status_line
from two_loops.text import visible
from two_loops.values.events import Event, ModelCalled, ModelRequested, ToolCalled
from two_loops.wording import dollars

SHOWN = 70  # characters of what a tool is asked


@contextmanager
def progress(*, wanted: bool) -> Iterator["Progress"]:
    """Show the line while the run goes on, where standard error is a terminal and it is wanted."""
    with status_line(wanted=wanted) as status:
        yield Progress(status)


class Progress:
    """Listens to a run's events and keeps the line up to date."""

    def __init__(self, status: Status | None) -> None:
        self._status = status
        self._spent = 0.0

    def __call__(self, event: Event) -> None:
        """Take note of one event."""
        if isinstance(event, ModelCalled):
            self._spent += event.cost_usd or 0.0
        if (words := self.words(event)) is not None:
            self.say(words)

    def say(self, words: str) -> None:
        """Show words of our own."""
        if self._status is not None:
            self._status.update(Text(words))
            self._status.start()

    def pause(self) -> None:
        """Take the line away until the next event."""
        if self._status is not None:
            self._status.stop()

    def words(self, event: Event) -> str | None:
        """The line for an event; None where it stays as it is."""
        if isinstance(event, ModelRequested):
            return f"step {event.step}: waiting for the model (spent {dollars(self._spent)})"
        if isinstance(event, ModelCalled) and event.stop_reason == "tool_use":
            return f"step {event.step}: waiting for the tools (spent {dollars(self._spent)})"
        if isinstance(event, ToolCalled):
            return f"step {event.step}: {visible(cut(event.tool, 40))} {visible(cut(arguments(event.input), SHOWN))}"
        return None

"""What the command line hears of a run: that it really begins, how it goes on, and why a guard ended it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from two_loops.cli.progress import Progress, progress
from two_loops.cli.screen import say
from two_loops.values.events import Event, GuardActed, QuestionAsked


@contextmanager
def following(notices: Sequence[str], *, lively: bool) -> Iterator["Follower"]:
    """A listener for one run. notices: said once nothing can be refused any more. lively: show a line of progress."""
    with progress(wanted=lively) as line:
        yield Follower(notices, line)


class Follower:
    """Listens to a run's events. line: of progress. stopped: the guard that ended the run, None as long as none did."""

    def __init__(self, notices: Sequence[str], line: Progress) -> None:
        self._notices = notices
        self.line = line
        self.stopped: GuardActed | None = None

    def __call__(self, event: Event) -> None:
        """Take note of one event."""
        if isinstance(event, QuestionAsked):  # all is checked, and nothing was sent yet
            for notice in self._notices:
                say(notice, error=True)
        if isinstance(event, GuardActed) and event.outcome == "stopped":
            self.stopped = event
        self.line(event)

    def pause(self) -> None:
        """Take the line of progress away until the next event, so that a question can stand in its place."""
        self.line.pause()

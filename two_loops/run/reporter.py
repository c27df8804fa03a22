"""Tells the log, and the caller who wants to follow, what happens in a run."""

from collections.abc import Callable

from two_loops.errors import WrongUse
from two_loops.log import Log
from two_loops.values.events import Event, Logged

OnEvent = Callable[[Event], object]


class Reporter:
    """Writes each event to the log, then hands it to the caller's ``on_event``.

    Until money is at stake a log that can't be written is an error; from then on it is a warning in the result.
    """

    def __init__(self, log: Log | None, on_event: OnEvent | None) -> None:
        self._log = log
        self._on_event = on_event
        self._raised: BaseException | None = None
        self._money_at_stake = False
        self._log_failed = False
        self.warnings: list[str] = []

    def emit(self, *made: Callable[[], Logged]) -> None:
        """Report events that belong together: all are in the log before ``on_event`` hears of the first.

        They are made only where somebody listens. What the caller's ``on_event`` raises passes through, and it is not
        called again.
        """
        if self._log is None and self._on_event is None:
            return
        events = [make() for make in made]
        for event in events:
            self._write(event)
        for event in events:
            self.tell(event)

    def tell(self, event: Event) -> None:
        """Tell the caller's ``on_event`` alone of what no log needs."""
        if self._on_event is None:
            return
        try:
            self._on_event(event)
        except BaseException as error:
            self._on_event, self._raised = None, error
            raise

    def raised_by_listener(self, error: BaseException) -> bool:
        """Whether the exception is the one that ``on_event`` raised."""
        return error is self._raised

    def _write(self, event: Logged) -> None:
        if self._log is None:
            return
        try:
            self._log.write(event)
        except OSError as error:
            if not self._money_at_stake:
                raise WrongUse(f"the log can't be written: {error.strerror or error}") from error
            self._warn_of_log(error)

    def money_at_stake(self) -> None:
        """From now on the run must not be lost over its log."""
        self._money_at_stake = True

    def warn(self, text: str) -> None:
        """Keep a warning for the result, once."""
        if text not in self.warnings:
            self.warnings.append(text)

    def _warn_of_log(self, error: OSError) -> None:
        if not self._log_failed:
            self.warn(f"the log is not complete: {error.strerror or error}")
        self._log_failed = True

    def close(self) -> None:
        """Close the log. A failure of it is a warning, as money may have been spent."""
        log, self._log = self._log, None
        if log is None:
            return
        try:
            log.close()
        except OSError as error:
            self._warn_of_log(error)

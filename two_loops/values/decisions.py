"""What a guard can decide: refuse one call, or stop the run. There is no third outcome."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Refused:
    """One call does not run (or did not succeed); the run goes on.

    guard: the guard's name. text: the error result that the model reads.
    why: a short reason that holds no content of notes, inputs or answers. detail: what only the log may hold.
    """

    guard: str
    text: str
    why: str
    detail: str | None = None


@dataclass(frozen=True)
class Stopped:
    """The run ends.

    guard: the guard's name. status: the result's status. why: a short reason without content.
    detail: what a log without content leaves out.
    """

    guard: str
    status: str
    why: str
    detail: str | None = None

"""One tool call that a model asked for, and what a person may say to it."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Call:
    """A ``tool_use`` block: the tool's name and input as the model wrote them, and the id that its result must carry.

    ``input`` should be an object that names the arguments, but a model or a server can send any JSON value.
    ``toolset_name`` is set where the model addressed a server-defined toolset, which no agent here has.
    """

    tool: str
    input: Any
    id: str
    toolset_name: str | None = None


@dataclass(frozen=True)
class Approved:
    """The asker's yes to one risky call. by: who or what decided, for the log."""

    by: str = ""


@dataclass(frozen=True)
class Denied:
    """The asker's no to one risky call; the model reads the reason. by: who or what decided, for the log."""

    reason: str = ""
    by: str = ""

"""What an agent runs with."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field

from two_loops.citations import judge
from two_loops.errors import WrongUse
from two_loops.toolsets.definition import check_described
from two_loops.toolsets.tool import Tool
from two_loops.values.citation import Citation
from two_loops.values.evidence import Evidence
from two_loops.values.limits import Limits, require_count

Judge = Callable[[str, Evidence], tuple[str, list[Citation]]]


@dataclass(frozen=True, kw_only=True)
class Toolset:
    """Tools, and everything about a job that is not the loop.

    name: stands in the log. system: the system prompt; a rule about tool output is always added to it.
    tools: made by ``tool()``. limits, max_tokens: where the caller gives none.
    judge: from the final text and what the run showed to a status (``ok`` and ``not_in_notes`` are answers) and the
    citations; by default every answer must cite a file that the run showed.
    opening: opens something for one run, yields that run's tools in place of ``tools``, and closes it at its end; with
    ``ask_async`` it runs on the event loop's thread and the tools in others, which sqlite3, for one, has to be told.

    Raises WrongUse for tools of the same name, for a tool not made by ``tool()``, for an empty system prompt, and for
    limits or tokens that are none; and when it is opened, for a tool whose parameters can't be described as JSON.
    """

    name: str
    system: str
    tools: tuple[Tool, ...] = ()
    limits: Limits = field(default_factory=Limits)
    max_tokens: int = 1024
    judge: Judge = judge
    opening: Callable[[], AbstractContextManager[tuple[Tool, ...]]] | None = None

    def __post_init__(self) -> None:
        _check_tools(self.tools)
        if not isinstance(self.system, str) or not self.system.strip():
            raise WrongUse(f"the toolset {self.name!r} has no system prompt")
        if not isinstance(self.limits, Limits):
            raise WrongUse(f"limits must be a Limits, not {type(self.limits).__name__}")
        require_count("max_tokens", self.max_tokens)

    @contextmanager
    def opened(self) -> Iterator[tuple[Tool, ...]]:
        """The tools of one run."""
        if self.opening is None:
            check_described(self.tools)
            yield self.tools
            return
        with self.opening() as tools:
            _check_tools(tools)
            check_described(tools)
            yield tools


def _check_tools(tools: object) -> None:
    if not isinstance(tools, (tuple, list)):
        raise WrongUse(f"tools must be a tuple of tools, not {type(tools).__name__}")
    for made in tools:
        if not isinstance(made, Tool):
            raise WrongUse(f"{made!r} is no tool yet: declare it with tool(function, risky=...)")
    names = [made.name for made in tools]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise WrongUse(f"two tools are named {', '.join(twice)}; give one of them another name=")

"""Which calls really ran: the tools themselves tell."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial, wraps
from typing import Any

from two_loops.toolsets.tool import Tool
from two_loops.toolsets.toolset import Toolset

OnRun = Callable[[str, dict[str, Any]], object]
Opening = Callable[[], AbstractContextManager[tuple[Tool, ...]]]


def watched(toolset: Toolset, on_run: OnRun) -> Toolset:
    """The same toolset; before a tool runs, ``on_run`` is given its name and the arguments that the model chose."""
    opening = toolset.opening and partial(_opened, toolset.opening, on_run)
    return replace(toolset, tools=_all(toolset.tools, on_run), opening=opening)


@contextmanager
def _opened(opening: Opening, on_run: OnRun) -> Iterator[tuple[Tool, ...]]:
    with opening() as tools:
        yield _all(tools, on_run)


def _all(tools: tuple[Tool, ...], on_run: OnRun) -> tuple[Tool, ...]:
    return tuple(_watched(tool, on_run) for tool in tools)


def _watched(tool: Tool, on_run: OnRun) -> Tool:
    @wraps(tool.function)
    def running(**arguments: Any) -> Any:
        on_run(tool.name, {name: value for name, value in arguments.items() if name not in tool.bound})
        return tool.function(**arguments)

    return replace(tool, function=running)

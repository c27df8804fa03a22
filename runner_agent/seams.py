"""Where the guards meet the SDK's tool runner: the tools that it calls, and the replies that it can't carry."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

from two_loops.run.run import Run
from two_loops.toolsets.definition import definition_text
from two_loops.toolsets.tool import Tool
from two_loops.values.call import Call
from two_loops.values.reply import Reply


def guarded_tools(run: Run) -> list[Any]:
    """The run's tools as the SDK takes them: described like the plain functions, each with the guarded call inside."""
    return [_guarded(definition_text(tool)) for tool in run.tools.values()]


@contextmanager
def serving(run: Run) -> Iterator[None]:
    """Inside, the guarded tools answer the calls of this run."""
    before = _served.set(run)
    try:
        yield
    finally:
        _served.reset(before)


_served: ContextVar[Run] = ContextVar("served")


@lru_cache(maxsize=256)  # to make one takes the SDK as long as a fifth of a run
def _guarded(definition: str) -> Any:
    from anthropic import beta_tool
    from anthropic.lib.tools import ToolError

    @beta_tool(**json.loads(definition))  # type: ignore[untyped-decorator]  # the definition is known only at run time
    def guarded(**_arguments: Any) -> str:
        result = _served.get().answer_next()
        if result.get("is_error"):
            raise ToolError(result["content"])
        return str(result["content"])

    return guarded


def set_params(runner: Any, changes: Mapping[str, Any]) -> None:
    """Change what the next request says, and the ones after it."""
    if changes:
        runner.set_messages_params(lambda params: params | changes)


def sdk_carries(reply: Reply, tools: Mapping[str, Tool]) -> bool:
    """Whether the runner can send the reply back, and hands each of its calls to our tools.

    It answers calls by unknown names, for server-side toolsets and with inputs that are no object by itself, with a
    warning or a traceback on stderr; and a lone surrogate in its copy of the reply would break the next request.
    """
    return reply.intact and all(_reaches_a_tool(call, tools) for call in reply.calls)


def _reaches_a_tool(call: Call, tools: Mapping[str, Tool]) -> bool:
    by_name = call.tool in tools and call.toolset_name is None
    return by_name and isinstance(call.input, dict) and "self" not in call.input  # a name that pydantic < 2.14 takes


def hand_over(runner: Any, message: Any, ours: Sequence[dict[str, Any]]) -> None:
    """Make the runner go on with our messages in place of its own copy of the reply and its own results.

    A reply that is marked as paused is one after which the runner adds nothing.
    """
    runner.append_messages(*ours)
    message.stop_reason = "pause_turn"

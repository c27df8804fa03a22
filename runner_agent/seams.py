"""Where the guards meet the SDK's tool runner: the tools that it calls, and the replies that it can't carry."""

import json
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from functools import lru_cache
from typing import Any

from two_loops.run.run import AsyncRun, Run
from two_loops.text import well_formed
from two_loops.toolsets.definition import definition_text
from two_loops.toolsets.tool import Tool
from two_loops.values.call import Call
from two_loops.values.reply import Reply


def guarded_tools(run: Run | AsyncRun) -> list[Any]:
    """The run's tools as the SDK takes them: described like the plain functions, each with the guarded call inside."""
    guarded = _guarded if isinstance(run, Run) else _guarded_async
    return [guarded(definition_text(tool)) for tool in run.tools.values()]


class serving:  # noqa: N801  # used like contextlib.closing
    """Inside, the guarded tools answer the calls of this run; at the end its runner is closed."""

    def __init__(self, run: Run | AsyncRun, runner: Any) -> None:
        self._run, self._runner = run, runner

    def __enter__(self) -> None:
        self._before = _served.set(self._run)

    def __exit__(self, *_raised: object) -> None:
        _served.reset(self._before)
        self._runner.close()

    async def __aenter__(self) -> None:
        self._before = _served.set(self._run)

    async def __aexit__(self, *_raised: object) -> None:
        _served.reset(self._before)
        await self._runner.close()


_served: ContextVar[Any] = ContextVar("served")


@lru_cache(maxsize=256)  # to make one takes the SDK as long as a fifth of a run
def _guarded(definition: str) -> Any:
    from anthropic import beta_tool

    @beta_tool(**json.loads(definition))  # type: ignore[untyped-decorator]  # the definition is known only at run time
    def guarded(**_arguments: Any) -> str:
        return _content(_served.get().answer_next())

    return guarded


@lru_cache(maxsize=256)
def _guarded_async(definition: str) -> Any:
    from anthropic import beta_async_tool

    @beta_async_tool(**json.loads(definition))  # type: ignore[untyped-decorator]  # the same
    async def guarded(**_arguments: Any) -> str:
        return _content(await _served.get().answer_next())

    return guarded


def _content(result: Mapping[str, Any]) -> str:
    """What a result says, as the SDK takes it: an error is raised."""
    from anthropic.lib.tools import ToolError

    if result.get("is_error"):
        raise ToolError(result["content"])
    return str(result["content"])


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

    A reply that is marked as paused is one after which the runner adds nothing. message: what the runner brought, the
    reply itself or the stream that has added it up.
    """
    runner.append_messages(*ours)
    reply = getattr(message, "current_message_snapshot", message)
    reply.stop_reason = "pause_turn"
    _mend_keys(reply.content)


def _mend_keys(value: Any) -> None:
    """Replace lone surrogates in the keys of objects, in place: the runner still writes its own copy down as JSON."""
    if isinstance(value, dict):
        for key in [key for key in value if well_formed(key) != key]:
            value[well_formed(key)] = value.pop(key)
        parts = list(value.values())
    elif isinstance(value, list):
        parts = value
    else:
        parts = [vars(value), value.model_extra] if hasattr(value, "model_extra") else []
    for part in parts:
        _mend_keys(part)

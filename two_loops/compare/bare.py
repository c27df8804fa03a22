"""The SDK's tool runner as one writes it first: a question, some tools, and nothing around it."""

import logging
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any

from pydantic_core import to_json

from two_loops.compare.modes import PLAIN
from two_loops.compare.playing import Ran
from two_loops.compare.watching import watched
from two_loops.stand_ins.script import MODEL
from two_loops.toolsets.definition import plain
from two_loops.toolsets.tool import Tool
from two_loops.toolsets.toolset import Toolset
from two_loops.values.limits import Limits


def results_in(requests: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The tool results in the newest message of each request after the first."""
    newest = [message["content"] for request in requests[1:] for message in request["messages"][-1:]]
    blocks = [block for content in newest if isinstance(content, list) for block in content]
    return [block for block in blocks if block["type"] == "tool_result"]


def failures_told(requests: Sequence[dict[str, Any]]) -> list[str]:
    """What the model read of calls that failed or were refused."""
    return [str(block["content"]) for block in results_in(requests) if block.get("is_error")]


def holds_history(requests: Sequence[dict[str, Any]]) -> bool | None:
    """Whether each request after the first begins with the question too; None where there is only one."""
    first, later = requests[0]["messages"][:1], [request["messages"][:1] for request in requests[1:]]
    return all(beginning == first for beginning in later) if later else None


class Bare:
    """A bare runner that has not begun, over scripted replies (without any, over the offline model) and functions.

    ``client_options`` are those of the SDK's client, ``options`` those of ``tool_runner``. requests: the JSON body of
    each request so far. messages: the caller's list.
    """

    def __init__(
        self,
        question: str,
        replies: Iterable[Any] | None,
        functions: Sequence[Callable[..., Any]],
        *,
        system: str,
        client_options: Mapping[str, Any] | None = None,
        max_tokens: int = 1024,
        **options: Any,
    ) -> None:
        from anthropic import beta_tool

        self.requests: list[dict[str, Any]] = []
        self.messages: list[Any] = [{"role": "user", "content": question}]
        self.client = PLAIN.client(replies, on_request=self.requests.append, **client_options or {})
        self.runner: Any = self.client.beta.messages.tool_runner(
            model=MODEL,
            max_tokens=max_tokens,
            system=system,
            messages=self.messages,
            tools=[beta_tool(function) for function in functions],
            **options,
        )

    @property
    def results(self) -> list[dict[str, Any]]:
        """The tool results in the newest message of each request after the first."""
        return results_in(self.requests)

    def close(self) -> None:
        """End the runner, then its client."""
        self.runner.close()
        self.client.close()


@dataclass(frozen=True)
class BareRun:
    """What a bare runner did.

    requests: the JSON body of each. ran: the calls that ran. unread: how many of them ran after the last request, so
    that no model read their results. stop_reason, text: of the reply that it returned; None where an exception came in
    its place, of which ``error`` holds type and text. printed: what would have gone to stderr.
    """

    requests: list[dict[str, Any]]
    ran: list[Ran]
    unread: int
    stop_reason: str | None
    text: str | None
    error: str | None
    printed: list[str]

    @property
    def failures_told(self) -> list[str]:
        """What the model read of calls that failed."""
        return failures_told(self.requests)

    @property
    def holds_history(self) -> bool | None:
        """Whether each request after the first begins with the question too; None where there is only one."""
        return holds_history(self.requests)


def run_bare(question: str, replies: Iterable[Any] | None, toolset: Toolset, limits: Limits) -> BareRun:
    """Run it to its end, with the step limit as its ``max_iterations``; it knows no other limit.

    Its tools are the toolset's functions. What they return is given to the runner as JSON text, as of a list it would
    take the items for content blocks.
    """
    ran: list[tuple[int, Ran]] = []
    watching = watched(toolset, lambda tool, arguments: ran.append((len(bare.requests), Ran(tool, arguments))))
    with watching.opened() as tools, _overheard() as printed:
        functions = [_as_text(tool) for tool in tools]
        bare = Bare(
            question,
            replies,
            functions,
            system=toolset.system,
            max_tokens=toolset.max_tokens,
            max_iterations=limits.max_steps,
        )
        with closing(bare):
            stop_reason, text, error = _ended(bare)
    return BareRun(
        requests=bare.requests,
        ran=[call for _, call in ran],
        unread=sum(asked == len(bare.requests) for asked, _ in ran),
        stop_reason=stop_reason,
        text=text,
        error=error,
        printed=printed,
    )


def _ended(bare: Bare) -> tuple[str | None, str | None, str | None]:
    """The last reply's stop reason and text, or what ended the run in its place."""
    try:
        reply = bare.runner.until_done()
        return reply.stop_reason, "".join(block.text for block in reply.content if block.type == "text"), None
    except Exception as error:  # noqa: BLE001  # whatever ends it is what is to be shown
        return None, None, f"{type(error).__name__}: {error}"


def _as_text(tool: Tool) -> Callable[..., Any]:
    function = plain(tool)

    @wraps(function)
    def as_text(**arguments: Any) -> str:
        return to_json(function(**arguments), fallback=str).decode()

    return as_text


@contextmanager
def _overheard() -> Iterator[list[str]]:
    """Catch the SDK's warnings, and what it logs, in place of letting them reach stderr."""
    said: list[str] = []
    logger, handler = logging.getLogger("anthropic"), _Into(said)
    propagates, logger.propagate = logger.propagate, False
    logger.addHandler(handler)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always")
            warnings.showwarning = lambda message, category, *_: said.append(f"{category.__name__}: {message}")
            yield said
    finally:
        logger.removeHandler(handler)
        logger.propagate = propagates


class _Into(logging.Handler):
    """Keeps what is logged, with its traceback, as it would be printed."""

    def __init__(self, said: list[str]) -> None:
        super().__init__(logging.WARNING)
        self._said = said

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one record."""
        self._said.append(self.format(record))

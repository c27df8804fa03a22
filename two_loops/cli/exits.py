"""How a command ends when something goes wrong: one clear line, and an exit code."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from two_loops.cli.screen import cut, say
from two_loops.errors import TwoLoopsError, UnusableReply
from two_loops.text import visible

if TYPE_CHECKING:
    import anthropic

FAILED = 1
WRONG_USE = 2
INTERRUPTED = 130

# An error about an argument begins with its name in Python; the command line's own name stands there in its place.
OPTIONS: Mapping[str, str] = {
    "max_steps": "--max-steps",
    "max_tool_calls": "--max-tool-calls",
    "max_total_tokens": "--max-total-tokens",
    "max_cost_usd": "--max-cost",
    "max_seconds": "--max-seconds",
    "parallel_tools": "--parallel-tools",
    "model": "--model",
    "limit": "--limit",
    "width": "--width",
}


@contextmanager
def told() -> Iterator[None]:
    """Turn what a run raises into a line on standard error and an exit code."""
    try:
        yield
    except (Exception, KeyboardInterrupt) as error:
        if (said := words(error)) is None:
            raise
        text, code = said
        say(f"Error: {visible(cut(text))}", error=True)
        raise typer.Exit(code) from error


def words(error: BaseException) -> tuple[str, int] | None:
    """What is said of an exception, and the exit code; None for one that no use of the command explains."""
    if isinstance(error, UnusableReply):
        return f"{error}: {error.__cause__!r}", error.exit_code
    if isinstance(error, TwoLoopsError):
        return _in_our_words(str(error)), error.exit_code
    if isinstance(error, KeyboardInterrupt):
        return "interrupted", INTERRUPTED
    return _of_the_api(error) if _is_of_the_sdk(error) else None


def _in_our_words(text: str) -> str:
    first, blank, rest = text.partition(" ")
    return f"{OPTIONS.get(first, first)}{blank}{rest}"


def _is_of_the_sdk(error: BaseException) -> bool:
    import anthropic

    return isinstance(error, anthropic.AnthropicError)


def _of_the_api(error: BaseException) -> tuple[str, int]:
    import anthropic

    if isinstance(error, anthropic.AuthenticationError):
        return f"the server rejected the key: {_said(error)}", WRONG_USE
    if isinstance(error, anthropic.PermissionDeniedError):
        return f"the server refused permission: {_said(error)}", WRONG_USE
    if isinstance(error, anthropic.APIConnectionError):
        return _of_the_connection(error)
    return f"the API failed: {_said(error)}", FAILED


def _of_the_connection(error: "anthropic.APIConnectionError") -> tuple[str, int]:
    import httpx2

    cause = error.__cause__
    if isinstance(cause, httpx2.LocalProtocolError):  # its text would show the key
        told = "the request can't be sent: the key, or another header, holds a character that no header can hold"
        return told, WRONG_USE
    host = error.request.url.host
    if isinstance(cause, (httpx2.ConnectError, httpx2.ConnectTimeout)):
        return f"the server {host} could not be reached: {str(cause) or error}", FAILED
    return f"the connection to the server {host} failed: {(cause and str(cause)) or error}", FAILED


def _said(error: BaseException) -> str:
    """The server's own message and its status, where it sent them in the API's form; else the SDK's words."""
    body = getattr(error, "body", None)
    told = body.get("error") if isinstance(body, dict) else None
    message = told.get("message") if isinstance(told, dict) else None
    status = getattr(error, "status_code", None)
    return f"{message} (status {status})" if isinstance(message, str) and message else str(error)

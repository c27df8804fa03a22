"""How a command ends when something goes wrong: one clear line, and an exit code."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from two_loops.cli.screen import cut, say
from two_loops.errors import TwoLoopsError, UnusableReply

FAILED = 1
WRONG_USE = 2
INTERRUPTED = 130


@contextmanager
def told() -> Iterator[None]:
    """Turn what a run raises into a line on standard error and an exit code."""
    try:
        yield
    except UnusableReply as error:
        raise _ended(f"{error}: {error.__cause__!r}", error.exit_code) from error
    except TwoLoopsError as error:
        raise _ended(str(error), error.exit_code) from error
    except KeyboardInterrupt as error:
        raise _ended("interrupted", INTERRUPTED) from error
    except Exception as error:
        if not _is_of_the_sdk(error):
            raise
        raise _of_the_api(error) from error


def _is_of_the_sdk(error: Exception) -> bool:
    import anthropic

    return isinstance(error, anthropic.AnthropicError)


def _of_the_api(error: Exception) -> typer.Exit:
    import anthropic

    if isinstance(error, (anthropic.AuthenticationError, anthropic.PermissionDeniedError)):
        return _ended(f"the server rejected the key: {error}", WRONG_USE)
    if isinstance(error, anthropic.APIConnectionError):
        return _ended(f"the server could not be reached: {error}", FAILED)
    return _ended(f"the API failed: {error}", FAILED)


def _ended(text: str, code: int) -> typer.Exit:
    say(f"Error: {cut(text)}", error=True)
    return typer.Exit(code)

"""Words on the screen. Text that is not ours is shown, never obeyed."""

import io
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from rich.console import Console
from rich.status import Status
from rich.text import Text

from two_loops.text import visible

SHORT_ID = 8  # characters of a run's id that are shown; with them ``two-loops log FILE --run ID`` finds it
WIDTH = 10_000  # no line is wrapped here, and a terminal that claims to have no columns must not swallow any


def lenient(*streams: TextIO) -> None:
    """Let a terminal of few characters show the others as escapes, in place of failing."""
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: str, *, error: bool = False, style: str = "") -> None:
    """Print lines of text on standard output, or on standard error.

    Control, bidi and invisible characters are shown as escapes; nothing is read as markup or as an emoji's name.
    """
    lines = "\n".join(visible(line) for line in text.split("\n"))
    Console(stderr=error, highlight=False, width=WIDTH).print(Text(lines, style=style), soft_wrap=True)


def say_marked(line: str, marks: Callable[[str], Iterable[tuple[int, int]]]) -> None:
    """Print a line as ``say`` does, with the stretches marked that ``marks`` finds in what is shown of it."""
    shown = Text(visible(line))
    for start, end in marks(shown.plain):
        shown.stylize("bold yellow", start, end)
    Console(highlight=False, width=WIDTH).print(shown, soft_wrap=True)


def lively(*, wanted: bool) -> Console | None:
    """Standard error for what moves on it, where that is a terminal and it is wanted."""
    console = Console(stderr=True)
    return console if wanted and console.is_terminal else None


@contextmanager
def status_line(*, wanted: bool) -> Iterator[Status | None]:
    """A line that shows once it is started, and is gone at the end; None where nothing may move."""
    console = lively(wanted=wanted)
    if console is None:
        yield None
        return
    status = console.status("")
    try:
        yield status
    finally:
        status.stop()


def arguments(given: Any) -> str:
    """What a tool was asked, without the names of its parameters."""
    return ", ".join(str(value) for value in given.values()) if isinstance(given, dict) else str(given)


def cut(text: str, longest: int = 300) -> str:
    """A text of somebody else's for one line of ours."""
    return text if len(text) <= longest else f"{text[:longest]}…"


def columns() -> int | None:
    """The width of the terminal, None where the output is no terminal."""
    return shutil.get_terminal_size().columns if sys.stdout and sys.stdout.isatty() else None

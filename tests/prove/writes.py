"""Watches what this process does to the world outside: Python tells an audit hook of each file that is opened."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

WRITING = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC
ACTS = frozenset(
    {
        "os.chmod",
        "os.link",
        "os.mkdir",
        "os.remove",
        "os.rename",
        "os.rmdir",
        "os.symlink",
        "os.system",
        "os.truncate",
        "socket.connect",
        "subprocess.Popen",
    }
)
COMPILED = "__pycache__"  # Python's own, of a module that is imported for the first time

_watches: list[list[str]] = []


@contextmanager
def watched() -> Iterator[list[str]]:
    """Inside, the list grows by each file that is opened for writing, and by each other act outside this process."""
    _install()
    seen: list[str] = []
    _watches.append(seen)
    try:
        yield seen
    finally:
        _watches.remove(seen)


@cache
def _install() -> None:
    sys.addaudithook(_hear)  # for as long as the process lives: there is no way to take one away


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    if not _watches:
        return
    act = _act(event, arguments)
    if act is not None and COMPILED not in act:
        for seen in _watches:
            seen.append(act)


def _act(event: str, arguments: tuple[Any, ...]) -> str | None:
    if event == "open":
        path, _mode, flags = arguments
        return str(Path(os.fsdecode(path))) if flags & WRITING and not isinstance(path, int) else None
    return f"{event} {arguments[0]}" if event in ACTS else None

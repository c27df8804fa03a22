"""The log: one JSON object a line, appended whole, by this process or by several at once."""

import errno
import json
import os
import re
import stat
from collections.abc import Iterable, MutableMapping
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from time import time_ns
from typing import Any

import structlog
from pydantic_core import to_json

from two_loops.errors import WrongUse
from two_loops.locking import kept, locked, unlock
from two_loops.stop_reasons import STOP_REASONS
from two_loops.values.events import Event, Logged, ToolCalled

SCHEMA = 1
FIRST = ("event", "at", "run_id", "agent", "schema")  # the fields that every line begins with
LONG_TEXTS = frozenset({"output", "detail", "message"})
LONGEST_TEXT = 2000  # characters of such a text that a line keeps
LONGEST_BLANK = 4096  # bytes: with so much white space before its first line, a file is no log
IN_USE = "another process is writing to it"
SHORTEST_SECRET = 12  # characters; a shorter "key" is a made-up one, and hiding it would hide ordinary words

ANTHROPIC_KEY_START = "sk-ant-"
ANTHROPIC_KEY = f"{ANTHROPIC_KEY_START}[A-Za-z0-9_-]+"


class Log:
    """Writes a run's events to one file; made by ``open_log()``.

    Every method of it raises OSError when the file can't be written; the run decides what that means.
    """

    def __init__(self, appender: "Appender", *, content: bool, secrets: Iterable[str], **bound: Any) -> None:
        self._content = content
        self._appender = appender
        self._lines = _Lines(appender, [_renderer(frozenset(secrets))], {**bound, "schema": SCHEMA})

    def write(self, event: Logged) -> None:
        """Append the event as one line."""
        self._lines.msg(event.event, at=_now(), fields=record(event, content=self._content))

    def close(self) -> None:
        """Close the file."""
        self._appender.close()


def open_log(path: str | os.PathLike[str], *, content: bool, secrets: Iterable[str], **bound: Any) -> Log:
    """Open, or create with mode 0600, the log at ``path``; ``bound`` fields stand in every line.

    secrets: texts, API keys for one, that no line may hold; one of fewer than 12 characters is not looked for. Raises
    WrongUse when the file can't be appended to.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise WrongUse(f"log_path must be a path or None, not {type(path).__name__}")
    return Log(Appender(Path(path)), content=content, secrets=secrets, **bound)


def record(event: Event, *, content: bool = True) -> dict[str, Any]:
    """The event's fields; without content, those that hold words of notes, of models or of servers are left out."""
    if content:
        return vars(event)
    values = dict(vars(event))
    if isinstance(event, ToolCalled) and not event.known:
        values["tool"] = None
    if values.get("stop_reason") not in STOP_REASONS:
        values.pop("stop_reason", None)
    return {name: value for name, value in values.items() if name not in event.CONTENT}


def _now() -> str:
    second, nanoseconds = divmod(time_ns(), 1_000_000_000)
    return f"{_second(second)}.{nanoseconds // 1000:06}+00:00"


@lru_cache(maxsize=2)  # most lines of a run fall into the same second
def _second(since_epoch: int) -> str:
    return datetime.fromtimestamp(since_epoch, UTC).replace(tzinfo=None).isoformat()


class _Lines(structlog.BoundLoggerBase):
    """A structlog logger with the one method that the log needs."""

    def msg(self, event: str, **fields: Any) -> None:
        """Render the line, and append it."""
        self._proxy_to_logger("msg", event, **fields)


@lru_cache(maxsize=16)
def _renderer(secrets: frozenset[str]) -> "_Renderer":
    return _Renderer(secrets)


class _Renderer:
    """A structlog processor that turns an event into one line of ASCII: secrets hidden, then long texts cut."""

    def __init__(self, secrets: Iterable[str]) -> None:
        found = {secret for secret in secrets if len(secret) >= SHORTEST_SECRET}
        self._forms = found | {
            json.dumps(secret, ensure_ascii=ascii)[1:-1] for secret in found for ascii in (True, False)
        }
        traces = [ANTHROPIC_KEY_START.encode(), *(_as_json(form)[1:-1] for form in self._forms)]
        self._traces = re.compile(b"|".join(map(re.escape, traces)))

    def __call__(self, _logger: Any, _method: str, event: MutableMapping[str, Any]) -> bytes:
        whole = {name: event[name] for name in FIRST} | event["fields"]
        line = _as_json(whole)
        if self._traces.search(line):
            whole = self._without_secrets(whole)
            line = _as_json(whole)
        return line if len(line) <= LONGEST_TEXT else _as_json(_cut(whole))

    def _without_secrets(self, whole: dict[str, Any]) -> dict[str, Any]:
        longest_first = sorted(self._forms, key=len, reverse=True)
        secret = re.compile("|".join([*map(re.escape, longest_first), ANTHROPIC_KEY]))
        return {name: _hidden(value, secret) for name, value in whole.items()}


def _as_json(value: Any) -> bytes:
    """The value as JSON in ASCII, whatever is in it."""
    try:
        return to_json(value, ensure_ascii=True, fallback=str)
    except ValueError:  # a lone surrogate, which only Python's own writer can write down
        return json.dumps(value, default=str).encode("ascii")


def _hidden(value: Any, secret: re.Pattern[str]) -> Any:
    if isinstance(value, str):
        return secret.sub("[secret]", value)
    if isinstance(value, list):
        return [_hidden(item, secret) for item in value]
    if isinstance(value, dict):
        return {_hidden(key, secret): _hidden(item, secret) for key, item in value.items()}
    return value


def _cut(event: dict[str, Any]) -> dict[str, Any]:
    """The event with its long texts cut, and their length beside them."""
    long = {name: event[name] for name in LONG_TEXTS & event.keys() if len(event[name] or "") > LONGEST_TEXT}
    lengths = {f"{name}_length": len(text) for name, text in long.items()}
    return event | {name: text[:LONGEST_TEXT] for name, text in long.items()} | lengths


class Appender:
    """An append-only descriptor on a regular file; each line is one write, and writers take turns.

    A line that was cut short, by a full disk or by the death of a process, is left as it is: the next line starts anew.

    alone: nobody else may append as long as it is open. Raises WrongUse where the file can't be appended to.
    """

    def __init__(self, path: Path, what: str = "log", *, alone: bool = False) -> None:
        self._what = what  # to be said of a file that is none
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            self._file = os.open(path, flags, 0o600)
        except OSError as error:
            raise WrongUse(f"the {what} {path} can't be opened: {_reason(error)}") from error
        except ValueError as error:
            raise WrongUse(f"the {what} {str(path)!r} can't be opened: {error}") from error
        self._takes_turns = not alone
        self._whole_up_to = 0  # as long as the file is no longer than this, nobody else has written
        if why := self._unfit() or (IN_USE if alone and not kept(self._file) else None):
            os.close(self._file)
            raise WrongUse(f"the {what} {path} can't be opened: {why}")

    def msg(self, line: bytes) -> None:
        """Append the line. Raises OSError when it could not be written whole, or to a file that was deleted."""
        # Half of another writer's line would look like one that was cut short, so writers take turns.
        self._takes_turns = self._takes_turns and locked(self._file)
        try:
            self._append(line + b"\n")
        finally:
            if self._takes_turns:
                unlock(self._file)

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self._file)

    def _append(self, data: bytes) -> None:
        status = os.fstat(self._file)
        if status.st_nlink == 0:
            raise OSError(errno.ENOENT, "it was deleted")
        size = status.st_size
        if size not in (0, self._whole_up_to) and self._ends_torn(size):
            data = b"\n" + data
        if os.write(self._file, data) < len(data):
            raise OSError(errno.ENOSPC, "the line was written only in part")
        self._whole_up_to = size + len(data)

    def _unfit(self) -> str | None:
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            return "it is no regular file"
        start = os.pread(self._file, LONGEST_BLANK, 0)
        text = start.lstrip()
        begins_like_a_log = text.startswith(b"{") if text else len(start) < LONGEST_BLANK
        return None if begins_like_a_log else f"what it holds is no {self._what}; name another file"

    def _ends_torn(self, size: int) -> bool:
        return os.pread(self._file, 1, size - 1) != b"\n"


def _reason(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return "it is a link"
    if error.errno == errno.ENXIO:
        return "it is no regular file"
    return (error.strerror or str(error)).lower()

"""The log: one JSON object a line, appended whole, by this process or by several at once."""

import errno
import json
import os
import re
import stat
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import structlog

from two_loops.errors import WrongUse
from two_loops.values.events import Event, ToolCalled

SCHEMA = 1
LONGEST_OUTPUT = 2000  # characters of a tool's output that a line keeps
SHORTEST_SECRET = 12  # characters; a shorter "key" is a made-up one, and hiding it would hide ordinary words

_AS_JSON = json.JSONEncoder(ensure_ascii=True, default=str).encode
ANTHROPIC_KEY = re.compile(r"sk-ant-[A-Za-z0-9_-]+")


class Log:
    """Writes a run's events to one file; made by ``open_log()``.

    Every method of it raises OSError when the file can't be written; the run decides what that means.
    """

    def __init__(self, appender: "Appender", *, content: bool, secrets: Iterable[str], **bound: Any) -> None:
        self._content = content
        self._appender = appender
        self._line = structlog.wrap_logger(
            appender,
            processors=[_line_renderer(frozenset(secret for secret in secrets if len(secret) >= SHORTEST_SECRET))],
            wrapper_class=structlog.BoundLogger,
            context_class=dict,
        ).bind(**bound, schema=SCHEMA)

    def write(self, event: Event) -> None:
        """Append the event as one line."""
        self._line.msg(event.event, at=_now(), **record(event, content=self._content))

    def close(self) -> None:
        """Close the file."""
        self._appender.close()


def open_log(path: str | os.PathLike[str], *, content: bool, secrets: Iterable[str], **bound: Any) -> Log:
    """Open, or create with mode 0600, the log at ``path``; ``bound`` fields stand in every line.

    secrets: texts, API keys for one, that no line may hold. Raises WrongUse when the file can't be appended to.
    """
    return Log(Appender(Path(path)), content=content, secrets=secrets, **bound)


def record(event: Event, *, content: bool = True) -> dict[str, Any]:
    """The event's fields as a line holds them; without content, those that hold words of notes are left out."""
    values = dict(vars(event))
    if isinstance(event, ToolCalled):
        values |= _bounded_output(event)
        if not content and not event.known:
            values["tool"] = None
    return values if content else {name: value for name, value in values.items() if name not in event.CONTENT}


def _bounded_output(event: ToolCalled) -> dict[str, Any]:
    if len(event.output) <= LONGEST_OUTPUT:
        return {}
    return {"output": event.output[:LONGEST_OUTPUT], "output_length": len(event.output)}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _line_renderer(secrets: frozenset[str]) -> Any:
    """A structlog processor that turns an event into one line of ASCII, without the secrets."""
    hidden = [json.dumps(secret)[1:-1] for secret in secrets]

    def render(_logger: Any, _method: str, event: dict[str, Any]) -> str:
        first = ("event", "at", "run_id", "agent", "schema")
        line = _AS_JSON({key: event[key] for key in first if key in event} | event)
        for secret in hidden:
            line = line.replace(secret, "[secret]")
        return ANTHROPIC_KEY.sub("[secret]", line)

    return render


class Appender:
    """An append-only descriptor on a regular file; each line is one write.

    A line that was cut short, by a full disk or by the death of a process, is left as it is: the next line starts anew.
    """

    def __init__(self, path: Path) -> None:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            self._file = os.open(path, flags, 0o600)
        except OSError as error:
            raise WrongUse(f"the log {path} can't be opened: {_reason(error)}") from error
        self._whole_up_to = 0  # as long as the file is no longer than this, nobody else has written
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            os.close(self._file)
            raise WrongUse(f"the log {path} can't be opened: it is no regular file")

    def msg(self, line: str) -> None:
        """Append the line. Raises OSError when it could not be written whole."""
        data = f"{line}\n".encode("ascii")
        size = os.fstat(self._file).st_size
        if size not in (0, self._whole_up_to) and self._ends_torn(size):
            data = b"\n" + data
        if os.write(self._file, data) < len(data):
            raise OSError(errno.ENOSPC, "the line was written only in part")
        self._whole_up_to = size + len(data)

    def close(self) -> None:
        """Close the descriptor."""
        os.close(self._file)

    def _ends_torn(self, size: int) -> bool:
        return os.pread(self._file, 1, size - 1) != b"\n"


def _reason(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return "it is a link"
    if error.errno == errno.ENXIO:
        return "it is no regular file"
    return (error.strerror or str(error)).lower()

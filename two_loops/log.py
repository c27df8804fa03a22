"""The log: one JSON object a line, appended whole, by this process or by several at once."""

import errno
import json
import os
import re
import stat
from collections.abc import Iterable, MutableMapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import structlog

from two_loops.errors import WrongUse
from two_loops.stop_reasons import STOP_REASONS
from two_loops.values.events import Event, ToolCalled

SCHEMA = 1
FIRST = ("event", "at", "run_id", "agent", "schema")  # the fields that every line begins with
LONG_TEXTS = frozenset({"output", "detail", "message"})
LONGEST_TEXT = 2000  # characters of such a text that a line keeps
SHORTEST_SECRET = 12  # characters; a shorter "key" is a made-up one, and hiding it would hide ordinary words

_AS_JSON = json.JSONEncoder(ensure_ascii=True, default=str).encode
ANTHROPIC_KEY = "sk-ant-[A-Za-z0-9_-]+"


class Log:
    """Writes a run's events to one file; made by ``open_log()``.

    Every method of it raises OSError when the file can't be written; the run decides what that means.
    """

    def __init__(self, appender: "Appender", *, content: bool, secrets: Iterable[str], **bound: Any) -> None:
        self._content = content
        self._appender = appender
        self._line = structlog.wrap_logger(
            appender,
            processors=[_secret_hider(secrets), _cutter, _renderer],
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

    secrets: texts, API keys for one, that no line may hold; one of fewer than 12 characters is not looked for. Raises
    WrongUse when the file can't be appended to.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise WrongUse(f"log_path must be a path or None, not {type(path).__name__}")
    return Log(Appender(Path(path)), content=content, secrets=secrets, **bound)


def record(event: Event, *, content: bool = True) -> dict[str, Any]:
    """The event's fields; without content, those that hold words of notes, of models or of servers are left out."""
    values = dict(vars(event))
    if content:
        return values
    if isinstance(event, ToolCalled) and not event.known:
        values["tool"] = None
    if values.get("stop_reason") not in STOP_REASONS:
        values.pop("stop_reason", None)
    return {name: value for name, value in values.items() if name not in event.CONTENT}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _secret_hider(secrets: Iterable[str]) -> Any:
    """A structlog processor that replaces the secrets in every text of an event, also where JSON has escaped them."""
    found = {secret for secret in secrets if len(secret) >= SHORTEST_SECRET}
    forms = found | {json.dumps(secret, ensure_ascii=escape)[1:-1] for secret in found for escape in (True, False)}
    pattern = re.compile("|".join([*map(re.escape, sorted(forms, key=len, reverse=True)), ANTHROPIC_KEY]))

    def hidden(value: Any) -> Any:
        if isinstance(value, str):
            return pattern.sub("[secret]", value)
        if isinstance(value, list):
            return [hidden(item) for item in value]
        return {hidden(key): hidden(item) for key, item in value.items()} if isinstance(value, dict) else value

    def hide(_logger: Any, _method: str, event: dict[str, Any]) -> dict[str, Any]:
        return {name: hidden(value) for name, value in event.items()}

    return hide


def _cutter(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """A structlog processor that cuts long texts; a tool's output keeps its length beside it."""
    for name in LONG_TEXTS & event.keys():
        text = event[name]
        if isinstance(text, str) and len(text) > LONGEST_TEXT:
            event.update({name: text[:LONGEST_TEXT], f"{name}_length": len(text)})
    return event


def _renderer(_logger: Any, _method: str, event: MutableMapping[str, Any]) -> str:
    """A structlog processor that turns an event into one line of ASCII."""
    return _AS_JSON({name: event[name] for name in FIRST if name in event} | dict(event))


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
        except ValueError as error:
            raise WrongUse(f"the log {str(path)!r} can't be opened: {error}") from error
        self._whole_up_to = 0  # as long as the file is no longer than this, nobody else has written
        if why := self._unfit():
            os.close(self._file)
            raise WrongUse(f"the log {path} can't be opened: {why}")

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

    def _unfit(self) -> str | None:
        if not stat.S_ISREG(os.fstat(self._file).st_mode):
            return "it is no regular file"
        begins_like_a_log = os.pread(self._file, 1, 0) in (b"", b"{")
        return None if begins_like_a_log else "what it holds is no log; name another file"

    def _ends_torn(self, size: int) -> bool:
        return os.pread(self._file, 1, size - 1) != b"\n"


def _reason(error: OSError) -> str:
    if error.errno == errno.ELOOP:
        return "it is a link"
    if error.errno == errno.ENXIO:
        return "it is no regular file"
    return (error.strerror or str(error)).lower()

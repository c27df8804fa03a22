"""What a server may do with one request: a good reply, and everything else that we know of.

Each kind of act has its rows in ``cases.py``, which say what must follow from it.
"""

import json
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from two_loops.stand_ins import wire

Message = dict[str, Any]
Play = Callable[[socket.socket, dict[str, Any]], None]
Kind = Literal[
    "reply",
    "status",
    "page",
    "refuse",
    "reset",
    "reset within",
    "silence",
    "silence within",
    "short",
    "stream",
    "cut",
    "cut chunks",
]

JSON = "application/json"
EVENTS = "text/event-stream"


@dataclass(frozen=True)
class Act:
    """play: does it, given the connection and the JSON body of the request that came over it."""

    kind: Kind
    play: Play


def reply(message: Message) -> Act:
    """A good reply, whole or as a stream, as the request asks."""

    def play(connection: socket.socket, body: Message) -> None:
        kind, content = _answer(message, body)
        connection.sendall(_response(200, kind, content))

    return Act("reply", play)


def status(code: int, **headers: object) -> Act:
    """An error as the API words it."""
    error = {"type": "error", "error": {"type": "api_error", "message": f"this is {code}"}}
    return Act("status", _sending(_response(code, JSON, json.dumps(error).encode(), **headers)))


def page(content: bytes, kind: str = JSON) -> Act:
    """Anything at all in place of a message, with status 200."""
    return Act("page", _sending(_response(200, kind, content)))


def refuse() -> Act:
    """Nobody listens: the server stops listening before this act, which so never gets a request."""
    return Act("refuse", _never)


def reset() -> Act:
    """The connection is torn down in place of a reply."""
    return Act("reset", _tear_down)


def reset_within(message: Message) -> Act:
    """The connection is torn down in the middle of a reply."""
    return Act("reset within", _half(message, then=_tear_down))


def silence() -> Act:
    """Nothing ever comes; the client leaves."""
    return Act("silence", _wait_for_the_end)


def silence_within(message: Message) -> Act:
    """Nothing ever comes after the first half of a reply."""
    return Act("silence within", _half(message, then=_wait_for_the_end))


def short(message: Message) -> Act:
    """The body ends in the middle, before the length that was announced."""
    return Act("short", _half(message, then=_leave))


def stream(*events: Message | bytes) -> Act:
    """A stream of any events that ends as it should; bytes stand for themselves."""
    return Act("stream", _sending(_response(200, EVENTS, b"".join(map(_as_sent, events)))))


def cut(message: Message, length: int) -> Act:
    """The stream just ends after some bytes, and nothing told the client where its end should be."""
    return Act("cut", _sending(_head(200, EVENTS) + streamed(message)[:length]))


def cut_chunks(message: Message, length: int) -> Act:
    """The stream comes as a chunk of some bytes, and ends without the chunk that says that it is the last."""
    sent = streamed(message)[:length]
    chunk = b"%x\r\n%s\r\n" % (len(sent), sent) if sent else b""  # an empty chunk would be the last one
    return Act("cut chunks", _sending(_head(200, EVENTS, transfer_encoding="chunked") + chunk))


def streamed(message: Message) -> bytes:
    """The message as server-sent events."""
    return wire.response(message, streamed=True).content


def _answer(message: Message, body: Message) -> tuple[str, bytes]:
    response = wire.response(message, streamed=bool(body.get("stream")))
    return response.headers["content-type"], response.content


def _sending(data: bytes) -> Play:
    return lambda connection, body: connection.sendall(data)


def _half(message: Message, *, then: Play) -> Play:
    def play(connection: socket.socket, body: Message) -> None:
        kind, content = _answer(message, body)
        connection.sendall(_response(200, kind, content)[: -len(content) // 2])
        then(connection, body)

    return play


def _never(connection: socket.socket, body: Message) -> None:
    raise AssertionError("a refused connection got through")


def _leave(connection: socket.socket, body: Message) -> None:
    pass


def _tear_down(connection: socket.socket, body: Message) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def _wait_for_the_end(connection: socket.socket, body: Message) -> None:
    with suppress(ConnectionError):  # a client may leave by tearing the connection down
        while connection.recv(1):
            pass


def _as_sent(event: Message | bytes) -> bytes:
    return event if isinstance(event, bytes) else f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()


def _response(code: int, kind: str, content: bytes, **headers: object) -> bytes:
    return _head(code, kind, content_length=len(content), **headers) + content


def _head(code: int, kind: str, **headers: object) -> bytes:
    """The status line and the headers; each connection carries one reply."""
    named = {"content-type": kind, "connection": "close"} | headers
    lines = [f"HTTP/1.1 {code} Told", *(f"{name.replace('_', '-')}: {value}" for name, value in named.items())]
    return "\r\n".join([*lines, "", ""]).encode()

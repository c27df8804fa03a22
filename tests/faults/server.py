"""A real server on this machine that does what a script says, request by request."""

import json
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import parse_headers
from threading import Thread
from typing import Any

from tests.faults.acts import Act, status

LOCAL = "127.0.0.1"


class Server:
    """One thread that takes one connection at a time, and one request of each.

    url: for the SDK's ``base_url``. requests: the JSON body of each request so far, in order. failures: what went
    wrong in the server itself. A request beyond the script gets status 400.
    """

    def __init__(self, script: Sequence[Act]) -> None:
        self.requests: list[dict[str, Any]] = []
        self.failures: list[Exception] = []
        self._script = iter(script)
        self._over = False
        self._reserved = _bound(0)  # never listens: nobody else gets the port while connections to it are refused
        self._listener = _bound(self.port)
        self._listener.listen()
        self._turn_page()

    @property
    def port(self) -> int:
        """The port, chosen by the system."""
        return int(self._reserved.getsockname()[1])

    @property
    def url(self) -> str:
        """Where the server listens, or refuses to."""
        return f"http://{LOCAL}:{self.port}"

    def serve(self) -> None:
        """Take connections until the server is stopped, or is to refuse them."""
        while not self._over:
            connection, _ = self._listener.accept()
            with connection:
                try:
                    self._serve_one(connection)
                except Exception as error:  # noqa: BLE001  # told by the test, not by a thread that nobody watches
                    self.failures.append(error)

    def stop(self) -> None:
        """End ``serve``, which may be waiting for a connection: here is one, without a request."""
        if not self._over:
            self._over = True
            socket.create_connection((LOCAL, self.port)).close()

    def close(self) -> None:
        """Give the port back."""
        self._listener.close()
        self._reserved.close()

    def _serve_one(self, connection: socket.socket) -> None:
        body = _request_body(connection)
        if body is None:
            return
        self.requests.append(body)
        act = self._act
        self._turn_page()
        act.play(connection, body)

    def _turn_page(self) -> None:
        self._act = next(self._script, status(400))
        if self._act.kind == "refuse":
            self._over = True
            self._listener.close()


@contextmanager
def serving(*script: Act) -> Iterator[Server]:
    """A server that is there inside the block."""
    server = Server(script)
    thread = Thread(target=server.serve)
    thread.start()
    try:
        yield server
    finally:
        server.stop()
        thread.join()
        server.close()
    assert server.failures == []


def _bound(port: int) -> socket.socket:
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    made.bind((LOCAL, port))
    return made


def _request_body(connection: socket.socket) -> Any:
    """The JSON body of the request; None where the connection was closed without one."""
    with connection.makefile("rb") as received:
        if not received.readline():
            return None
        headers = parse_headers(received)
        return json.loads(received.read(int(headers["content-length"])))

"""A real model's server on this machine."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler

from tests.core.loopback import serving
from two_loops.stand_ins.script import calls, says, tool_use

waiting, hung_up = threading.Event(), threading.Event()


class ModelServer(BaseHTTPRequestHandler):
    """A real model's server: a search, then an answer; or a good grade. Its path says how many requests it answers."""

    asked = 0

    def do_POST(self) -> None:
        """One answer."""
        given = json.loads(self.rfile.read(int(self.headers["content-length"])))
        ModelServer.asked += 1
        if ModelServer.asked > int(self.path.split("/")[1]):
            waiting.set()
            hung_up.wait(30)
        if given["tools"][0]["name"] == "grade":
            body = calls(tool_use("grade", reasons="It says when.", score=5))
        elif len(given["messages"]) == 1:
            body = calls(tool_use("search_notes", query="boiler"))
        else:
            body = says("On 12 March [boiler.txt:2].")
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_: object) -> None:
        """Stay silent."""


@contextmanager
def model_server() -> Iterator[str]:
    """The address of such a server, which was asked nothing yet."""
    ModelServer.asked = 0
    waiting.clear()
    with serving(ModelServer, hung_up) as address:
        yield address

"""A server on this machine."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer


@contextmanager
def serving(handler: type[BaseHTTPRequestHandler], hung_up: threading.Event) -> Iterator[str]:
    """The address of the server; ``hung_up`` is set at the end, so that an answer that waits for it is over."""
    hung_up.clear()
    with HTTPServer(("127.0.0.1", 0), handler) as http:
        thread = threading.Thread(target=http.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{http.server_port}"
        hung_up.set()
        http.shutdown()
        thread.join()

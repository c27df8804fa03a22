"""What a server may send in place of a message."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx2

from tests.both.test_faults import API_FAULTS, UNUSABLE
from two_loops.stand_ins import wire


def _failing(status: int) -> Callable[[Any], Any]:
    return lambda _: wire.error(status, "api_error", f"no: {status}")


FAULTS: Mapping[str, Any] = {
    **UNUSABLE,
    **{f"status {status}": _failing(status) for status in (*API_FAULTS, 403, 404, 409, 413, 529)},
    "a connection that breaks": httpx2.ConnectError("refused"),
    "a connection that stalls": httpx2.ReadTimeout("silence"),
}


@dataclass(frozen=True)
class Fault:
    """One of ``FAULTS``, as a script takes it."""

    name: str

    def __call__(self, body: dict[str, Any]) -> Any:
        """The answer to a request."""
        fault = FAULTS[self.name]
        return fault(body) if callable(fault) else fault

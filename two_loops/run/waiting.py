"""How long a server may make a client of ours wait: one that asks for longer is told of as an error at once."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

LONGEST = 60.0  # seconds before a retry; the SDK by itself would wait for weeks


def refuse_long_waits(response: "httpx2.Response") -> None:
    """An HTTP client's hook: no retry of a request whose answer asks for a longer wait than ``LONGEST``."""
    if (asked_wait(response.headers) or 0) > LONGEST:
        response.headers["x-should-retry"] = "false"


def asked_wait(headers: "httpx2.Headers") -> float | None:
    """The seconds that a server asks to wait, by any of the headers that the SDK obeys; None where it asks for none."""
    try:
        if "retry-after-ms" in headers:
            return float(headers["retry-after-ms"]) / 1000
        asked = headers.get("retry-after", "")
        return float(asked) if asked.strip().isdecimal() else _until(asked)
    except ValueError:
        return None


def _until(date: str) -> float:
    return (parsedate_to_datetime(date) - datetime.now(UTC)).total_seconds()

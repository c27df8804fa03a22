"""How long a server may make a client of ours wait: one that asks for longer is told of as an error at once."""

from email.utils import mktime_tz, parsedate_tz
from time import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

LONGEST = 60.0  # seconds before a retry; the SDK by itself would wait for weeks


def refuse_long_waits(response: "httpx2.Response") -> None:
    """An HTTP client's hook: no retry of a request whose answer asks for a longer wait than ``LONGEST``."""
    if (asked_wait(response.headers) or 0) > LONGEST:
        response.headers["x-should-retry"] = "false"


async def refuse_long_waits_async(response: "httpx2.Response") -> None:
    """The same hook on an event loop."""
    refuse_long_waits(response)


def asked_wait(headers: "httpx2.Headers") -> float | None:
    """The seconds that a server asks to wait, read as the SDK reads them; None where it asks for none.

    A date that can't be reckoned with counts as one that never comes.
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    asked = headers.get("retry-after", "")
    seconds = _number(asked)
    return _until(asked) if seconds is None else seconds


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _until(date: str) -> float | None:
    try:
        parsed = parsedate_tz(date)
        return None if parsed is None else mktime_tz(parsed) - time()
    except (ValueError, OverflowError):
        return float("inf")

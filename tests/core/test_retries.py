"""What a server may make us wait for."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx2
import pytest

from two_loops.run.retries import asked_wait, refuse_long_waits

IN_TWO_HOURS = format_datetime(datetime.now(UTC) + timedelta(hours=2))


@pytest.mark.parametrize(
    ("headers", "retried"),
    [
        ({}, True),
        ({"retry-after": "60"}, True),
        ({"retry-after": "61"}, False),
        ({"retry-after": "4294967"}, False),
        ({"retry-after-ms": "60000"}, True),
        ({"retry-after-ms": "60001", "retry-after": "1"}, False),
        ({"retry-after": IN_TWO_HOURS}, False),
        ({"retry-after": "3600.0"}, False),
        ({"retry-after": "+3600"}, False),
        ({"retry-after": "1e9"}, False),
        ({"retry-after": "inf"}, False),
        ({"retry-after-ms": "x", "retry-after": "3600"}, False),
        ({"retry-after-ms": "", "retry-after": "3600"}, False),
        ({"retry-after": "Wed, 01 Jan 2099 00:00:00 -0000"}, False),
        ({"retry-after": "Wed, 01 Jan 2099 00:00:00"}, False),
        ({"retry-after": "Wed, 01 Jan 99999 00:00:00 GMT"}, False),
        ({"retry-after": "Fri, 01 Jan 2021 00:00:00 GMT"}, True),
        ({"retry-after": "soon"}, True),
        ({"retry-after-ms": "many"}, True),
    ],
)
def test_a_long_wait_is_no_retry(headers: dict[str, str], retried: bool) -> None:
    response = httpx2.Response(429, headers=headers)
    refuse_long_waits(response)

    assert ("x-should-retry" not in response.headers) == retried


def test_the_wait_is_told_in_seconds() -> None:
    assert asked_wait(httpx2.Headers({"retry-after-ms": "1500"})) == 1.5
    assert asked_wait(httpx2.Headers({"retry-after": "2"})) == 2
    assert asked_wait(httpx2.Headers()) is None

"""When a file is old enough that each later change of it must show in its times."""

from time import time_ns

from two_loops.search.entries import Signature

# A file that changes twice within one tick of its file system's clock shows it once; no clock ticks slower than this.
SLOWEST_TICK_NS = 2_000_000_000
# Linux takes the time of a change from a clock that ticks every 10 ms or faster. The rest is for the process that was
# held up between taking the time and writing.
LOCAL_TICK_NS = 500_000_000
COARSE_NS = 1_000_000


def is_settled(signature: Signature, *, local: bool) -> bool:
    """Whether the file last changed longer ago than a clock's tick.

    local: only this machine changes it. Then, and when its file system keeps finer times than milliseconds, the
    machine's own clock is the one that counts.
    """
    modified, changed, *_ = signature
    tick = LOCAL_TICK_NS if local and changed % COARSE_NS else SLOWEST_TICK_NS
    return max(modified, changed) + tick < time_ns()

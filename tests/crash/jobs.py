"""What the children do: each function yields what it has to report."""

import ctypes
import fcntl
import os
import random
import resource
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.both.bench import Bench
from tests.both.ways import AGENTS
from two_loops import Result, WrongUse, scripted_client
from two_loops.stand_ins.script import calls, says, tool_use
from two_loops.values.events import Event

LENGTHS = (10, 5_000, 50_000, 1_000_000)  # characters of a question and of an answer
LONGEST_QUERY = 30_000  # characters: what a tool returns is capped, and the bench's repeats its query
NOBODY = 65534
CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
MS_REMOUNT, MS_REC, MS_PRIVATE = 0x20, 0x4000, 0x40000
FREE = resource.RLIM_INFINITY

OnEvent = Callable[[Event], object]


@dataclass(frozen=True)
class Job:
    """A function to call in a child; what it yields is appended to ``report``, pickled, as soon as it is there."""

    function: Callable[..., Iterator[Any]]
    arguments: tuple[Any, ...]
    report: Path


@dataclass(frozen=True)
class Left:
    """What a run left behind. requests: how many reached the model."""

    result: Result | None
    refusal: str | None
    requests: int


def one_run(agent: str, log: Path | None, length: int = 10, on_event: OnEvent | None = None) -> Iterator[Left]:
    """One run of seven lines, three of them at least ``length`` characters long."""
    replies = [
        calls(tool_use("find", query="b" * min(length, LONGEST_QUERY))),
        says(f"On 12 March [boiler.txt:2]. {'c' * length}"),
    ]
    with scripted_client(replies) as client:
        options: dict[str, Any] = {"toolset": Bench().toolset(), "client": client, "on_event": on_event}
        try:
            result = AGENTS[agent]("a" * length, log_path=log, **options)
        except WrongUse as error:
            yield Left(None, str(error), len(client.requests))
        else:
            yield Left(result, None, len(client.requests))


def run_after_run(agent: str, log: Path, seed: float, runs: int, longest: int = LENGTHS[-1]) -> Iterator[str]:
    """So many runs, the lengths of their lines left to chance: the id of each, once ``ask`` has returned."""
    chance = random.Random(seed)
    lengths = [length for length in LENGTHS if length <= longest]
    for _ in range(runs):
        (left,) = one_run(agent, log, chance.choice(lengths))
        assert left.result is not None
        yield left.result.run_id


def together(gate: Path, *arguments: Any) -> Iterator[str]:
    """The same, once nobody locks the gate any more."""
    with gate.open() as file:
        fcntl.flock(file, fcntl.LOCK_SH)
    yield from run_after_run(*arguments)


def full_disk(agent: str, log: Path, nth: int, room: int, freed: int | None = None) -> Iterator[Left]:
    """One run; from its ``nth`` line on the disk has no more than ``room`` bytes left, until line ``freed``."""
    heard: list[Event] = []

    def on_event(event: Event) -> None:
        heard.append(event)
        if len(heard) == nth - 1:
            leave_room(log, room)
        if len(heard) + 1 == freed:
            limit_files(FREE)

    if nth == 1:
        leave_room(log, room)
    lefts = list(one_run(agent, log, 3000, on_event))
    limit_files(FREE)
    yield from lefts


def leave_room(log: Path, room: int) -> None:
    """Make each write fail that would let the log grow by more bytes than that."""
    size = log.stat().st_size if log.exists() else 0
    limit_files(size + room)


def limit_files(size: int) -> None:
    """Make each write fail that would let a file grow beyond that size."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, FREE))


def dies_in_the_middle(agent: str, log: Path, nth: int, room: int) -> Iterator[Left]:
    """One run whose ``nth`` line is cut short, and whose process dies of the attempt to write another."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    yield from full_disk(agent, log, nth, room)


def as_nobody(agent: str, folder: Path, log: str) -> Iterator[Left]:
    """One run without the rights of root; the log is named from inside the folder."""
    os.chdir(folder)
    if os.getuid() == 0:
        os.setuid(NOBODY)
    yield from one_run(agent, Path(log))


def tiny_disk(agent: str, folder: Path) -> Iterator[tuple[Left, Left, Left, Left, bytes] | None]:
    """Four runs on a disk of 16 KiB of this process's own, and the log: the second fills it, the last finds it freed.

    None where this process may mount nothing.
    """
    if not mounted(folder, "size=16k"):
        yield None
        return
    log = folder / "log.jsonl"
    lefts = [left for length in (1000, 8000, 10) for left in one_run(agent, log, length)]
    assert mounted(folder, "size=1m", MS_REMOUNT)
    (freed,) = one_run(agent, log)
    yield lefts[0], lefts[1], lefts[2], freed, log.read_bytes()


def mounted(folder: Path, size: str, flags: int = 0) -> bool:
    """Mount a tmpfs of that size on the folder, for this process alone."""
    libc = ctypes.CDLL(None)
    if not flags and not alone(libc):
        return False
    return bool(libc.mount(b"none", bytes(folder), b"tmpfs", flags, size.encode()) == 0)


def alone(libc: Any) -> bool:
    """Give this process mounts of its own; who is not root becomes it among them."""
    user, group = os.getuid(), os.getgid()
    if not hasattr(libc, "unshare") or libc.unshare(CLONE_NEWNS | (CLONE_NEWUSER if user else 0)) != 0:
        return False
    if user:
        for name, text in (("uid_map", f"0 {user} 1"), ("setgroups", "deny"), ("gid_map", f"0 {group} 1")):
            Path("/proc/self", name).write_text(text)
    return bool(libc.mount(None, b"/", None, MS_REC | MS_PRIVATE, None) == 0)

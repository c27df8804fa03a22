"""Runs one conversation in every way, and keeps what each way made of it."""

import tempfile
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from tests.both.bench import Bench
from tests.both.trial import Conversation, Trial, run
from tests.both.ways import Way
from tests.prove.askers import Asker
from tests.prove.writes import watched
from two_loops import Toolset


@dataclass(frozen=True)
class Tried:
    """What came of a conversation in one way.

    folder: where the log is. written: what was opened for writing, and each other act outside this process.
    """

    way: Way
    conversation: Conversation
    made: Trial
    folder: str
    written: list[str]


def tried(conversation: Conversation, ways: Iterable[Way]) -> list[Tried]:
    """The conversation in each of the ways."""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message="Pydantic serializer warnings", category=UserWarning)
        return [_tried(conversation, way, Path(folder)) for way in ways]


def _tried(conversation: Conversation, way: Way, folder: Path) -> Tried:
    bench, toolset = _bench()
    bench.ran = []
    approve = conversation.options["approve"]
    if isinstance(approve, Asker):
        approve = approve.approve(bench.ran, on_loop=way.waits)
    given = {**conversation.options, "approve": approve, "toolset": toolset}
    with watched() as written:
        made = run(way, replace(conversation, options=given), folder, bench)
    return Tried(way, conversation, made, str(folder), written)


@cache
def _bench() -> tuple[Bench, Toolset]:
    """One bench for all: to describe its tools takes as long as half a run."""
    bench = Bench()
    return bench, bench.toolset()

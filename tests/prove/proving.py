"""Tries generated conversations, and holds each to every property; a failure is shrunk, and names its property."""

import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from tests.both.trial import Conversation
from tests.both.ways import WAYS, Way
from tests.prove.properties import IN_EACH_RUN, agents_agree, modes_agree
from tests.prove.replies import unstreamable
from tests.prove.strategies import conversations
from tests.prove.trying import Tried, tried

Reached = Counter[tuple[str, str]]  # what was counted, by its kind and its name


def prove(number: int, *, start: int, ways: Mapping[str, Way] = WAYS, shrink: bool = True) -> Reached:
    """Try so many conversations, the same ones for the same ``start``. Returns how many of them reached what.

    ways: a manual and a runner way of each mode, one mode after the other. Where a property does not hold, raises an
    AssertionError that names it, with the smallest conversation that was found for it unless it shall not ``shrink``.
    """
    reached = Reached()

    @seed(start)
    @settings(
        max_examples=number,
        deadline=None,
        database=None,
        phases=[Phase.generate, *[Phase.shrink] * shrink],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(conversations())
    def every_property_holds(conversation: Conversation) -> None:
        runs = tried(conversation, ways.values())
        check(runs)
        reached.update(_reached(runs))

    every_property_holds()
    return reached


def told(number: int, start: int) -> Reached | str:
    """What ``prove`` returns, or in words how it failed, as another process can be told."""
    try:
        return prove(number, start=start)
    except Exception:  # noqa: BLE001  # whatever it is, it is told
        return traceback.format_exc()


def check(runs: Sequence[Tried]) -> None:
    """Hold the runs of one conversation, agent beside agent and mode beside mode, to every property."""
    for run in runs:
        for holds in IN_EACH_RUN:
            _named(holds, run)
    pairs = list(zip(runs[::2], runs[1::2], strict=True))
    for manual, runner in pairs:
        _named(agents_agree, manual, runner)
    for manual, _ in pairs[1:]:
        _named(modes_agree, pairs[0][0], manual)


def _named(holds: Callable[..., None], *runs: Tried) -> None:
    try:
        holds(*runs)
    except Exception as error:
        error.add_note(f"The property {holds.__name__} broke: {' beside '.join(str(run.way) for run in runs)}")
        raise


def _reached(runs: Sequence[Tried]) -> Reached:
    made = runs[0].made
    errors = {("error", type(made.error).__name__)} if made.error else set()
    reasons = {("stop reason", _shown(line["stop_reason"])) for line in _lines(made.events, "model_call")}
    guards = {("guard", f"{line['guard']} {line['outcome']}") for line in _lines(made.events, "guard")}
    natural = {("exception", name) for reply in _answered(runs[0]) for name in unstreamable(reply)}
    conversation = {("conversations", ""), ("status", made.outcome.status)} | errors | reasons | guards | natural
    return Reached(conversation) + Reached(("runs", str(run.way)) for run in runs)


def _answered(run: Tried) -> Sequence[Any]:
    return run.conversation.replies[: len(run.made.requests)]


def _lines(events: Sequence[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [event for event in events if event["event"] == kind]


def _shown(reason: str) -> str:
    return ascii(reason) if not reason.isidentifier() else reason

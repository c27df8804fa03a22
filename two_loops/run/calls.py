"""The calls of one reply, and what became of each."""

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence

from two_loops.guards import AFTER_REFUSAL
from two_loops.guards.scene import Scene
from two_loops.run import telling
from two_loops.run.answering import Answered, answered
from two_loops.run.ending import Message, no_result, tool_result
from two_loops.run.opening import Plan
from two_loops.run.reporter import Reporter
from two_loops.run.tally import Tally
from two_loops.run.waits import Waits
from two_loops.toolsets.tool import Tool
from two_loops.values.call import Call
from two_loops.values.decisions import Refused, Stopped
from two_loops.values.events import Logged
from two_loops.values.evidence import Evidence, Shown, escaped
from two_loops.values.result import ToolCallMade


class Calls:
    """The calls of the last reply, answered in their order, some of them at the same time.

    results: of those that were answered, in their order.
    """

    def __init__(
        self, plan: Plan, tools: Mapping[str, Tool], tally: Tally, evidence: Evidence, reporter: Reporter
    ) -> None:
        self._plan, self._tools = plan, tools
        self._tally, self._evidence, self._reporter = tally, evidence, reporter
        self._scene = Scene(tools)
        self.begin(())

    def begin(self, calls: Sequence[Call]) -> None:
        """Take the calls of a new reply."""
        self._calls = calls
        self._turn = 0
        self.results: list[Message] = []

    def place(self, call: Call) -> int:
        """The place of one of the calls; two may be equal, but they are not the same."""
        return next(place for place, other in enumerate(self._calls) if other is call)

    def next(self) -> int:
        """The place of the call whose turn it is, where the loop does not say which one it means."""
        self._turn += 1
        return self._turn - 1

    def is_answered(self, place: int) -> bool:
        """Whether the call at that place has its result, as one that ran beside an earlier one has."""
        return place < len(self.results)

    async def made(self, place: int, waits: Waits) -> list[Answered]:
        """What becomes of the call at that place, and of those behind it that may run at the same time."""
        calls = self._calls[place : place + self._plan.limits.parallel_tools]
        return await answered(calls, self._scene, self._plan.approve, self._tally.clock, waits)

    def record(self, place: int, made: Sequence[Answered]) -> Stopped | None:
        """Keep and report what became of the calls from that place on. Returns what stops the run, if anything does."""
        answers = list(zip(self._calls[place:], made, strict=False))
        for call, answer in answers:
            self.results.append(tool_result(call.id, answer.text, is_error=answer.refused is not None))
            self._count(call, answer)
        self._reporter.emit(*(tell for call, answer in answers for tell in self._told(call, answer)))
        stops = [self._after(answer.refused) for answer in made if answer.refused is not None]
        return next(filter(None, stops), None)

    def result(self, place: int, stopped_by: str | None) -> Message:
        """What the model reads of the call at that place."""
        return self.results[place] if self.is_answered(place) else no_result(self._calls[place].id, stopped_by)

    def _count(self, call: Call, made: Answered) -> None:
        for item in made.evidence:
            self._evidence.take(item)
        for warning in made.warnings:
            self._reporter.warn(warning)
        self._tally.calls.append(
            ToolCallMade(
                step=self._tally.steps,
                tool=call.tool,
                input=copy.deepcopy(call.input),
                is_error=made.refused is not None,
                files_found=sorted({escaped(item.file) for item in made.evidence if isinstance(item, Shown)}),
            )
        )

    def _told(self, call: Call, made: Answered) -> Iterator[Callable[[], Logged]]:
        """What is reported of a call."""
        step, refused, known = self._tally.steps, made.refused, call.tool in self._tools
        if refused is not None:
            yield lambda: telling.refused(refused)
        yield lambda: telling.called(step, call, made, known=known)

    def _after(self, refused: Refused) -> Stopped | None:
        self._scene.refused[refused.guard] += 1
        guard = AFTER_REFUSAL.get(refused.guard)
        return guard(self._scene.refused[refused.guard]) if guard else None

"""One tool call: held against the guards, run, and made fit to be read."""

from asyncio import CancelledError
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from itertools import takewhile
from time import monotonic
from typing import Literal

from two_loops.guards import AFTER_CALL, BEFORE_CALL, BEFORE_RISKY_CALL, WHILE_CALL_RUNS
from two_loops.guards.approval import ApproveAsync, decided_by
from two_loops.guards.output_size import capped_error
from two_loops.guards.repeated_call import identity
from two_loops.guards.scene import Scene
from two_loops.run.clock import Clock
from two_loops.run.waits import Waits
from two_loops.toolsets.definition import parsed_arguments
from two_loops.toolsets.tool import Tool
from two_loops.values.call import Call, Denied
from two_loops.values.decisions import Refused
from two_loops.values.evidence import Named, Shown, escaped
from two_loops.values.output import Output


@dataclass(frozen=True)
class Answered:
    """What becomes of a call: the text that the model reads, and what the run keeps of it.

    seconds: how long the tool ran.
    """

    text: str
    refused: Refused | None = None
    approval: Literal["approved", "denied"] | None = None
    decided_by: str | None = None
    seconds: float = 0.0
    evidence: list[Shown | Named] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


async def answered(
    calls: Sequence[Call], scene: Scene, approve: ApproveAsync | None, clock: Clock, waits: Waits
) -> list[Answered]:
    """Ask each guard about the first call, in their order, then run the tool; a refusal at any of these is the answer.

    The calls behind it run at the same time, up to the first that is risky or would be refused. Returns the answers of
    all that ran.
    """
    call, *others = calls
    if refused := _refusal(call, scene):
        return [_refused(refused)]
    if scene.tools[call.tool].risky:
        return [await _after_a_yes(call, scene, approve, clock, waits)]
    beside = takewhile(partial(_runs_beside, scene), others)
    return await waits.use([partial(_ran, scene.tools[each.tool], each) for each in (call, *beside)])


async def _after_a_yes(call: Call, scene: Scene, approve: ApproveAsync | None, clock: Clock, waits: Waits) -> Answered:
    with clock.paused():
        said = await waits.ask(approve, call)
    for guard in BEFORE_RISKY_CALL.values():
        if refused := guard(said):
            warnings = [] if isinstance(said, Denied) else [f"{call.tool} was denied: {refused.why}"]
            return replace(_refused(refused), approval="denied", decided_by=decided_by(said), warnings=warnings)
    (made,) = await waits.use([partial(_ran, scene.tools[call.tool], call)])
    return replace(made, approval="approved", decided_by=decided_by(said))


def _refusal(call: Call, scene: Scene) -> Refused | None:
    """What a guard says against the call, which counts as made."""
    scene.made[identity(call)] += 1
    return next((refused for guard in BEFORE_CALL.values() if (refused := guard(call, scene))), None)


def _runs_beside(scene: Scene, call: Call) -> bool:
    """Whether the call may run beside those before it; else it does not count as made yet."""
    if call.tool not in scene.tools or scene.tools[call.tool].risky:
        return False
    if _refusal(call, scene) is None:
        return True
    scene.made[identity(call)] -= 1
    return False


def _ran(tool: Tool, call: Call) -> Answered:
    began = monotonic()
    made = _read(tool, call)
    return replace(made, seconds=monotonic() - began)


def _read(tool: Tool, call: Call) -> Answered:
    try:
        returned = Output(tool(**parsed_arguments(tool, call.input)))
        output = reduce(lambda value, guard: guard(value), AFTER_CALL.values(), returned)
        evidence = [] if output.value is None else [_checked(item) for item in tool.evidence(output.value)]
        warnings = [escaped(str(warning)) for warning in tool.warnings(returned.value)]
    except (Exception, CancelledError) as error:  # noqa: BLE001  # a tool may raise anything, and the run goes on
        (explain,) = WHILE_CALL_RUNS.values()
        return _refused(explain(error))
    return Answered(output.text, evidence=evidence, warnings=warnings)


def _refused(refused: Refused) -> Answered:
    return Answered(capped_error(refused.text), refused)


def _checked(item: object) -> Shown | Named:
    if not isinstance(item, (Shown, Named)):
        raise TypeError(f"a tool's evidence is made of Shown and Named, not of {type(item).__name__}")
    return item

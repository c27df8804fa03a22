"""One tool call: held against the guards, run, and made fit to be read."""

from asyncio import CancelledError
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from typing import Literal

from two_loops.guards import AFTER_CALL, BEFORE_CALL, BEFORE_RISKY_CALL, WHILE_CALL_RUNS
from two_loops.guards.approval import ApproveAsync, decided_by
from two_loops.guards.output_size import capped_error
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
    """What becomes of a call: the text that the model reads, and what the run keeps of it."""

    text: str
    refused: Refused | None = None
    approval: Literal["approved", "denied"] | None = None
    decided_by: str | None = None
    evidence: list[Shown | Named] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


async def answered(call: Call, scene: Scene, approve: ApproveAsync | None, clock: Clock, waits: Waits) -> Answered:
    """Ask each guard in its order, then run the tool; a refusal at any of these is the answer."""
    for guard in BEFORE_CALL.values():
        if refused := guard(call, scene):
            return _refused(refused)
    tool = scene.tools[call.tool]
    if not tool.risky:
        return await waits.use(partial(_ran, tool, call))
    with clock.paused():
        said = await waits.ask(approve, call)
    for guard_of_risks in BEFORE_RISKY_CALL.values():
        if refused := guard_of_risks(said):
            warnings = [] if isinstance(said, Denied) else [f"{call.tool} was denied: {refused.why}"]
            return replace(_refused(refused), approval="denied", decided_by=decided_by(said), warnings=warnings)
    made = await waits.use(partial(_ran, tool, call))
    return replace(made, approval="approved", decided_by=decided_by(said))


def _ran(tool: Tool, call: Call) -> Answered:
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

"""Arguments that do not fit the tool's schema: nothing is coerced, and each fault is named."""

from two_loops.guards.scene import Scene
from two_loops.text import visible
from two_loops.toolsets.definition import wrong_arguments
from two_loops.values.call import Call
from two_loops.values.decisions import Refused

NAME = "bad_arguments"
KINDS = {list: "an array", str: "a string", bool: "a boolean", int: "a number", float: "a number", type(None): "null"}


def refusal(call: Call, scene: Scene) -> Refused | None:
    """Refuse a call whose input is no object, or has missing, unknown or wrong arguments."""
    if not isinstance(call.input, dict):
        return _refused(f"the input must be an object that names the arguments, not {KINDS[type(call.input)]}")
    wrong = [visible(fault) for fault in wrong_arguments(scene.tools[call.tool], call.input)]
    return _refused("; ".join(wrong)) if wrong else None


def _refused(faults: str) -> Refused:
    return Refused(NAME, f"The arguments do not fit, so the tool did not run: {faults}.", "arguments do not fit")

"""A stop for a model that asks for the same thing over and over."""

import json

from two_loops.guards.scene import Scene
from two_loops.values.call import Call
from two_loops.values.decisions import Refused, Stopped

NAME = "repeated_call"
_IN_ORDER = json.JSONEncoder(sort_keys=True).encode
ALLOWED = 2  # identical calls that run; from the next one on they are refused
REFUSALS = 4  # the refusal that ends the run

TEXT = (
    "This call was made before with the same arguments, and it will not run again. "
    "Change the arguments, use another tool, or answer with what you have."
)


def refusal(call: Call, scene: Scene) -> Refused | None:
    """Refuse a call from its third time on: same tool, same arguments, the order of the keys aside."""
    times = scene.made[identity(call)]
    return Refused(NAME, TEXT, f"made {times} times") if times > ALLOWED else None


def stop(refused: int) -> Stopped | None:
    """The end of the run, once refusals alone did not change the model's course."""
    return Stopped(NAME, NAME, f"{refused} repeated calls refused") if refused >= REFUSALS else None


def identity(call: Call) -> str:
    """The same text for calls that are the same."""
    return _IN_ORDER([call.toolset_name, call.tool, call.input])

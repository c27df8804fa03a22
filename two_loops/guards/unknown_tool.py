"""A call for a tool that the toolset does not have."""

from two_loops.guards.scene import Scene
from two_loops.text import visible
from two_loops.values.call import Call
from two_loops.values.decisions import Refused

NAME = "unknown_tool"
SHOWN = 100  # characters of a made-up name that are told back


def refusal(call: Call, scene: Scene) -> Refused | None:
    """Refuse a call by a name, or for a server-side toolset, that is not ours."""
    names = sorted(scene.tools)
    if call.tool in names and call.toolset_name is None:
        return None
    text = f"There is no tool named '{visible(call.tool[:SHOWN])}' here. The tools are: {', '.join(names) or 'none'}."
    return Refused(NAME, text, "no such tool")

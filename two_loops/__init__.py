"""What scripts import; the two agents themselves are in ``manual_agent`` and ``runner_agent``."""

from two_loops.errors import NoCredentials, ToolError, TwoLoopsError, UnusableReply, WrongUse
from two_loops.search import Snippet, search_notes
from two_loops.stand_ins import async_offline_client, async_scripted_client, offline_client, scripted_client
from two_loops.toolsets.notes import notes
from two_loops.toolsets.tool import Tool, tool
from two_loops.toolsets.toolset import Toolset
from two_loops.toolsets.workspace import workspace
from two_loops.values.call import Approved, Call, Denied
from two_loops.values.events import Event, TextDelta
from two_loops.values.evidence import Named, Shown
from two_loops.values.limits import Limits
from two_loops.values.result import Result

__all__ = [
    "Approved",
    "Call",
    "Denied",
    "Event",
    "Limits",
    "Named",
    "NoCredentials",
    "Result",
    "Shown",
    "Snippet",
    "TextDelta",
    "Tool",
    "ToolError",
    "Toolset",
    "TwoLoopsError",
    "UnusableReply",
    "WrongUse",
    "async_offline_client",
    "async_scripted_client",
    "notes",
    "offline_client",
    "scripted_client",
    "search_notes",
    "tool",
    "workspace",
]

"""One request in, one message out: call tools, or answer."""

import hashlib
import json
from typing import Any

from two_loops.stand_ins.offline.conversation import read_conversation
from two_loops.stand_ins.offline.research import Research
from two_loops.stand_ins.offline.work import READ, Work

_CHARACTERS_PER_TOKEN = 4


def reply_to(request: dict[str, Any]) -> dict[str, Any]:
    """The message that answers ``request`` (the JSON body of a Messages API request), as the JSON the API would send.

    Equal requests get equal replies, streamed or not. Token counts are estimates: a quarter of the JSON's characters.
    """
    sent = json.dumps({key: value for key, value in request.items() if key != "stream"}, sort_keys=True)
    content = _content(request)
    calls = any(block["type"] == "tool_use" for block in content)
    return {
        "id": f"msg_offline_{hashlib.sha256(sent.encode()).hexdigest()[:24]}",
        "type": "message",
        "role": "assistant",
        "model": "offline",
        "content": content,
        "stop_reason": "tool_use" if calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": _tokens(sent), "output_tokens": _tokens(json.dumps(content))},
    }


def _content(request: dict[str, Any]) -> list[dict[str, Any]]:
    conversation = read_conversation(request.get("messages"))
    offered = _offered(request)
    job = Work(conversation) if READ in offered else Research(conversation)
    usable = [] if conversation.told_to_answer else _usable(offered, _dict(request.get("tool_choice")))
    calls = [call for call in job.calls() if call.tool in usable] if usable else []
    if calls:
        several = calls[: _calls_at_once(request)]
        return [_call(conversation.calls + place, *call) for place, call in enumerate(several, 1)]
    return [{"type": "text", "text": job.answer()}]


def _offered(request: dict[str, Any]) -> list[Any]:
    """The names of the tools in the request."""
    tools = request.get("tools")
    return [_dict(tool).get("name") for tool in tools] if isinstance(tools, list) else []


def _usable(offered: list[Any], choice: dict[str, Any]) -> list[Any]:
    """Those that may be called."""
    if choice.get("type") == "none":
        return []
    return [name for name in offered if choice.get("type") != "tool" or name == choice.get("name", name)]


def _calls_at_once(request: dict[str, Any]) -> int:
    return 1 if _dict(request.get("tool_choice")).get("disable_parallel_tool_use") is True else 2


def _call(number: int, tool: str, given: dict[str, Any]) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_offline_{number}", "name": tool, "input": given}


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARACTERS_PER_TOKEN)


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}

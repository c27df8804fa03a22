"""One request in, one message out: search again, or answer."""

import hashlib
import json
from typing import Any

from two_loops.stand_ins.offline.answer import answer_text
from two_loops.stand_ins.offline.conversation import Conversation, read_conversation
from two_loops.stand_ins.offline.evidence import lines_of
from two_loops.stand_ins.offline.queries import next_queries
from two_loops.stand_ins.offline.question import read_question

_SEARCH = "search_notes"
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
    question = read_question(conversation.question)
    lines = lines_of(conversation.findings)
    if _may_search(request, conversation):
        queries = next_queries(question, lines, conversation.queries)[: _calls_at_once(request)]
        if queries:
            return [_call(conversation.calls + place, query) for place, query in enumerate(queries, 1)]
    return [{"type": "text", "text": answer_text(question, lines)}]


def _may_search(request: dict[str, Any], conversation: Conversation) -> bool:
    if conversation.told_to_answer:
        return False
    choice = _dict(request.get("tool_choice"))
    named = choice.get("name", _SEARCH) if choice.get("type") == "tool" else _SEARCH
    tools = request.get("tools")
    offered = isinstance(tools, list) and any(_dict(tool).get("name") == _SEARCH for tool in tools)
    return offered and choice.get("type") != "none" and named == _SEARCH


def _calls_at_once(request: dict[str, Any]) -> int:
    return 1 if _dict(request.get("tool_choice")).get("disable_parallel_tool_use") is True else 2


def _call(number: int, query: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": f"toolu_offline_{number}", "name": _SEARCH, "input": {"query": query}}


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARACTERS_PER_TOKEN)


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}

"""What a request's messages hold: the question, the searches made for it, and what they found."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from two_loops.stand_ins.offline.evidence import Finding, findings_in

_Blocks = list[dict[str, Any]]


class Wanted(NamedTuple):
    """A call to make."""

    tool: str
    input: dict[str, Any]


@dataclass(frozen=True)
class Made:
    """A call that was made, and the text that came back for it."""

    call: Wanted
    text: str
    failed: bool


@dataclass(frozen=True)
class Conversation:
    """The part of the history that belongs to the latest question; ``calls`` alone counts the whole history."""

    question: str
    made: tuple[Made, ...]
    queries: tuple[str, ...]
    findings: tuple[Finding, ...]
    calls: int
    told_to_answer: bool


def read_conversation(messages: object) -> Conversation:
    """The conversation in a request's ``messages``; what has an unknown shape is passed over."""
    turns = _turns(messages)
    start = max((at for at, (role, blocks) in enumerate(turns) if role == "user" and _asks(blocks)), default=0)
    since = [block for _, blocks in turns[start:] for block in blocks]
    uses = [block for block in since if block.get("type") == "tool_use"]
    results = [block for block in since if block.get("type") == "tool_result"]
    return Conversation(
        question=_text(turns[start][1]) if turns else "",
        made=tuple(_made(uses, results)),
        queries=tuple(query for query in map(_query, uses) if query is not None),
        findings=tuple(found for result in results for found in findings_in(_result_text(result))),
        calls=sum(block.get("type") == "tool_use" for _, blocks in turns for block in blocks),
        told_to_answer=_tells_to_answer(turns),
    )


def _turns(messages: object) -> list[tuple[str, _Blocks]]:
    """The messages as (role, blocks), neighbours of one role joined, as the API joins them."""
    turns: list[tuple[str, _Blocks]] = []
    for message in _dicts(messages):
        role, blocks = str(message.get("role")), _blocks(message.get("content"))
        if turns and turns[-1][0] == role:
            turns[-1][1].extend(blocks)
        else:
            turns.append((role, blocks))
    return turns


def _asks(blocks: _Blocks) -> bool:
    return bool(_text(blocks).strip()) and not any(block.get("type") == "tool_result" for block in blocks)


def _tells_to_answer(turns: list[tuple[str, _Blocks]]) -> bool:
    if not turns or turns[-1][0] != "user":
        return False
    kinds = [block.get("type") for block in turns[-1][1]]
    return "tool_result" in kinds and kinds[-1] == "text"


def _made(uses: _Blocks, results: _Blocks) -> Iterator[Made]:
    answers = {str(result.get("tool_use_id")): result for result in results}
    for use in uses:
        if (result := answers.get(str(use.get("id")))) is not None:
            text = _text(_blocks(result.get("content")))
            yield Made(Wanted(str(use.get("name")), _input(use)), text, failed=bool(result.get("is_error")))


def _query(use: dict[str, Any]) -> str | None:
    query = _input(use).get("query")
    return query if isinstance(query, str) else None


def _input(use: dict[str, Any]) -> dict[str, Any]:
    arguments = use.get("input")
    return arguments if isinstance(arguments, dict) else {}


def _result_text(result: dict[str, Any]) -> str:
    return "" if result.get("is_error") else _text(_blocks(result.get("content")))


def _text(blocks: _Blocks) -> str:
    return "\n".join(block["text"] for block in blocks if isinstance(block.get("text"), str))


def _blocks(content: object) -> _Blocks:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(_dicts(content))


def _dicts(values: object) -> Iterator[dict[str, Any]]:
    return (value for value in values if isinstance(value, dict)) if isinstance(values, list) else iter(())

"""A playing told in lines: what was sent, what came back, what ran, which guard acted, and what it took."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from two_loops.compare.playing import Playing, Ran
from two_loops.demo.request import last_message, places, quoted, sent
from two_loops.text import visible
from two_loops.values.events import Event, GuardActed, ModelCalled, ModelRequested, RunEnded, RunFailed, ToolCalled
from two_loops.wording import counted, dollars

Told = Iterator[tuple[str, str]]


@dataclass(frozen=True)
class Line:
    """One line: a heading has no label, and what goes on with the line before has an empty one."""

    label: str | None
    text: str


def in_lines(playing: Playing, planted: str | None = None) -> list[Line]:
    """The whole run, step by step, in lines that a screen may show as they are."""
    lines = []
    for event in playing.events:
        if isinstance(event, (ModelRequested, RunEnded, RunFailed)):
            lines.append(Line(None, f"step {event.step}" if isinstance(event, ModelRequested) else "end"))
        words: Callable[..., Told] = _WORDS.get(type(event), _nothing)
        lines += [Line(label, visible(text)) for label, text in words(event, playing, planted)]
    return lines


def _nothing(_event: Event, _playing: Playing, _planted: str | None) -> Told:
    yield from ()


def _request(event: ModelRequested, playing: Playing, planted: str | None) -> Told:
    request = playing.requests[event.step - 1]
    yield "sent", sent(request)
    yield from (("", text) for text in last_message(request, planted))
    if planted is not None:
        yield from (("planted", f"the note's order stands in {place}") for place in places(request, planted))


def _reply(event: ModelCalled, playing: Playing, _planted: str | None) -> Told:
    replies = [message["content"] for message in playing.result.messages if message["role"] == "assistant"]
    content = replies[event.step - 1] if event.step <= len(replies) else []  # a last reply without any is not kept
    yield "came back", f"{event.stop_reason}: {'; '.join(map(_block, content)) or 'nothing'}"
    yield "tokens", f"{event.input_tokens} in + {event.output_tokens} out; {_so_far(event.step, playing)}"


def _block(block: dict[str, Any]) -> str:
    if block["type"] == "tool_use":
        return called(block["name"], block.get("input"))
    return quoted(block["text"]) if block["type"] == "text" else str(block["type"])


def called(tool: str, given: Any) -> str:
    """A call in one line."""
    named = isinstance(given, dict)
    return (
        f"{tool}({', '.join(f'{name}={quoted(value)}' for name, value in given.items()) if named else quoted(given)})"
    )


def _so_far(step: int, playing: Playing) -> str:
    made = [event for event in playing.events if isinstance(event, ModelCalled) and event.step <= step]
    tokens = f"{sum(event.input_tokens for event in made)} + {sum(event.output_tokens for event in made)}"
    return f"so far {tokens}, {dollars(*(event.cost_usd for event in made))}"


def _guard(event: GuardActed, _playing: Playing, _planted: str | None) -> Told:
    yield "guard", f"{event.guard} {event.outcome} the {'call' if event.outcome == 'refused' else 'run'}: {event.why}"


def _tool(event: ToolCalled, playing: Playing, _planted: str | None) -> Told:
    if not event.is_error:
        label, outcome = "ran", f"found {_found(event.output)}"
    else:
        label, outcome = ("ran", "failed") if _ran(event, playing) else ("refused", "did not run")
    yield label, f"{called(event.tool, event.input)}: {outcome}"


def _ran(event: ToolCalled, playing: Playing) -> bool:
    """Whether a tool ran for the call: it did so after the call before."""
    earlier = takewhile(lambda moment: moment is not event, playing.moments)
    since = takewhile(lambda moment: not isinstance(moment, ToolCalled), reversed(list(earlier)))
    return any(isinstance(moment, Ran) for moment in since)


def _found(output: str) -> str:
    shown = [f"{snippet['file']}:{snippet['line']}-{snippet['last_line']}" for snippet in json.loads(output)]
    return ", ".join(shown) or "nothing"


def _end(event: RunEnded, _playing: Playing, _planted: str | None) -> Told:
    yield "status", event.status
    yield "answer", "none" if event.answer is None else quoted(event.answer)
    yield "steps", f"{event.steps}, with {counted(event.tool_calls, 'tool call')} answered"
    yield "tokens", f"{event.tokens_in} in + {event.tokens_out} out"
    yield "cost", dollars(event.cost_usd)


def _failure(event: RunFailed, _playing: Playing, _planted: str | None) -> Told:
    yield "status", event.reason
    yield "error", f"{event.error}: {event.message}"
    yield "steps", f"{event.steps}, with {counted(event.tool_calls, 'tool call')} answered"


_WORDS: Mapping[type, Callable[..., Told]] = {
    ModelRequested: _request,
    ModelCalled: _reply,
    GuardActed: _guard,
    ToolCalled: _tool,
    RunEnded: _end,
    RunFailed: _failure,
}

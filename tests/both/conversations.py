"""Conversations beyond the guards' table: every odd reply that a model or a server may send."""

from typing import Any

from tests.both.guard_cases import ANSWER, GUARD_CASES, find
from tests.both.trial import Conversation
from two_loops import Limits
from two_loops.stand_ins.script import calls, message, says, tool_use

NOTHING = says("Not in the notes")
TEXT = {"type": "text", "text": "Let me see."}
THINKING = {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"}
REDACTED = {"type": "redacted_thinking", "data": "ZGF0YQ=="}
CALL = tool_use("find", query="a")
SERVER_CALL = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "a"}}
SURROGATE_KEY = {"a": {"\ud800": 1}}
HOSTILE = "rm -rf /\n\x1b[2J\u202e"


def raw_use(value: Any, **fields: Any) -> dict[str, Any]:
    """A call whose input is any JSON value."""
    return {"type": "tool_use", "id": "toolu_1", "name": "find", "input": value} | fields


def without_input() -> dict[str, Any]:
    """A call that has no input at all."""
    return {"type": "tool_use", "id": "toolu_1", "name": "find"}


def container(identity: str) -> dict[str, str]:
    """Where a server's own tools keep their files."""
    return {"id": identity, "expires_at": "2030-01-01T00:00:00Z"}


def paused(*blocks: dict[str, Any]) -> dict[str, Any]:
    """A reply that wants to be sent back."""
    return message(list(blocks), stop_reason="pause_turn")


def conversation(name: str, *replies: Any, limits: Limits | None = None, **options: Any) -> Conversation:
    """One conversation."""
    return Conversation(name=name, replies=replies, limits=limits, options=options)


NORMAL = [
    conversation("an answer at once", says("Hello [boiler.txt]")),
    conversation("one search", find("a"), ANSWER),
    conversation("several calls in one reply", find("a", "b", "c"), ANSWER),
    conversation("text before a call", calls(TEXT, CALL), ANSWER),
    conversation("several texts", message([says("On 12 March ")["content"][0], says("[boiler.txt]")["content"][0]])),
    conversation("thinking is sent back unchanged", calls(THINKING, REDACTED, TEXT, CALL), ANSWER),
    conversation(
        "every tool once",
        calls(
            CALL,
            tool_use("count", "toolu_2", n=1),
            tool_use("odd", "toolu_3", kind="dict"),
            tool_use("fail", "toolu_4", kind="RuntimeError"),
            tool_use("erase", "toolu_5", path="x"),
        ),
        NOTHING,
    ),
    conversation("one id for two calls", calls(CALL, tool_use("find", query="b")), ANSWER),
    conversation("an optional argument", calls(tool_use("count", n=3, exact=True)), NOTHING),
    conversation("a search without a hit", calls(tool_use("find", query="nothing")), NOTHING),
    conversation("a citation of what an empty search did not show", calls(tool_use("find", query="nothing")), ANSWER),
]

REASONS = (
    "end_turn",
    "max_tokens",
    "refusal",
    "stop_sequence",
    "model_context_window_exceeded",
    "compaction",
    "tool_use",
    "pause_turn",
    "brand_new",
)

STOPS = [
    *(
        conversation(f"{reason} with {what} at once", message(content, stop_reason=reason), NOTHING)
        for reason in REASONS
        for what, content in (("nothing", []), ("a blank text", [{"type": "text", "text": " \n"}]))
    ),
    conversation("a blank text beside a call", calls({"type": "text", "text": ""}, CALL), ANSWER),
    conversation("a blank text beside a paused one", paused({"type": "text", "text": ""}, TEXT), ANSWER),
    *(
        conversation(f"{reason} with {what}", find("a"), message(content, stop_reason=reason), NOTHING)
        for reason in REASONS
        for what, content in (("a text", [TEXT]), ("a call", [TEXT, tool_use("find", query="b")]), ("nothing", []))
        if (reason, what) not in {("tool_use", "a call"), ("pause_turn", "a text")}
    ),
    conversation("a pause, then an answer", paused(TEXT), says("So: Not in the notes"), NOTHING),
    conversation("the same pause twice", paused(TEXT), paused(TEXT), ANSWER),
    conversation("a pause after results", find("a"), paused(TEXT), ANSWER),
    conversation("a pause as the last step but one", find("a"), paused(TEXT), ANSWER, limits=Limits(max_steps=3)),
    conversation("blank text at the end", find("a"), says("  \n ")),
    conversation("thinking alone at the end", find("a"), message([THINKING])),
    conversation("a blank text beside thinking", find("a"), message([THINKING, says("")["content"][0]])),
]

ODD_CALLS = [
    *(
        conversation(
            f"a tool named {name[:20]!r}", calls(tool_use(name), tool_use("find", "toolu_2", query="a")), ANSWER
        )
        for name in ("", "nope", HOSTILE, "n" * 100_000, "sur\ud800rogate", "Find", "find ")
    ),
    conversation(
        "an unknown tool between two known",
        calls(CALL, tool_use("nope", "toolu_2"), tool_use("find", "toolu_3", query="b")),
        ANSWER,
    ),
    conversation("an unknown tool again and again", *[calls(tool_use("nope"))] * 6),
    conversation("missing arguments", calls(tool_use("find")), NOTHING),
    conversation("unknown arguments", calls(raw_use({"query": "a", "self": 1, "cls": 2, "": 3, HOSTILE: 4})), NOTHING),
    conversation("mistyped arguments", calls(tool_use("find", query=["a"])), NOTHING),
    conversation("a null argument", calls(tool_use("find", query=None)), NOTHING),
    conversation("null as input", calls(raw_use(None)), NOTHING),
    conversation("no input", calls(without_input()), NOTHING),
    conversation("a toolset's call", calls(raw_use({"query": "a"}, toolset_name="browser")), NOTHING),
    conversation("a lone surrogate in the text", calls({"type": "text", "text": "\udfff"}, CALL), ANSWER),
    conversation("a lone surrogate in a pause", paused({"type": "text", "text": "\udfff"}), ANSWER),
    conversation("a lone surrogate in the answer", find("a"), says("On 12 March \ud83d [boiler.txt]")),
    conversation(
        "a lone surrogate in a key of a server's call", paused(SERVER_CALL | {"input": SURROGATE_KEY}), ANSWER
    ),
    conversation("a lone surrogate in an id", calls(tool_use("find", "toolu_\ud800", query="a")), ANSWER),
    conversation(
        "a lone surrogate beside an unknown tool at the last step",
        find("a"),
        calls({"type": "text", "text": "\udfff"}, tool_use("nope")),
        ANSWER,
        limits=Limits(max_steps=3),
    ),
    conversation("an odd call before the last step", calls(tool_use("nope")), ANSWER, limits=Limits(max_steps=2)),
    conversation("a long argument", calls(tool_use("find", query="q" * 100_000)), ANSWER),
    conversation("a deep argument", calls(tool_use("find", query=[[[[[[["a"]]]]]]])), NOTHING),
    conversation("a call with a caller", calls(CALL | {"caller": {"type": "direct"}}), ANSWER),
    conversation(
        "a container to go on with",
        find("a", container=container("cont_1")),
        find("b"),
        find("c", container=container("cont_2")),
        ANSWER,
    ),
]

USAGE = [
    *(
        conversation(f"usage {usage}", find("a", usage=usage), ANSWER)
        for usage in (
            {},
            {"input_tokens": None, "output_tokens": None},
            {
                "input_tokens": 5,
                "output_tokens": 6,
                "cache_creation_input_tokens": None,
                "cache_read_input_tokens": None,
            },
            {"input_tokens": -5, "output_tokens": 6},
            {
                "input_tokens": 50_000,
                "output_tokens": 1,
                "cache_creation_input_tokens": 30_000,
                "cache_read_input_tokens": 30_000,
            },
            {
                "input_tokens": 1,
                "output_tokens": 1,
                "cache_creation_input_tokens": 9,
                "cache_creation": {"ephemeral_1h_input_tokens": 4, "ephemeral_5m_input_tokens": 5},
            },
        )
    ),
    conversation("a model without a price", find("a", model="unheard-of"), ANSWER, model="also-unheard-of"),
    conversation("priced by its own name", find("a", model="claude-opus-5-5"), ANSWER),
    conversation("an offline model from elsewhere", find("a", model="offline"), ANSWER, model="offline-2"),
]

# What the SDK can't add up from a stream: there the reply is unusable, to both agents.
UNSTREAMABLE = [
    conversation("a lone surrogate in the arguments", calls(tool_use("find", query="a\ud800")), ANSWER),
    conversation("a lone surrogate in a key of the arguments", calls(raw_use(SURROGATE_KEY)), ANSWER),
    conversation("a lone surrogate in a deep key of the arguments", calls(raw_use({"query": SURROGATE_KEY})), ANSWER),
    conversation("usage None", find("a", usage=None), ANSWER),
]

CONVERSATIONS = [*NORMAL, *STOPS, *ODD_CALLS, *USAGE, *(case.conversation for case in GUARD_CASES), *UNSTREAMABLE]

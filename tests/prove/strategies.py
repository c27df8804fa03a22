"""What is generated: whole conversations, with all that a model, a server, a tool or a caller may do in one."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from hypothesis import strategies as st

from tests.both.bench import FAILURES, HIDDEN, ODD
from tests.both.conversations import HOSTILE, REASONS, REDACTED, THINKING, container
from tests.both.trial import Conversation
from tests.prove.askers import SAYS, Asker
from tests.prove.faults import FAULTS, Fault
from two_loops import Limits
from two_loops.prices import prices_for
from two_loops.settings import MODEL
from two_loops.stand_ins.script import message

T = TypeVar("T")
Json = dict[str, Any]

SOME_TEXTS = (
    "a",
    "",
    " \n",
    "b",
    "Not in the notes",
    "On 12 March [boiler.txt:2].",
    "On 12 March [boiler.txt:3].",
    "So says [secret.txt], and [boiler.txt].",
    HOSTILE,
    HIDDEN,
    "e\u0301\u0345 \u0130 \ufdfa [boiler.txt:2]",
    "\x00\u2028\x85\ufeff\uffff\U0010ffff",
    "\U0001f468\u200d\U0001f469\ufe0f",
    '"}]\\',
)
ANSWERS = ("On 12 March [boiler.txt:2].", "Not in the notes", "Yes [boiler.txt].", "No [boiler.txt:9].")
SURROGATES = ("\udfff", "a\ud83d", "\ud83d\ude00")  # the last is one character in two halves
LONG_TEXTS = ("x" * 3000, "\u202e" * 200, "[boiler.txt:2] " * 150)
KNOWN = ("find", "erase", "count", "odd", "erase", "fail")
UNKNOWN = ("", "nope", "Find", "find ", "self", HOSTILE, "n" * 300)
IDS = ("toolu_1", "toolu_2", "toolu_3", "toolu_4", "", "toolu_1\n", "é" * 70)
COUNTS = (0, 1, 7, 500, 50_000, 100_000, 100_001, 10**12, 10**13, -5, None)
ODD_COUNTS = (*COUNTS, True, "5", 5.0)  # where a field may be null, and in streams, the SDK makes counts of these
SLOW_ODD = ("endless", "long text", "long dict")


@st.composite
def mostly(draw: st.DrawFn, usual: st.SearchStrategy[T], rare: st.SearchStrategy[T], times: int) -> T:
    """The usual thing, so many times more often than the rare one."""
    return draw(rare if draw(st.sampled_from(range(times + 1))) == times else usual)


def one(values: Sequence[T]) -> st.SearchStrategy[T]:
    """One of the values."""
    return st.sampled_from(values)


clean_texts = mostly(one(SOME_TEXTS) | st.text(max_size=8), one(LONG_TEXTS), 40)
texts = mostly(clean_texts, one(SURROGATES) | st.text(st.characters(), max_size=4), 15)
odd_texts = mostly(clean_texts, one(SURROGATES), 60)  # where a lone surrogate ends a streamed run

numbers = st.integers(-(10**20), 10**20) | one([0, 1, 5, 2**63, -(2**64)]) | st.floats(allow_nan=False, width=32)
scalars = st.none() | st.booleans() | numbers | odd_texts
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(odd_texts, inner, max_size=3),
    max_leaves=5,
)

GOOD: Mapping[str, st.SearchStrategy[Json]] = {
    "find": st.fixed_dictionaries(
        {"query": mostly(one(["a", "b", "nothing"]), mostly(odd_texts, st.just("many"), 9), 4)}
    ),
    "count": st.fixed_dictionaries(
        {"n": st.integers(0, 3)}, optional={"word": one(["a", "b"]), "exact": st.booleans()}
    ),
    "odd": st.fixed_dictionaries(
        {"kind": mostly(one([kind for kind in ODD if kind not in SLOW_ODD]), one(SLOW_ODD), 60)}
    ),
    "fail": st.fixed_dictionaries({"kind": one([kind for kind in FAILURES if kind != "Ctrl-C"])}),
    "erase": st.fixed_dictionaries({"path": one(["a.txt", "b.txt"]) | odd_texts}),
}
ARGUMENTS = ("query", "n", "word", "exact", "kind", "path", "self", "cls", "_arguments", "")
wrong_inputs = st.dictionaries(one(ARGUMENTS) | odd_texts, values, max_size=3)
no_objects = mostly(st.none(), values, 3)  # the stream of a call whose input is no object adds up to nothing


@st.composite
def calls(draw: st.DrawFn) -> Json:
    """One call, as a rule one that can run."""
    kind = draw(one(["good"] * 12 + ["wrong", "wrong", "unknown", "unknown", "no input", "no object"]))
    name = draw(mostly(one(UNKNOWN), texts, 3) if kind == "unknown" else one(KNOWN))
    block = {"type": "tool_use", "id": draw(mostly(one(IDS[:4]), one(IDS) | texts, 12)), "name": name}
    if kind != "no input":
        inputs = {"wrong": wrong_inputs, "no object": no_objects}
        block["input"] = draw(inputs[kind] if kind in inputs else GOOD.get(name, wrong_inputs))
    return block | draw(mostly(st.just({}), one(CALL_EXTRAS), 15))


CALL_EXTRAS: tuple[Json, ...] = (
    {"caller": {"type": "direct"}},
    {"toolset_name": "browser"},
    {"toolset_name": None},
    {"caller": None, "brand_new": [1]},
)
TEXT_EXTRAS: tuple[Json, ...] = (
    {"citations": None},
    {"citations": [{"type": "char_location", "cited_text": "a", "document_index": 0, "start_char_index": 0}]},
    {"brand_new": {"a": None}},
)
OTHER_BLOCKS: tuple[Json, ...] = (
    THINKING,
    REDACTED,
    THINKING | {"thinking": ""},
    {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "a"}},
    {"type": "brand_new", "x": 1},
    {"type": "brand_new", "text": "a", "id": None},
    {"type": "compaction", "content": "All of it."},
)

text_blocks = st.builds(
    lambda text, extra: {"type": "text", "text": text} | extra, texts, mostly(st.just({}), one(TEXT_EXTRAS), 12)
)
quiet_blocks = mostly(text_blocks, one(OTHER_BLOCKS), 3)

usages = mostly(
    st.just({"input_tokens": 500, "output_tokens": 60}),
    mostly(
        st.fixed_dictionaries(
            {},
            optional={
                "input_tokens": mostly(one(COUNTS), one(ODD_COUNTS), 8),
                "output_tokens": mostly(one(COUNTS), one(ODD_COUNTS), 8),
                "cache_creation_input_tokens": one(COUNTS),
                "cache_read_input_tokens": one(COUNTS),
                "cache_creation": st.none()
                | st.fixed_dictionaries(
                    {"ephemeral_1h_input_tokens": one(COUNTS), "ephemeral_5m_input_tokens": one(COUNTS)}
                ),
                "service_tier": one(["standard", "brand_new"]),
            },
        ),
        st.none(),
        30,
    ),
    2,
)
fields = st.fixed_dictionaries(
    {"usage": usages},
    optional={
        "container": mostly(st.none(), one([container("cont_1"), container("cont_2")]), 3),
        "model": mostly(st.just(MODEL), one(["claude-opus-5-5", "unheard-of", "offline", "", "\ud800"]), 6),
        "stop_sequence": mostly(st.none(), texts, 6),
        "id": texts,
        "brand_new": st.none() | texts,
    },
)
reasons = one([*REASONS, "brand new\n\u202e", "tool_use\ud800", ""])


def replies(content: st.SearchStrategy[list[Json]], reason: st.SearchStrategy[str]) -> st.SearchStrategy[Json]:
    """Replies of such content that stop for such a reason."""
    return st.builds(
        lambda content, reason, fields: message(content, stop_reason=reason, **fields), content, reason, fields
    )


def together(*blocks: st.SearchStrategy[list[Json]]) -> st.SearchStrategy[list[Json]]:
    """The blocks one after the other."""
    return st.tuples(*blocks).map(lambda parts: [block for part in parts for block in part])


some_quiet = mostly(st.just([]), st.lists(quiet_blocks, min_size=1, max_size=2), 2)
some_calls = mostly(st.lists(calls(), min_size=1, max_size=2), st.lists(calls(), min_size=3, max_size=5), 6)
asking = replies(together(some_quiet, some_calls), st.just("tool_use"))
paused = replies(st.lists(quiet_blocks, min_size=1, max_size=2), st.just("pause_turn"))
wild = replies(st.lists(quiet_blocks | calls(), max_size=3), reasons)
answers = replies(st.lists(text_blocks, min_size=1, max_size=2), st.just("end_turn"))
cited = replies(one(ANSWERS).map(lambda text: [{"type": "text", "text": text}]), st.just("end_turn"))
faults = st.builds(Fault, one(sorted(FAULTS)))

going_on = st.lists(mostly(asking, paused, 3), max_size=4)
repeated = st.builds(lambda reply, times: [reply] * times, asking, st.integers(2, 7))
ends = mostly(st.lists(st.one_of(cited, answers, wild, wild, faults), min_size=1, max_size=2), st.just([]), 6)
scripts = st.builds(lambda parts, end: [*parts, *end], mostly(going_on, repeated, 4), ends)


askers = st.builds(Asker, one(sorted(SAYS)), waits=st.booleans())


@st.composite
def limits(draw: st.DrawFn, priced: bool) -> Limits:
    """Limits of any kind but time, which no two runs take the same of."""
    return Limits(
        max_steps=draw(mostly(st.just(6), st.integers(1, 8), 2)),
        max_tool_calls=draw(mostly(st.none(), st.integers(1, 6), 2)),
        max_total_tokens=draw(mostly(st.none(), one([560, 1120, 1121, 1680, 200_000, 1]), 1)),
        max_cost_usd=draw(mostly(st.none(), one([0.00008, 0.00016, 0.0002, 0.00024, 0.5, 1e-9]), 1))
        if priced
        else None,
        answer_at_limit=draw(mostly(st.just(True), st.just(False), 3)),
    )


@st.composite
def conversations(draw: st.DrawFn) -> Conversation:
    """A script of replies, which may end too soon, and what the caller asked for."""
    options = draw(
        st.fixed_dictionaries(
            {"approve": mostly(askers, st.none(), 3)},
            optional={
                "model": mostly(st.just(MODEL), one(["claude-opus-5-5", "unheard-of", "offline-2"]), 2),
                "max_tokens": st.integers(1, 21_333),
                "log_content": st.booleans(),
            },
        )
    )
    priced = prices_for(str(options.get("model", MODEL))) is not None
    return Conversation(
        name="generated",
        question=draw(mostly(st.just("When?"), texts.filter(str.strip), 5)),
        replies=draw(scripts),
        limits=draw(limits(priced)),
        options=options,
    )

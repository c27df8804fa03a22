"""What a run reports while it goes on: the lines of the log, as typed values.

``CONTENT`` names, for each event, the fields that hold words of notes, questions, answers or tools made up by a
model; a log without content leaves them out.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal


@dataclass(frozen=True, kw_only=True)
class QuestionAsked:
    """A run starts. ``system_sha256`` and ``tools_sha256`` tell whether two runs had the same prompt and tools."""

    event: ClassVar[str] = "question"
    CONTENT: ClassVar[frozenset[str]] = frozenset({"question"})

    question: str
    model: str
    max_tokens: int
    limits: dict[str, Any]
    toolset: str
    tools: list[str]
    system_sha256: str
    tools_sha256: str
    version: str
    sdk_version: str


@dataclass(frozen=True, kw_only=True)
class ModelRequested:
    """A request goes out. ``step`` counts model calls from 1; ``messages`` is the length of the history sent."""

    event: ClassVar[str] = "model_request"
    CONTENT: ClassVar[frozenset[str]] = frozenset()

    step: int
    messages: int


@dataclass(frozen=True, kw_only=True)
class TextDelta:
    """A piece of the text of a streamed reply, which may yet be cut off. It is for listeners alone: no log has it."""

    event: ClassVar[str] = "text_delta"
    CONTENT: ClassVar[frozenset[str]] = frozenset({"text"})

    step: int
    text: str


@dataclass(frozen=True, kw_only=True)
class ModelCalled:
    """A reply came back. ``cost_usd`` is None where it could not be priced; ``duration_s`` is in seconds.

    model, stop_reason and request_id are the server's own words.
    """

    event: ClassVar[str] = "model_call"
    CONTENT: ClassVar[frozenset[str]] = frozenset()

    step: int
    model: str
    stop_reason: str
    input_tokens: int
    output_tokens: int
    cache_creation_input_tokens: int
    cache_read_input_tokens: int
    cost_usd: float | None
    duration_s: float
    request_id: str | None


@dataclass(frozen=True, kw_only=True)
class ToolCalled:
    """A call was answered, by the tool or by a guard.

    known: the name is one of the toolset's. output: what the model reads. detail: what only the log may hold.
    approval: what was decided of a risky call, None where nobody was to be asked; decided_by: by whom, where the asker
    says so. duration_s: seconds, the asking included.
    """

    event: ClassVar[str] = "tool_call"
    CONTENT: ClassVar[frozenset[str]] = frozenset({"tool_use_id", "input", "output", "detail"})

    step: int
    tool: str
    known: bool
    tool_use_id: str
    input: Any
    is_error: bool
    output: str
    detail: str | None
    approval: Literal["approved", "denied"] | None
    decided_by: str | None
    duration_s: float


@dataclass(frozen=True, kw_only=True)
class GuardActed:
    """A guard refused a call or stopped the run."""

    event: ClassVar[str] = "guard"
    CONTENT: ClassVar[frozenset[str]] = frozenset({"detail"})

    guard: str
    outcome: Literal["refused", "stopped"]
    why: str
    detail: str | None = None


@dataclass(frozen=True, kw_only=True)
class RunEnded:
    """The run has a result."""

    event: ClassVar[str] = "result"
    CONTENT: ClassVar[frozenset[str]] = frozenset({"answer", "citations", "files_seen"})

    status: str
    answer: str | None
    at_limit: bool
    citations: list[dict[str, Any]]
    files_seen: list[str]
    steps: int
    tool_calls: int
    tokens_in: int
    tokens_out: int
    cost_usd: float | None
    stop_reason: str | None
    warnings: int
    duration_s: float


@dataclass(frozen=True, kw_only=True)
class RunFailed:
    """The run ended in an exception. ``reason`` is ``interrupted`` for Ctrl-C and cancelling, else ``failed``."""

    event: ClassVar[str] = "error"
    CONTENT: ClassVar[frozenset[str]] = frozenset({"message"})

    reason: Literal["interrupted", "failed"]
    error: str
    message: str
    steps: int
    tool_calls: int
    tokens_in: int
    tokens_out: int
    cost_usd: float | None
    duration_s: float


Logged = QuestionAsked | ModelRequested | ModelCalled | ToolCalled | GuardActed | RunEnded | RunFailed
Event = Logged | TextDelta

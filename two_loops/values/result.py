"""What a run returns."""

from typing import Any

from pydantic import BaseModel, ConfigDict, computed_field

from two_loops.values.backing import Backing, backed
from two_loops.values.citation import Citation
from two_loops.values.usage import Usage

ANSWERED = frozenset({"ok", "not_in_notes"})


class ToolCallMade(BaseModel):
    """A call that was answered, by the tool or by a guard; ``files_found`` are those that its result showed."""

    model_config = ConfigDict(frozen=True)

    step: int
    tool: str
    input: Any
    is_error: bool
    files_found: list[str]


class Result(BaseModel):
    """The outcome of one question.

    status: ``ok`` and ``not_in_notes`` are answers; every other status says why there is none. The unfinished result
    that an exception carries has the status ``failed`` or ``interrupted``.
    answer: the text of the reply that ended the model's turn, checked or not (see ``answered``); None without one.
    at_limit: the answer was given in the last request that the step limit allows.
    citations: what the answer cites, in order. files_seen: every file that a tool result showed, sorted.
    steps: model calls made. tokens_in: all input tokens, cached or not.
    cost_usd: the sum of each reply's price in US dollars; None when a reply had no known price.
    stop_reason: the last reply's, in the API's words.
    messages: the whole history, ready to be sent again once a user message is appended.
    warnings: what went wrong without ending the run. duration_s: seconds, without
    the time a person took to approve calls.
    """

    model_config = ConfigDict(frozen=True)

    status: str
    answer: str | None
    at_limit: bool
    citations: list[Citation]
    files_seen: list[str]
    steps: int
    tool_calls: list[ToolCallMade]
    usage: Usage
    tokens_in: int
    tokens_out: int
    cost_usd: float | None
    stop_reason: str | None
    messages: list[dict[str, Any]]
    warnings: list[str]
    run_id: str
    agent: str
    model: str
    duration_s: float

    @computed_field  # type: ignore[prop-decorator]  # pydantic's own advice for a computed property
    @property
    def answered(self) -> bool:
        """Whether this is an answer: checked citations, or an honest "Not in the notes"."""
        return self.status in ANSWERED

    @property
    def evidence(self) -> list[Backing]:
        """For each sentence of the answer, what was shown that shares its numbers, dates, names or quotations.

        It is worked out from ``messages`` when it is asked for, and costs no tokens.
        """
        files = {*self.files_seen, *(citation.file for citation in self.citations)}
        return backed(self.answer or "", files, self.messages)

    @property
    def unsupported(self) -> list[str]:
        """The answer's numbers, dates and quotations that stand in nothing that was shown, each once."""
        return list(dict.fromkeys(text for backing in self.evidence for text in backing.unsupported))

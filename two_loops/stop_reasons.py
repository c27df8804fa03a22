"""The one table of stop reasons: what each means for the loop, and the status that it leaves."""

from enum import Enum

from two_loops.values.reply import Reply

UNEXPECTED = "unexpected_stop"


class Step(Enum):
    """What the loop does after a reply."""

    RUN_TOOLS = "run_tools"
    RESUME = "resume"
    ANSWERED = "answered"
    STOP = "stop"


# Every value of the SDK's own lists has a row; a reason that no row names is an unexpected stop.
STOP_REASONS: dict[str, tuple[Step, str | None]] = {
    "tool_use": (Step.RUN_TOOLS, None),
    "pause_turn": (Step.RESUME, None),
    "end_turn": (Step.ANSWERED, None),
    "max_tokens": (Step.STOP, "max_tokens"),
    "refusal": (Step.STOP, "refusal"),
    "stop_sequence": (Step.STOP, "stop_sequence"),
    "model_context_window_exceeded": (Step.STOP, "model_context_window_exceeded"),
    "compaction": (Step.STOP, UNEXPECTED),  # summarises the history on request, and no request here asks for it
}


def next_step(reply: Reply) -> tuple[Step, str | None]:
    """The step that the reply's stop reason asks for, and the status when it is STOP.

    A reason that contradicts the reply's content is an unexpected stop: ``tool_use`` without a call, ``end_turn`` with
    one, and a pause that can't be resumed because it holds calls for us, or nothing.
    """
    step, status = STOP_REASONS.get(reply.stop_reason, (Step.STOP, UNEXPECTED))
    contradicts = {
        Step.RUN_TOOLS: not reply.calls,
        Step.RESUME: bool(reply.calls) or not reply.content,
        Step.ANSWERED: bool(reply.calls),
        Step.STOP: False,
    }
    return (Step.STOP, UNEXPECTED) if contradicts[step] else (step, status)

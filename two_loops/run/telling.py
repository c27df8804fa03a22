"""What happens in a run, as the events that tell of it."""

import copy
from collections.abc import Mapping
from decimal import Decimal

from two_loops import settings
from two_loops.run.answering import Answered
from two_loops.run.fingerprint import definitions_text, sha256
from two_loops.run.opening import Plan
from two_loops.run.tally import as_float
from two_loops.toolsets.tool import Tool
from two_loops.values.call import Call
from two_loops.values.decisions import Refused
from two_loops.values.events import GuardActed, ModelCalled, QuestionAsked, ToolCalled
from two_loops.values.reply import Reply


def asked(plan: Plan, model: str, system: str, tools: Mapping[str, Tool]) -> QuestionAsked:
    """The question, and what the run was set up with."""
    import anthropic

    return QuestionAsked(
        question=plan.question,
        model=model,
        max_tokens=plan.max_tokens,
        limits=dict(vars(plan.limits)),
        toolset=plan.toolset.name,
        tools=list(tools),
        system_sha256=sha256(system),
        tools_sha256=sha256(definitions_text(tools.values())),
        version=settings.own_version(),
        sdk_version=anthropic.__version__,
    )


def replied(step: int, reply: Reply, price: Decimal | None, seconds: float) -> ModelCalled:
    """A reply, its price and how long it took."""
    return ModelCalled(
        step=step,
        model=reply.model,
        stop_reason=reply.stop_reason,
        cost_usd=as_float(price),
        duration_s=seconds,
        request_id=reply.request_id,
        **vars(reply.usage),
    )


def refused(refusal: Refused) -> GuardActed:
    """A guard refused one call."""
    return GuardActed(guard=refusal.guard, outcome="refused", why=refusal.why, detail=refusal.detail)


def called(step: int, call: Call, made: Answered, *, known: bool) -> ToolCalled:
    """A call was answered. A listener may do with the input what it likes: it is a copy."""
    return ToolCalled(
        step=step,
        tool=call.tool,
        known=known,
        tool_use_id=call.id,
        input=copy.deepcopy(call.input),
        is_error=made.refused is not None,
        output=made.text,
        detail=made.refused.detail if made.refused else None,
        approval=made.approval,
        decided_by=made.decided_by,
        duration_s=made.seconds,
    )

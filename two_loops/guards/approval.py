"""A person's yes before each risky call. Only ``Approved()`` is a yes."""

import asyncio
import copy
import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from two_loops.text import clean, described
from two_loops.values.call import Approved, Call, Denied
from two_loops.values.decisions import Refused

NAME = "approval"
Approve = Callable[[Call], Approved | Denied]
ApproveAsync = Callable[[Call], Approved | Denied | Awaitable[Approved | Denied]]
NAME_KEPT = 100  # characters of the name of who decided
REASON_SHOWN = 500  # characters of the asker's reason that the model reads


@dataclass(frozen=True)
class NoAnswer:
    """Nobody said anything. why: a short reason. detail: what only the log may hold."""

    why: str
    detail: str | None = None


def asked(approve: ApproveAsync | None, call: Call) -> object:
    """What the asker says to a copy of the call: its answer, or something to wait for that brings the answer."""
    if approve is None:
        return NoAnswer("nobody is there to ask")
    try:
        return approve(copy.deepcopy(call))
    except Exception as error:  # noqa: BLE001  # whatever went wrong in the asker, it did not say yes
        return raised(error)


async def waited_for(answer: object) -> object:
    """The answer itself, once it is there."""
    if not inspect.isawaitable(answer):
        return answer
    cancelled_before = _cancelled()
    try:
        return await answer
    except asyncio.CancelledError as error:
        if _cancelled() > cancelled_before:
            raise
        return raised(error)  # not the run: what the asker waited for
    except Exception as error:  # noqa: BLE001  # the same in an asker that takes its time
        return raised(error)


def _cancelled() -> int:
    """How often this task was asked to stop."""
    task = asyncio.current_task()
    return task.cancelling() if task else 0


def raised(error: BaseException) -> NoAnswer:
    """What an asker that raised has said."""
    return NoAnswer(f"the asker raised {type(error).__name__}", described(error, repr))


def refusal(answer: object) -> Refused | None:
    """What an asker's answer means for the call: anything but a yes refuses it."""
    if isinstance(answer, Approved):
        return None
    if isinstance(answer, NoAnswer):
        return _denied(answer.why, detail=answer.detail)
    if inspect.iscoroutine(answer):
        answer.close()  # else Python warns later that nobody waited for it
    if not isinstance(answer, Denied):
        return _denied(f"the asker returned {type(answer).__name__}, which is no Approved()")
    reason = clean(described(answer.reason or ""))[:REASON_SHOWN].strip()
    told = f" The reason given: {reason.rstrip('.')}." if reason else ""
    return _denied("the asker denied it", told=told, detail=reason or None)


def decided_by(answer: object) -> str | None:
    """Who decided, where the answer is one that says so."""
    by = answer.by if isinstance(answer, (Approved, Denied)) else None
    return clean(by)[:NAME_KEPT] or None if isinstance(by, str) else None


def _denied(why: str, told: str = "", detail: str | None = None) -> Refused:
    text = f"The user denied this call, so it did not run.{told} Do not ask for it again; go on without it."
    return Refused(NAME, text, why, detail)

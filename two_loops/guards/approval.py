"""A person's yes before each risky call. Only ``Approved()`` is a yes."""

import copy
import inspect
from collections.abc import Callable

from two_loops.text import clean, described
from two_loops.values.call import Approved, Call, Denied
from two_loops.values.decisions import Refused

NAME = "approval"
Approve = Callable[[Call], Approved | Denied]
REASON_SHOWN = 500  # characters of the asker's reason that the model reads


def refusal(call: Call, approve: Approve | None) -> Refused | None:
    """Ask about a risky call; anything but a yes refuses it, an exception of the asker too."""
    if approve is None:
        return _denied("nobody is there to ask")
    try:
        answer = approve(copy.deepcopy(call))
    except Exception as error:  # noqa: BLE001  # whatever went wrong in the asker, it did not say yes
        return _denied(f"the asker raised {type(error).__name__}", detail=described(error, repr))
    return verdict(answer)


def verdict(answer: object) -> Refused | None:
    """What an asker's answer means for the call."""
    if isinstance(answer, Approved):
        return None
    if inspect.iscoroutine(answer):
        answer.close()  # else Python warns later that nobody waited for it
    if not isinstance(answer, Denied):
        return _denied(f"the asker returned {type(answer).__name__}, which is no Approved()")
    reason = clean(described(answer.reason or ""))[:REASON_SHOWN].strip()
    return _denied("the asker denied it", told=f" The reason given: {reason}" if reason else "", detail=reason or None)


def _denied(why: str, told: str = "", detail: str | None = None) -> Refused:
    text = f"The user denied this call, so it did not run.{told} Do not ask for it again; go on without it."
    return Refused(NAME, text, why, detail)

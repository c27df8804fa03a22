"""People who are asked before a risky call, and what they say to it."""

import json
from asyncio import sleep
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from two_loops import Approved, Call, Denied


def _angry(call: Call) -> Approved:
    raise OSError("no terminal")


def _scribbling(call: Call) -> Denied:
    call.input.clear()
    return Denied("not \u202ethat one\ud800")


SAYS: Mapping[str, Callable[[Call], Any]] = {
    "yes": lambda call: Approved(),
    "yes to a.txt": lambda call: Approved() if call.input == {"path": "a.txt"} else Denied("only a.txt"),
    "no": lambda call: Denied(),
    "no, and scribbles": _scribbling,
    "raises": _angry,
    "None": lambda call: None,
    "True": lambda call: True,
    "the class": lambda call: Approved,
}


@dataclass(frozen=True)
class Asker:
    """says: one of ``SAYS``. waits: on an event loop, the answer takes its time."""

    says: str
    waits: bool

    def approve(self, ran: list[str], *, on_loop: bool) -> Callable[[Call], Any]:
        """The function to give to ``ask``. It notes each yes in ``ran``, among the tools that run."""

        def asked(call: Call) -> Any:
            what = f"{call.tool} {json.dumps(call.input)}"
            said = SAYS[self.says](call)
            if isinstance(said, Approved):
                ran.append(f"yes to {what}")
            return said

        async def asked_later(call: Call) -> Any:
            await sleep(0)
            return asked(call)

        return asked_later if on_loop and self.waits else asked

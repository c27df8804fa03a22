"""The calls of a conversation, to look up what became of each."""

import json
from collections.abc import Sequence
from typing import Any

from two_loops.stand_ins.offline.conversation import Made, Wanted

_DENIED = "The user denied this call"


class Ledger:
    """Calls that were answered."""

    def __init__(self, made: Sequence[Made]) -> None:
        self._made = made

    def __contains__(self, call: Wanted) -> bool:
        return self._find(call) is not None

    def texts(self, tool: str) -> list[str]:
        """What came back from the calls of the tool that did what they should."""
        return [made.text for made in self._made if made.call.tool == tool and not made.failed]

    def text(self, call: Wanted) -> str | None:
        """What came back from the call; None where it was not made, or failed."""
        made = self._find(call)
        return None if made is None or made.failed else made.text

    def fields(self, call: Wanted) -> dict[str, Any]:
        """The same, as the object that it is; empty where it is none."""
        try:
            value = json.loads(self.text(call) or "")
        except (ValueError, RecursionError):
            return {}
        return value if isinstance(value, dict) else {}

    def why_not(self, call: Wanted) -> str:
        """The end of a sentence that says of a call that it came to nothing."""
        made = self._find(call)
        if made is None:
            return "."
        return ": the user denied it." if made.text.startswith(_DENIED) else f": {made.text}"

    def _find(self, call: Wanted) -> Made | None:
        return next((made for made in self._made if made.call == call), None)

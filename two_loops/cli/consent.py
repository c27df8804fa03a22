"""A person's yes to a risky call: given before with ``--yes``, or asked for on the terminal of the command."""

import json
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any

from rich.cells import chop_cells

from two_loops.cli.screen import cut, say
from two_loops.cli.terminal import Terminal
from two_loops.errors import WrongUse
from two_loops.text import visible
from two_loops.toolsets.toolset import Toolset
from two_loops.values.call import Approved, Call, Denied
from two_loops.wording import counted

SHOWN = 300  # characters of an argument that are shown at once
MARK = "  | "
LEAST = 10  # columns of text, however narrow the terminal is
BY_OPTION, BY_TERMINAL, BY_NOBODY = "--yes", "terminal", "nobody"  # who decided, in the log

_BLANKS = re.compile("[\\s\u2800\u3164]{9,}")


class Consent:
    """Decides on each risky call: yes for an agreed tool, no for any other."""

    def __init__(self, yes: Sequence[str], toolset: Toolset) -> None:
        """yes: the agreed tools. Raises WrongUse for one that the toolset lacks, or that needs no yes."""
        risky = [tool.name for tool in toolset.tools if tool.risky]
        for name in yes:
            if name not in risky:
                known = f"those that do are {', '.join(risky)}" if risky else "none does here"
                raise WrongUse(f"--yes {visible(name)}: no tool of that name needs a yes; {known}")
        self._agreed = frozenset(yes)

    def __call__(self, call: Call) -> Approved | Denied:
        """The decision on one call."""
        return Approved(by=BY_OPTION) if call.tool in self._agreed else self._asked(call)

    def _asked(self, _call: Call) -> Approved | Denied:
        return Denied("nobody was asked", by=BY_NOBODY)


class TerminalConsent(Consent):
    """Asks a person about a tool that is not agreed, on the controlling terminal, and only ``y`` or ``yes`` is a yes.

    Where there is no terminal the answer is no.
    """

    def __init__(self, yes: Sequence[str], toolset: Toolset, aside: Callable[[], object]) -> None:
        """aside: called before the terminal is written to."""
        super().__init__(yes, toolset)
        self._aside = aside

    def _asked(self, call: Call) -> Approved | Denied:
        try:
            with Terminal() as terminal:
                self._aside()
                said = _answer(terminal, call)
        except OSError:
            name = visible(call.tool)
            say(f"There is no terminal to ask on, so {name} was not allowed; --yes {name} allows it.", error=True)
            return Denied("there is no terminal to ask on", by=BY_NOBODY)
        return Approved(by=BY_TERMINAL) if said in ("y", "yes") else Denied(by=BY_TERMINAL)


def _answer(terminal: Terminal, call: Call) -> str:
    """What a person says to the call, in lower case."""
    whole, short = _described(call, sys.maxsize, terminal.columns), _described(call, SHOWN, terminal.columns)
    if whole != short:
        said = terminal.ask(f"\n{short}\nAllow? [y/N; v shows all of it] ").strip().lower()
        if said != "v":
            return said
    return terminal.ask(f"\n{whole}\nAllow? [y/N] ").strip().lower()


def _described(call: Call, longest: int, columns: int) -> str:
    """The tool, and its exact arguments as JSON.

    Each line of an argument has a mark, so that no text can pass for a line of ours; unseen characters are escaped, and
    long runs of blanks counted. The last line, which nothing pushes off the screen, names the tool again.
    """
    tool, given = visible(call.tool), call.input if isinstance(call.input, dict) else {}
    lines = [line for name, value in given.items() for line in _argument(name, value, longest, columns)]
    sizes = ", ".join(f"{visible(name)}: {counted(len(str(value)), 'character')}" for name, value in given.items())
    return "\n".join([f"The agent wants to run {tool}:", *lines, f"That is {tool} with {sizes or 'no arguments'}."])


def _argument(name: str, value: Any, longest: int, columns: int) -> list[str]:
    text = _BLANKS.sub(lambda run: f" [{len(run[0])} blanks] ", visible(json.dumps(value, ensure_ascii=False)))
    if len(text) > longest:
        text = f"{cut(text, longest)} ({len(text) - longest} more characters)"
    return [f"{MARK}{line}" for line in chop_cells(f"{visible(name)} = {text}", max(columns - len(MARK), LEAST))]

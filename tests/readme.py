"""The generated parts of the README: ``python -m tests.readme`` writes them anew, and a test holds them to it."""

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import getsource
from pathlib import Path

from tests.differences.facts import table as differences
from two_loops.cli.options import AGENTS
from two_loops.guards import MOMENTS

README = Path(__file__).parents[1] / "README.md"


def loop(agent: str) -> str:
    """The source of an agent's loop."""
    return f"```python\n{getsource(import_module(f'{AGENTS[agent]}.loop').loop)}```"


def guards() -> str:
    """Which guards stand at which moment."""
    rows = [f"| {moment} | {', '.join(f'`{name}`' for name in guards)} |" for moment, guards in MOMENTS.items()]
    return "\n".join(["| moment | guards |", "| --- | --- |", *rows])


PARTS: Mapping[str, Callable[[], str]] = {
    "manual loop": lambda: loop("manual"),
    "runner loop": lambda: loop("runner"),
    "guards": guards,
    "differences": differences,
}


def rewritten(text: str) -> str:
    """The README with each generated part as it has to be."""
    for name, part in PARTS.items():
        begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
        pattern = f"{re.escape(begin)}.*?{re.escape(end)}"
        assert len(re.findall(pattern, text, re.DOTALL)) == 1, f"the README has no part {name!r}"
        whole = f"{begin}\n{part().strip()}\n{end}"
        text = re.sub(pattern, lambda _, whole=whole: whole, text, flags=re.DOTALL)  # type: ignore[misc]
    return text


if __name__ == "__main__":
    README.write_text(rewritten(README.read_text()))

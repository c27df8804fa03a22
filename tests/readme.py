"""The generated parts of README and docs: ``python -m tests.readme`` writes them anew, and a test holds them to it."""

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import getsource
from pathlib import Path

from tests.differences.facts import costly, table
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


PARTS: Mapping[Path, Mapping[str, Callable[[], str]]] = {
    README: {
        "manual loop": lambda: loop("manual"),
        "runner loop": lambda: loop("runner"),
        "guards": guards,
        "costly differences": costly,
    },
    README.parent / "docs" / "runner.md": {"differences": table},
}


def rewritten(page: Path) -> str:
    """The page with each generated part as it has to be."""
    text = page.read_text()
    for name, part in PARTS[page].items():
        begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
        pattern = f"{re.escape(begin)}.*?{re.escape(end)}"
        assert len(re.findall(pattern, text, re.DOTALL)) == 1, f"{page.name} has no part {name!r}"
        whole = f"{begin}\n{part().strip()}\n{end}"
        text = re.sub(pattern, lambda _, whole=whole: whole, text, flags=re.DOTALL)  # type: ignore[misc]
    return text


if __name__ == "__main__":
    for page in PARTS:
        page.write_text(rewritten(page))

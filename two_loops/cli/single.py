"""``ask`` for one agent alone: the command of ``python -m manual_agent`` and ``python -m runner_agent``."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any

from two_loops.cli.ask import ask
from two_loops.cli.options import AgentName
from two_loops.cli.version import Version


def asking(agent: AgentName) -> Callable[..., None]:
    """``ask`` with the agent chosen: the same options but for ``--agent``, and ``--version``."""

    @wraps(ask)
    def asked(_version: Version, **options: Any) -> None:
        ask(agent=agent, **options)

    shared = inspect.signature(ask)
    kept = [parameter for name, parameter in shared.parameters.items() if name != "agent"]
    version = inspect.Parameter("_version", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=Version)
    asked.__signature__ = shared.replace(parameters=[*kept, version])  # type: ignore[attr-defined]  # what typer reads
    return asked

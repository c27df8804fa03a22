"""What the project takes from its surroundings: defaults, versions and the environment, read here and nowhere else."""

import os
from functools import cache
from importlib.metadata import PackageNotFoundError, version

MODEL = "claude-haiku-5-5"
OFFLINE = "offline"
LOG_PATH = "agent_log.jsonl"
TIMEOUT = 60.0  # seconds that a request may take with a client that we build


@cache
def own_version() -> str:
    """The installed version of this project."""
    try:
        return version("two-loops")
    except PackageNotFoundError:
        return "unknown"


def base_url() -> str | None:
    """The server that the environment names in place of the vendor's own."""
    return os.environ.get("ANTHROPIC_BASE_URL") or None

"""What a toolset tells every model: the whole system prompt and the tools' definitions, and a hash of each."""

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from two_loops.guards import untrusted_output
from two_loops.text import well_formed
from two_loops.toolsets.definition import definition_text
from two_loops.toolsets.tool import Tool
from two_loops.toolsets.toolset import Toolset


def system_prompt(toolset: Toolset) -> str:
    """The toolset's prompt, and the rule about tool output that no toolset can leave out."""
    return well_formed(f"{toolset.system}\n\n{untrusted_output.RULE}")


def definitions_text(tools: Iterable[Tool]) -> str:
    """The definitions of the tools as JSON, one a line."""
    return "\n".join(map(definition_text, tools))


class Fingerprint(NamedTuple):
    """The hashes that the log has of the prompt and of the tools' definitions."""

    system_sha256: str
    tools_sha256: str


def fingerprint(toolset: Toolset) -> Fingerprint:
    """That of every run with this toolset."""
    with toolset.opened() as tools:
        return Fingerprint(sha256(system_prompt(toolset)), sha256(definitions_text(tools)))


@lru_cache(maxsize=64)
def sha256(text: str) -> str:
    """The hash of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()

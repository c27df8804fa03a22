"""What the guards of one call can see of the run around it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from two_loops.toolsets.tool import Tool


@dataclass(frozen=True)
class Scene:
    """tools: the run's tools by name. made: how often each identical call was asked for, this one included.

    refused: how many calls each guard has refused, by the guard's name.
    """

    tools: Mapping[str, Tool]
    made: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

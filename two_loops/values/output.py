"""What a tool returned, on its way to the model."""

import json
from dataclasses import dataclass
from functools import cached_property
from typing import Any

as_json = json.JSONEncoder(ensure_ascii=False).encode


@dataclass(frozen=True)
class Output:
    """value: what of the tool's own result is shown. data: the same in JSON's types, as the model will read it."""

    value: Any
    data: Any = None

    @cached_property
    def text(self) -> str:
        """The JSON text to send."""
        return as_json(self.data)

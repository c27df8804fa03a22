"""The SDK's tool runner as one writes it first: a model, a question, some tools, and nothing around it."""

from collections.abc import Mapping
from typing import Any

from anthropic import beta_tool

from tests.both.bench import Bench
from two_loops import scripted_client
from two_loops.stand_ins.clients import ScriptedClient
from two_loops.stand_ins.script import MODEL


class Bare:
    """A bare runner that has not begun, over scripted replies and the bench's tools.

    ``client_options`` are those of the SDK's client, ``options`` those of ``tool_runner``.
    """

    def __init__(self, *replies: Any, client_options: Mapping[str, Any] | None = None, **options: Any) -> None:
        self.messages: list[Any] = [{"role": "user", "content": "When?"}]
        self.client: ScriptedClient = scripted_client(replies, **client_options or {})
        self._bench = bench = Bench()
        functions: list[Any] = [bench.find, bench.count, bench.odd, bench.fail]
        self.runner: Any = self.client.beta.messages.tool_runner(
            model=MODEL,
            max_tokens=1024,
            system="Use the tools.",
            messages=self.messages,
            tools=[beta_tool(function) for function in functions],
            **options,
        )

    @property
    def requests(self) -> list[dict[str, Any]]:
        """The JSON body of each request so far."""
        return self.client.requests

    @property
    def ran(self) -> list[str]:
        """What really ran, in order."""
        return self._bench.ran

    @property
    def results(self) -> list[dict[str, Any]]:
        """The tool results in the newest message of each request after the first."""
        newest = [request["messages"][-1]["content"] for request in self.requests[1:]]
        return [block for content in newest for block in content if block["type"] == "tool_result"]

    def close(self) -> None:
        """End the runner, then its client."""
        self.runner.close()
        self.client.close()

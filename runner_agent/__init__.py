"""The agent whose loop is the SDK's tool runner, ``client.beta.messages.tool_runner``."""

from runner_agent import async_loop, loop
from two_loops.agent import Agent

__all__ = ["ask", "ask_async"]

_agent = Agent("runner", loop.loop, async_loop.loop)
ask = _agent.ask
ask_async = _agent.ask_async

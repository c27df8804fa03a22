"""The agent whose loop is written by hand on ``client.messages.create``."""

from manual_agent import async_loop, loop
from two_loops.agent import Agent

__all__ = ["ask", "ask_async"]

_agent = Agent("manual", loop.loop, async_loop.loop)
ask = _agent.ask
ask_async = _agent.ask_async

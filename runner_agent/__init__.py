"""The agent whose loop is the SDK's tool runner, ``client.beta.messages.tool_runner``."""

from runner_agent.loop import loop
from two_loops.agent import Agent

__all__ = ["ask"]

ask = Agent("runner", loop).ask

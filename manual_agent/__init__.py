"""The agent whose loop is written by hand on ``client.messages.create``."""

from manual_agent.loop import loop
from two_loops.agent import Agent

__all__ = ["ask"]

ask = Agent("manual", loop).ask

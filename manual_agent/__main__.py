"""``python -m manual_agent "..."`` asks this agent one question."""

from two_loops.cli import ask_agent

ask_agent("manual")

"""What an agent runs with: tools that are plain functions, a prompt, limits, and the rule that judges an answer."""

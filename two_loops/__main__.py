"""``python -m two_loops`` is the command ``two-loops``."""

from two_loops.cli import main

main()

"""The terminal that a command was started from."""

import os
import termios
from contextlib import ExitStack
from pathlib import Path
from typing import Self

TERMINAL = Path("/dev/tty")
USUAL = 80  # columns, where a terminal does not say


class Terminal:
    """The controlling terminal, wherever standard input and output lead. Raises OSError where there is none."""

    def __init__(self) -> None:
        with ExitStack() as opened:
            self._typed = opened.enter_context(TERMINAL.open(errors="backslashreplace"))
            self._shown = opened.enter_context(TERMINAL.open("w", errors="backslashreplace"))
            self._opened = opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    @property
    def columns(self) -> int:
        """How wide it is."""
        try:
            return os.get_terminal_size(self._shown.fileno()).columns or USUAL
        except OSError:
            return USUAL

    def ask(self, question: str) -> str:
        """The line that is typed once the question is there, without its end; what was typed before is dropped."""
        termios.tcflush(self._typed, termios.TCIFLUSH)
        self._shown.write(question)
        self._shown.flush()
        return self._typed.readline().rstrip("\n")

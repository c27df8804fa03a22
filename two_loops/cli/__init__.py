"""The command line, ``two-loops``. Each command is a module; this one only brings them together."""

import os
import signal
import sys
import warnings
from typing import Any

import typer
from typer.core import TyperCommand

from two_loops.cli.ask import ask
from two_loops.cli.compare import compare
from two_loops.cli.demo import demo
from two_loops.cli.evals.eval import evaluate
from two_loops.cli.evals.eval_diff import eval_diff
from two_loops.cli.log import log
from two_loops.cli.options import AgentName
from two_loops.cli.screen import lenient
from two_loops.cli.search import search
from two_loops.cli.single import asking
from two_loops.cli.version import Version
from two_loops.cli.work import work


class Command(TyperCommand):
    """A command whose usage names what must be given as it is: QUESTION, not {QUESTION}."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words behind the command's name."""
        return [piece.strip("{}") for piece in super().collect_usage_pieces(ctx)]


def _made(help: str | None = None, **options: Any) -> typer.Typer:
    """An app whose texts are meant as they stand: what is in brackets is no markup."""
    both = {"help_option_names": ["-h", "--help"]}
    return typer.Typer(
        help=help, pretty_exceptions_enable=False, rich_markup_mode=None, context_settings=both, **options
    )


app = _made(
    help="One agent, two loops: written by hand and on the SDK's tool runner, inside the same guards.",
    no_args_is_help=True,
)
app.command(cls=Command)(ask)
app.command(cls=Command)(work)
app.command(cls=Command)(compare)
app.command(cls=Command)(demo)
app.command("eval", cls=Command)(evaluate)
app.command("eval-diff", cls=Command)(eval_diff)
app.command("log", cls=Command)(log)
app.command("search", cls=Command)(search)


@app.callback()
def _options(_version: Version = False) -> None:
    pass


def ask_agent(agent: AgentName) -> None:
    """The entry point of ``python -m manual_agent`` and ``python -m runner_agent``: one question, one agent."""
    alone = _made(add_completion=False)
    alone.command(cls=Command)(asking(agent))
    _run(alone, f"python -m {agent}_agent")


def main() -> None:
    """The entry point of the command ``two-loops``."""
    _run(app)


def _run(app: typer.Typer, name: str | None = None) -> None:
    lenient(sys.stdout, sys.stderr)
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:  # nohup, for one, has it ignored
            signal.signal(number, _ended)
    # The SDK's runner warns of a reply whose fields have the wrong type; whoever asks a question can't mend that.
    warnings.filterwarnings("ignore", message="Pydantic serializer warnings", category=UserWarning)
    try:
        app(prog_name=name)
    except OSError as error:  # a full disk or a closed pipe where the output should go
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
        sys.exit(f"Error: the output can't be written: {error.strerror}")


def _ended(number: int, _frame: object) -> None:
    """End as after Ctrl-C: what is open is closed, and what is temporary deleted."""
    sys.exit(128 + number)

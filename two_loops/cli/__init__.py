"""The command line, ``two-loops``. Each command is a module; this one only brings them together."""

import os
import sys
import warnings

import typer

from two_loops.cli.ask import ask
from two_loops.cli.demo import demo
from two_loops.cli.log import log
from two_loops.cli.screen import lenient
from two_loops.settings import own_version

app = typer.Typer(
    help="One agent, two loops: written by hand and on the SDK's tool runner, inside the same guards.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # what stands in brackets is meant as it stands
)
app.command()(ask)
app.command()(demo)
app.command("log")(log)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"two-loops {own_version()}")
        raise typer.Exit


@app.callback()
def _options(
    _version: bool = typer.Option(False, "--version", callback=_print_version, is_eager=True, help="Show the version."),
) -> None:
    pass


def ask_agent(agent: str) -> None:
    """The entry point of ``python -m manual_agent`` and ``python -m runner_agent``: ``two-loops ask`` for one agent."""
    main(["ask", "--agent", agent, *sys.argv[1:]], f"python -m {agent}_agent")


def main(arguments: list[str] | None = None, name: str | None = None) -> None:
    """The entry point of the command ``two-loops``."""
    lenient(sys.stdout, sys.stderr)
    # The SDK's runner warns of a reply whose fields have the wrong type; whoever asks a question can't mend that.
    warnings.filterwarnings("ignore", message="Pydantic serializer warnings", category=UserWarning)
    try:
        app(args=arguments, prog_name=name)
    except OSError as error:  # a full disk or a closed pipe where the output should go
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno() if sys.__stdout__ else 1)
        sys.exit(f"Error: the output can't be written: {error.strerror}")

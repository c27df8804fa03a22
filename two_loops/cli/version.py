"""The option ``--version``."""

from typing import Annotated

import typer

from two_loops.settings import own_version


def _print(wanted: bool) -> None:
    if wanted:
        typer.echo(f"two-loops {own_version()}")
        raise typer.Exit


Version = Annotated[bool, typer.Option("--version", callback=_print, is_eager=True, help="Show the version.")]

"""``two-loops ask``: one question, one agent."""

from functools import partial
from typing import Annotated

import typer

from two_loops.cli.asking import asked
from two_loops.cli.jobs import notes_job
from two_loops.cli.options import Asked, Notes, grouped


@grouped
def ask(
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="The question, in quotes; - reads it from standard input.")
    ],
    notes: Notes = None,
    *,
    way: Asked,
) -> None:
    """Answer a question from a folder of notes, citing them.

    Exit code 0: answered, or honestly not in the notes. 1: no answer, a check failed, or the API did. 2: wrong use, no
    key, a rejected one, or no permission. 130: interrupted.
    """
    asked(question, way, partial(notes_job, notes))

"""``two-loops work``: one task in a workspace, one agent, and a person's yes before anything is written."""

from functools import partial
from typing import Annotated

import typer

from two_loops.cli.asking import asked
from two_loops.cli.consent import TerminalConsent
from two_loops.cli.following import Follower
from two_loops.cli.jobs import workspace_job
from two_loops.cli.options import Asked, Yes, grouped
from two_loops.toolsets.toolset import Toolset


@grouped
def work(
    task: Annotated[str, typer.Argument(metavar="TASK", help="The task, in quotes; - reads it from standard input.")],
    workspace: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="The folder of text files. [default: a copy of the sample workspace]"),
    ] = None,
    yes: Yes = [],  # noqa: B006  # typer's way to say that it may be left out
    *,
    way: Asked,
) -> None:
    """Do a task in a folder of text files, asking on the terminal before anything is written.

    The agent lists, reads and searches files, and calculates. To append a note to notes.txt (save_note), or to write a
    new file under drafts/ (write_file), it needs your yes each time; without a terminal the answer is no.

    Exit code 0: answered, even where something was denied, or honestly not in the files. 1: no answer, a check failed,
    or the API did. 2: wrong use, no key, a rejected one, or no permission. 130: interrupted.
    """

    def consent(toolset: Toolset, follower: Follower) -> TerminalConsent:
        return TerminalConsent(yes, toolset, aside=follower.pause)

    asked(task, way, partial(workspace_job, workspace), consent)

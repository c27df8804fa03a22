"""``two-loops eval-diff``: a run of cases held against an earlier one."""

import json
from typing import Annotated

import typer

from two_loops.cli.evals import diffs
from two_loops.cli.exits import FAILED, told
from two_loops.cli.screen import say
from two_loops.values.limits import require_share


def eval_diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The file of the earlier run.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The file of the later run.")],
    margin: Annotated[
        float,
        typer.Option(
            metavar="SHARE", help="By how much a pass rate may fall, from 0 to 1, where there are several trials."
        ),
    ] = 0.2,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show what a run of cases won and lost against an earlier one, and what changed between the two.

    Exit code 0: nothing that passed fails now. 1: something does, or its pass rate fell by more than the margin where
    a model that never answers twice the same was tried several times. 2: wrong use.
    """
    from two_loops.evals import compare_runs
    from two_loops.evals.run_file import read_run

    with told():
        require_share("--margin", margin)
        compared = compare_runs(read_run(old), read_run(new), margin=margin)
    if as_json:
        typer.echo(json.dumps(diffs.whole(compared), default=str))
    else:
        say("\n".join(diffs.lines(compared)))
    raise typer.Exit(FAILED if compared.regressions else 0)

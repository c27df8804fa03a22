"""``two-loops search``: the search that the agents use, on the command line."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Any

import typer

from two_loops import samples
from two_loops.cli.exits import FAILED, told
from two_loops.cli.jobs import of_the_notes, require_notes
from two_loops.cli.options import Notes
from two_loops.cli.reading import reading
from two_loops.cli.screen import cut, say, say_marked
from two_loops.errors import ToolError, WrongUse
from two_loops.search import Notes as OpenNotes
from two_loops.search.asking import asks
from two_loops.search.choosing import Found
from two_loops.search.expanding import Wanted
from two_loops.search.finding import Findings
from two_loops.search.notes import LIMIT, WIDTH
from two_loops.search.snippets import marks
from two_loops.wording import place

MOST_FORMS = 8  # of a word that are named


def search(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="Two to five keywords.")],
    notes: Notes = None,
    limit: Annotated[int, typer.Option(metavar="N", help="Snippets at most.")] = LIMIT,
    width: Annotated[int, typer.Option(metavar="N", help="Characters of a snippet at most.")] = WIDTH,
    index: Annotated[
        str | None,
        typer.Option(metavar="DIR", help="Keep an index there for the next search; it holds the text of the notes."),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say why each line was chosen.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Search a folder of notes as the agents do, and show the best lines with the words that matched marked.

    Exit code 0: something was found. 1: nothing was. 2: wrong use.
    """
    folder = samples.NOTES if notes is None else notes
    with told(), reading(wanted=not as_json) as on_read, OpenNotes(folder, index, on_read=on_read) as opened:
        try:
            findings = opened.find(query, limit, width)
        except ToolError as error:
            raise WrongUse(str(error)) from error
        if not findings.found and not findings.not_read:
            require_notes(notes)
    if as_json:
        typer.echo(json.dumps(_as_json(findings, explain=explain)))
    else:
        _show(findings, notes, explain=explain)
    if not findings.found:
        raise typer.Exit(FAILED)


def _as_json(findings: Findings, *, explain: bool) -> dict[str, Any]:
    snippets = [asdict(found.snippet) | (_parts(found) if explain else {}) for found in findings.found]
    looked_for = {"looked_for": [_looked_for(term) for term in findings.wanted]} if explain else {}
    return {"snippets": snippets, "not_read": [asdict(missed) for missed in findings.not_read], **looked_for}


def _looked_for(term: Wanted) -> dict[str, Any]:
    return {"term": term.term.text, "as": dict(term.words), "rarity": term.rarity, "telling": term.telling}


def _parts(found: Found) -> dict[str, float]:
    line = found.line
    parts = {
        "chunk": line.chunk,
        "own": line.own,
        "together": line.together,
        "beside": line.beside,
        "length": -line.length,
    }
    return {"score": found.score, **parts, "weight": found.weight}


def _show(findings: Findings, folder: str | None, *, explain: bool) -> None:
    for notice in [*of_the_notes(folder), *(f"not searched: {of.file}: {of.reason}" for of in findings.not_read)]:
        say(notice, error=True, style="dim")
    if explain:
        say("\n".join(_terms(findings)) + "\n", style="dim")
    words = {word: how * term.rarity for term in findings.wanted for word, how in term.words.items()}
    for found in findings.found:
        shown = found.snippet
        say(place(shown.file, shown.line, shown.last_line), style="bold")
        for line in shown.snippet.split("\n"):
            say_marked(f"  {line}", lambda text: marks(text, words))
        if explain:
            say(f"  {_why(found)}", style="dim")
    if not findings.found:
        say("No line of the notes holds any of these words, or one like them.")


def _terms(findings: Findings) -> Iterator[str]:
    for term in findings.wanted:
        forms = sorted(term.words.items(), key=lambda form: (-form[1], form[0]))
        named = ", ".join(f"{word} {how:.1f}" for word, how in forms[:MOST_FORMS])
        more = f" and {len(forms) - MOST_FORMS} more" if len(forms) > MOST_FORMS else ""
        why = "it asks" if asks(term.term.text) else "common"
        helps = "" if term.telling else f"; {why}, so it only helps to choose"
        yield f"{cut(term.term.text, 40)}: counts as {cut(named)}{more}; rarity {term.rarity:.2f}{helps}"


def _why(found: Found) -> str:
    line = found.line
    parts = f"its chunk {line.chunk:.2f} + its words {line.own:.2f} + standing together {line.together:.2f}"
    further = "" if found.weight == 1 else f", times {found.weight:.2f} for a further line of its note"
    return f"{found.score:.2f}: {parts} + those beside it {line.beside:.2f} - its length {line.length:.2f}{further}"

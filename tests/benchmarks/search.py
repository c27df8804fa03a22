"""How well and how fast the search finds, beside the plainest search there is, in one run.

Run it with ``make bench-search``, or ``python -m tests.benchmarks.search [DATA] [--sizes 10,1000]``. DATA is a folder
of collections, each with ``notes/*.txt`` and ``queries.jsonl``, whose lines have a ``query``, perhaps ``kw`` and
``kw_typo``, and ``relevant``: files, with the ``lines`` that answer where they are known. Without it the questions are
those below, of the sample notes. hit: a relevant file is among the five results; line: a result starts at a line that
answers. Quote the ratios of times, since times themselves depend on the machine.
"""

import argparse
import json
import random
import re
import statistics
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import isnan, nan
from pathlib import Path
from time import process_time, sleep
from typing import Any

from two_loops.samples import NOTES
from two_loops.search import Notes
from two_loops.search.settling import SLOWEST_TICK_NS

LIMIT = 5
KINDS = {"question": "query", "keywords": "kw", "keywords with a typo": "kw_typo"}
WARM = 20

SYLLABLES = [first + second + third for first in "bdfgklmnprst" for second in "aeiou" for third in "lmnrst"]

Place = tuple[str, int]
Search = Callable[[str], list[Place]]

# Of each sample note: a question, keywords, the same misspelt, the file and the line that answers.
SAMPLES = [
    ("When was the boiler serviced?", "boiler serviced", "boyler servced", "boiler.txt", 2),
    ("When is the next service of the boiler due?", "next service boiler", "next servise boiler", "boiler.txt", 3),
    ("When does the home insurance renew?", "insurance renews", "insurnace renews", "insurance.txt", 2),
    ("Where is the policy number?", "policy number paper", "polcy number paper", "insurance.txt", 3),
    ("Which invoice did the supplier ask about?", "supplier invoice payment", "suplier invoice", "supplier.txt", 2),
    ("By when must the trip to the museum be paid?", "museum trip", "musuem trip", "school.txt", 2),
    ("When is the next check-up at the dentist?", "dentist check-up", "dentist chek-up", "dentist.txt", 2),
    ("When did the car pass its inspection?", "inspection passed", "inspecton passed", "car.txt", 3),
    ("Who serviced the bike?", "bike workshop wheel", "bike workshpo", "bike.txt", 3),
    ("When is the stock counted?", "stock count", "stock cuont", "meeting.txt", 3),
]


@dataclass(frozen=True)
class Asked:
    """A query, the files that answer it, and the lines of them that do where they are known."""

    query: str
    files: frozenset[str]
    places: frozenset[Place]


@dataclass(frozen=True)
class Set:
    """A folder of notes, and what is asked of it, by kind."""

    name: str
    notes: Path
    asked: dict[str, list[Asked]]


def baseline(folder: Path) -> Search:
    """Every line of every note, by the number of words of the query that are in it; the folder is read at each call."""

    def search(query: str) -> list[Place]:
        words = [word for word in re.findall(r"\w+", query.lower()) if len(word) > 2]
        found = []
        for path in sorted(folder.rglob("*.*")):
            for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
                if held := sum(word in line.lower() for word in words):
                    found.append((-held, path.relative_to(folder).as_posix(), number))
        return [(file, number) for _, file, number in sorted(found)[:LIMIT]]

    return search


def ours(folder: Path, index: Path | None = None, *, watch: bool = False) -> Search:
    """The search of the project, with its index open."""
    notes = Notes(folder, index, watch=watch)
    return lambda query: [(found.file, found.line) for found in notes.search(query, LIMIT)]


def samples() -> Set:
    """The sample notes, and what is asked of them above."""
    kinds: dict[str, list[Asked]] = {kind: [] for kind in KINDS}
    for *queries, file, line in SAMPLES:
        for kind, query in zip(KINDS, queries, strict=True):
            kinds[kind].append(Asked(str(query), frozenset({str(file)}), frozenset({(str(file), int(line))})))
    return Set("sample notes", NOTES, kinds)


def collections(data: Path, most: int) -> Iterator[Set]:
    """The collections in a folder, with at most so many queries of each."""
    for file in sorted(data.glob("*/queries.jsonl")):
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        kinds = {kind: [_asked(row, field) for row in rows if row.get(field)][:most] for kind, field in KINDS.items()}
        yield Set(file.parent.name, file.parent / "notes", {kind: asked for kind, asked in kinds.items() if asked})


def _asked(row: dict[str, Any], field: str) -> Asked:
    places = frozenset((each["file"], line) for each in row["relevant"] for line in each.get("lines") or ())
    return Asked(row[field], frozenset(each["file"] for each in row["relevant"]), places)


def quality(sets: Sequence[Set]) -> Iterator[str]:
    """A line for each set and kind of query, and one for the mean of the sets."""
    yield f"{'':40}{'queries':>8}{'hit@5':>14}{'line@5':>14}"
    totals: dict[str, list[tuple[float, ...]]] = {kind: [] for kind in KINDS}
    for each in sets:
        plain, own = baseline(each.notes), ours(each.notes)
        for kind, asked in each.asked.items():
            of_each = (*_rates(plain, asked), *_rates(own, asked))
            totals[kind].append(of_each)
            yield _row(f"{each.name}, {kind}", len(asked), of_each)
    for kind, of_sets in totals.items():
        if len(of_sets) > 1:
            yield _row(f"mean, {kind}", len(of_sets), [_mean(values) for values in zip(*of_sets, strict=True)])


def _rates(search: Search, asked: Sequence[Asked]) -> tuple[float, float]:
    """How often a relevant file, and a line that answers, is found; NaN where no line is known."""
    found = [(set(search(each.query)), each) for each in asked]
    hits = [bool({file for file, _ in places} & each.files) for places, each in found]
    lines = [bool(places & each.places) for places, each in found if each.places]
    return _mean(hits), _mean(lines)


def _mean(values: Sequence[float]) -> float:
    known = [value for value in values if not isnan(value)]
    return statistics.mean(known) if known else nan


def _row(name: str, count: int, rates: Sequence[float]) -> str:
    hit, line, own_hit, own_line = (f"{rate:.2f}" if not isnan(rate) else "-" for rate in rates)
    return f"{name:40}{count:8}{f'{hit} > {own_hit}':>14}{f'{line} > {own_line}':>14}"


def speed(sizes: Sequence[int], lines: Sequence[str], queries: Sequence[str]) -> Iterator[str]:
    """A line for each size of a folder: the CPU time of the plain search, and how many times faster ours is.

    first: with the reading of all notes. warm: then. changed: after one note changed. told: by Linux of what changes.
    kept: of a new process, with the index on disk.
    """
    yield f"{'notes':>8}{'plain, ms':>11}{'first':>8}{'warm':>8}{'changed':>9}{'told':>9}{'kept on disk':>14}"
    for size in sizes:
        with tempfile.TemporaryDirectory() as place:
            folder, index = Path(place, "notes"), Path(place, "index")
            written(folder, size, lines)
            sleep(SLOWEST_TICK_NS / 1e9)  # a note that has just changed is read again at each search
            plain = statistics.median(_times(baseline(folder), queries[:5]))
            own = ours(folder)
            first, warm = *_times(own, queries[:1]), statistics.median(_times(own, queries))
            with (folder / "0.txt").open("a") as note:
                note.write("zebra crossing\n")
            changed = _times(own, ["zebra"])[0]
            told = statistics.median(_times(ours(folder, watch=True), [*queries[:1], *queries])[1:])
            ours(folder, index)(queries[0])
            kept = _times(ours(folder, index), queries[:1])[0]
            ratios = [f"{plain / taken:.1f} x" for taken in (first, warm, changed, told, kept)]
            yield f"{size:8}{plain * 1000:11.1f}{ratios[0]:>8}{ratios[1]:>8}{ratios[2]:>9}{ratios[3]:>9}{ratios[4]:>14}"


def written(folder: Path, size: int, lines: Sequence[str]) -> None:
    """A folder of so many notes of about 1,000 characters, made of the lines in an order that is always the same."""
    folder.mkdir()
    order = random.Random(size)
    for number in range(size):
        chosen: list[str] = []
        while sum(map(len, chosen)) < 1000:
            chosen.append(
                " ".join([*order.choice(lines).split(), f"{order.choice(SYLLABLES)}{order.choice(SYLLABLES)}"])
            )
        (folder / f"{number}.txt").write_text("\n".join(chosen) + "\n", encoding="utf-8")


def _times(search: Search, queries: Sequence[str]) -> list[float]:
    """The CPU seconds of each query."""
    times = []
    for query in queries:
        before = process_time()
        search(query)
        times.append(process_time() - before)
    return times


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.search")
    parser.add_argument("data", nargs="?", type=Path, help="a folder of collections")
    parser.add_argument("--sizes", default="10,1000,10000", help="of the folders for the second table")
    parser.add_argument("--max", type=int, default=120, help="queries of a set and kind at most")
    given = parser.parse_args()
    sets = [samples()] if given.data is None else list(collections(given.data, given.max))
    if not sets:
        sys.exit(f"There is no collection (NAME/notes and NAME/queries.jsonl) in {given.data}.")
    print(f"Python {sys.version.split()[0]}; plain > ours; CPU time, medians")
    lines = [
        line for note in sorted(sets[0].notes.rglob("*.*")) for line in note.read_text("utf-8").splitlines() if line
    ]
    queries = [asked.query for kind in sets[0].asked.values() for asked in kind][:WARM]
    for row in (*quality(sets), "", *speed([int(size) for size in given.sizes.split(",")], lines, queries)):
        print(row, flush=True)


if __name__ == "__main__":
    main()

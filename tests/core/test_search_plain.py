"""A Python whose sqlite lacks FTS5, or that has no sqlite at all, searches with an index in plain Python."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from two_loops.samples import NOTES
from two_loops.search import Notes, SearchResults, notes
from two_loops.search.plain import PlainIndex

WORDS = ["boiler", "boilers", "pump", "the", "serviced", "12/03", "INV-2031", "été", "锅炉维修", "€", "party", "art"]
QUERIES = [
    "boiler",
    "boilr pump",
    "the",
    "servicing the pumps",
    "12/03",
    "inv",
    "锅炉",
    "€",
    "->",
    "art party",
    "note 3",
]


def write(folder: Path, order: random.Random) -> None:
    for number in range(order.randint(1, 30)):
        lines = (" ".join(order.choices(WORDS, k=order.randint(0, 9))) for _ in range(order.randint(1, 40)))
        (folder / f"note {number}.txt").write_text("\n".join(lines), encoding="utf-8")


def plainly(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Notes:
    """The folder's notes with the index in plain Python."""
    monkeypatch.setattr(notes, "made", PlainIndex)
    return Notes(folder)


@pytest.mark.parametrize("seed", range(5))
def test_both_kinds_of_index_find_the_same(tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    order = random.Random(seed)
    write(tmp_path, order)
    with Notes(tmp_path) as kept:
        found = [kept.search(query, limit=20) for query in QUERIES]
        plain = plainly(tmp_path, monkeypatch)

        assert [plain.search(query, limit=20) for query in QUERIES] == found
        write(tmp_path, order)
        assert [plain.search(query, limit=20) for query in QUERIES] == [kept.search(q, limit=20) for q in QUERIES]


def test_the_samples_are_searched_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    queries = ["boiler serviced", "boyler", "insurance renew", "due July", "money"]
    with Notes(NOTES) as kept:
        found: list[SearchResults] = [kept.search(query) for query in queries]

    plain = plainly(NOTES, monkeypatch)

    assert [plain.search(query) for query in queries] == found


@pytest.mark.parametrize(
    "lacking",
    [
        pytest.param("sys.modules['sqlite3'] = None", id="no sqlite"),
        pytest.param(
            "import sqlite3; C = sqlite3.Connection\n"
            "class Old(C):\n"
            "    def execute(self, query, *more):\n"
            "        if 'fts5' in query: raise sqlite3.OperationalError('no such module: fts5')\n"
            "        return C.execute(self, query, *more)\n"
            "connect = sqlite3.connect\n"
            "sqlite3.connect = lambda *given, **more: connect(*given, factory=Old, **more)",
            id="sqlite without FTS5",
        ),
    ],
)
def test_a_python_without_what_the_index_needs_searches_all_the_same(lacking: str, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("The boiler hums.\n")
    script = (
        f"import sys\n{lacking}\nfrom two_loops import search_notes\nprint(search_notes('boilr', sys.argv[1])[0].line)"
    )

    made = subprocess.run([sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True)

    assert (made.stdout, made.stderr) == ("1\n", "")

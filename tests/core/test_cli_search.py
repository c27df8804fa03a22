"""The command ``two-loops search``."""

import json
import os
import pty
import re
import sys
from pathlib import Path

import pytest

from tests.core.test_cli import two_loops


def test_the_best_lines_are_shown_with_their_places(tmp_path: Path) -> None:
    made = two_loops("search", "boyler service", folder=tmp_path)

    assert made.returncode == 0
    assert made.stdout.startswith("boiler.txt:2-4\n  Serviced on 12 March by Ortiz Heating.\n  Next")
    assert "sample notes" in made.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_program_reads_json(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Zoë: the boiler\n", encoding="utf-8")
    (tmp_path / "b.txt").write_bytes(b"\0")

    made = two_loops("search", "boiler", "--notes", ".", "--json", folder=tmp_path)

    assert made.stdout.isascii()
    assert json.loads(made.stdout) == {
        "snippets": [{"file": "a.txt", "line": 1, "last_line": 1, "snippet": "Zoë: the boiler"}],
        "not_read": [{"file": "b.txt", "reason": "it looks binary"}],
    }


def test_why_a_line_was_chosen_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("the pumps\n\nthe boiler\n")

    told = two_loops("search", "boilr pump", "--notes", ".", "--explain", "--width", "12", folder=tmp_path).stdout
    made = two_loops("search", "boilr pump", "--notes", ".", "--explain", "--json", folder=tmp_path)

    assert "boilr: counts as boiler 0.8; rarity " in told
    assert "pump: counts as pumps 0.6; rarity " in told
    assert " for a further line of its note" in told
    whole = json.loads(made.stdout)
    assert [(term["term"], term["as"]) for term in whole["looked_for"]] == [
        ("boilr", {"boiler": 0.8}),
        ("pump", {"pumps": 0.6}),
    ]
    for snippet in whole["snippets"]:
        parts = sum(snippet[part] for part in ("chunk", "own", "together", "beside", "length"))
        assert snippet["score"] == pytest.approx(parts * snippet["weight"])


def test_why_a_word_only_helps_to_choose_is_told(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"{number}.txt").write_text("the thing\n")
    (tmp_path / "a.txt").write_text("where the boiler is\n")

    told = two_loops("search", "where the boiler", "--notes", ".", "--explain", folder=tmp_path).stdout

    assert re.search(r"^where: .*; it asks, so it only helps to choose$", told, re.MULTILINE)
    assert re.search(r"^the: .*; common, so it only helps to choose$", told, re.MULTILINE)
    assert re.search(r"^boiler: .*; rarity [0-9.]+$", told, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["zeppelin"], 1, "No line of the notes holds any of these words"),
        ([""], 2, "Error: The query is empty: give two to five keywords."),
        (["boiler", "--limit", "0"], 2, "Error: --limit must be at least 1, not 0"),
        (["boiler", "--width", "3"], 2, "Error: --width must be at least 10, not 3"),
        (["boiler", "--notes", "nowhere"], 2, "Error: there is no folder"),
        (["boiler", "--notes", ""], 2, "Error: there is no folder '' to search"),
        (["boiler", "--index", ""], 2, "Error: no index can be kept in '': give a directory"),
        ([], 2, "Usage: python -m two_loops search [OPTIONS] QUERY"),
    ],
)
def test_exit_codes(arguments: list[str], code: int, told: str, tmp_path: Path) -> None:
    made = two_loops("search", *arguments, folder=tmp_path)

    assert made.returncode == code
    assert told in made.stdout + made.stderr
    assert "Traceback" not in made.stderr


def test_any_number_of_snippets_may_be_wanted(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("the boiler\n", encoding="utf-8")

    made = two_loops("search", "boiler", "--notes", ".", "--limit", str(2**70), folder=tmp_path)
    symbols = two_loops("search", "§", "--notes", ".", "--limit", str(2**70), folder=tmp_path)

    assert (made.returncode, made.stdout, made.stderr) == (0, "a.txt:1\n  the boiler\n", "")
    assert (symbols.returncode, symbols.stderr) == (1, "")


@pytest.mark.parametrize("name", ["Zoë.txt", "boiler 🎻.md", os.fsdecode(b"a\xff.txt")])
def test_where_python_takes_names_for_ascii_each_note_is_found(name: str, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / name).write_text("the heater\n", encoding="utf-8")
    ascii_names = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}

    in_memory = two_loops("search", "heater", "--notes", "notes", folder=tmp_path, **ascii_names)
    kept = two_loops("search", "heater", "--notes", "notes", "--index", "i", folder=tmp_path)
    again = two_loops("search", "heater", "--notes", "notes", "--index", "i", folder=tmp_path, **ascii_names)

    assert [made.stdout.splitlines()[1] for made in (in_memory, kept, again)] == ["  the heater"] * 3
    assert in_memory.stderr == kept.stderr == again.stderr == ""


def on_a_terminal(*arguments: str) -> str:
    """All that a search draws on a terminal."""
    drawn = []

    def read(descriptor: int) -> bytes:
        drawn.append(os.read(descriptor, 1024))
        return drawn[-1]

    pty.spawn(["env", "TERM=xterm-256color", sys.executable, "-m", "two_loops", "search", *arguments], read)
    return b"".join(drawn).decode()


def test_on_a_terminal_the_words_that_matched_are_marked(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("An Ångström of boilers\n", encoding="utf-8")

    drawn = on_a_terminal("angstrom boiler", "--notes", str(tmp_path))

    assert "An \x1b[1;33mÅngström\x1b[0m of \x1b[1;33mboilers\x1b[0m" in drawn


def test_hostile_notes_draw_nothing(tmp_path: Path) -> None:
    (tmp_path / "a\x1b[2J.txt").write_text("\x1b[2J\x07 boiler [bold]x[/] :smile: \u202e\n", encoding="utf-8")

    drawn = on_a_terminal("boiler", "--notes", str(tmp_path), "--explain")

    assert "\x1b[2J" not in drawn
    assert "\x07" not in drawn
    assert "\u202e" not in drawn
    assert "\\x1b[2J\\x07" in drawn
    assert "[bold]x[/] :smile: \\u202e" in drawn


def test_a_large_folder_tells_how_many_of_its_notes_were_read(tmp_path: Path) -> None:
    for number in range(1001):
        (tmp_path / f"{number}.txt").write_text("the boiler\n")

    drawn = on_a_terminal("boiler", "--notes", str(tmp_path))

    assert "making an index: 1000 notes read" in drawn
    assert drawn.count("\x1b[?25l") == drawn.count("\x1b[?25h") > 0  # the cursor is back once the line is gone


def test_a_small_folder_needs_no_such_line(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("the boiler\n")

    assert "making an index" not in on_a_terminal("boiler", "--notes", str(tmp_path))


def test_a_folder_without_a_note_is_no_folder_to_search(tmp_path: Path) -> None:
    told = []
    for name, content in {"picture.png": b"x", "binary.txt": b"\0", "a.txt": b"the pump\n"}.items():
        (tmp_path / name).write_bytes(content)
        made = two_loops("search", "boiler", "--notes", ".", folder=tmp_path)
        told.append((made.returncode, made.stdout, made.stderr))

    nothing = "No line of the notes holds any of these words, or one like them.\n"
    binary = "not searched: binary.txt: it looks binary\n"
    assert told[0] == (2, "", "Error: there is no .txt or .md note to read in .\n")
    assert [(code, binary in error) for code, _, error in told[1:]] == [(1, True), (1, True)]
    assert [out + error.replace(binary, "") for _, out, error in told[1:]] == [nothing, nothing]

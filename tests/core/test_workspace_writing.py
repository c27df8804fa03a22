"""The only two ways to write: a line behind the notes, and a new draft. Both are whole or not there at all."""

import os
import resource
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from two_loops.errors import ToolError, WrongUse
from two_loops.search.opening import MAX_NOTE_BYTES
from two_loops.tools import Written, save_note, write_file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace inside a folder that must stay as it is."""
    (tmp_path / "space").mkdir()
    return tmp_path / "space"


def refused(write: Callable[[], Written]) -> str:
    """What the model is told of something that was not written."""
    with pytest.raises(ToolError) as error:
        write()
    return str(error.value)


@contextmanager
def full_at(size: int) -> Iterator[None]:
    """No file of this process can grow beyond the size, as on a disk that is full."""
    before, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_note_is_one_line_behind_the_others(folder: Path) -> None:
    assert save_note("Total: 1780", folder) == Written("notes.txt", 1, 1)
    assert save_note("  Zoë said\r\nyes\n", folder) == Written("notes.txt", 2, 2)
    assert save_note("a\u2028b\x1b[2J\u202e\0c\ud800", folder) == Written("notes.txt", 3, 3)

    assert (folder / "notes.txt").read_text("utf-8") == "Total: 1780\nZoë said yes\na b[2Jc\ufffd\n"


@pytest.mark.parametrize(("torn", "line"), [("one\ntwo", 3), ("one\r\ntwo\r\n", 3), ("one", 2), ("\n", 2), ("", 1)])
def test_a_note_is_never_glued_to_a_torn_line(folder: Path, torn: str, line: int) -> None:
    (folder / "notes.txt").write_bytes(torn.encode())

    assert save_note("new", folder).line == line
    assert (folder / "notes.txt").read_bytes().splitlines() == [*torn.encode().splitlines(), b"new"]


def test_a_note_has_at_most_500_characters(folder: Path) -> None:
    assert (
        refused(lambda: save_note("é" * 501, folder)) == "The note has 501 characters, more than 500: say it in fewer."
    )
    assert refused(lambda: save_note(" \n\u200b", folder)) == "The note is empty: give its text."
    assert list(folder.iterdir()) == []

    save_note("é" * 500, folder)
    assert (folder / "notes.txt").read_text("utf-8") == "é" * 500 + "\n"


def test_notes_are_appended_only_to_a_file_of_its_own(folder: Path) -> None:
    outside = folder.parent / "outside.txt"
    outside.write_text("mine\n")
    notes = folder / "notes.txt"
    unfit: dict[str, Callable[[], None]] = {
        "it is a link, not a file": lambda: notes.symlink_to(outside),
        "it is a link, not a file.": lambda: notes.symlink_to(folder / "nowhere"),
        "it is a folder, not a file": notes.mkdir,
        "it is a pipe, not a file": lambda: os.mkfifo(notes),
        "it has a second name elsewhere": lambda: notes.hardlink_to(outside),
        "it is no text in UTF-8": lambda: _write(notes, "old\n".encode("utf-16")),
        "it is no text in UTF-8.": lambda: _write(notes, b"\0\1"),
        "it holds more than 8 MiB": lambda: _write(notes, b"\n" * (MAX_NOTE_BYTES + 1)),
    }
    for told, make in unfit.items():
        make()
        before = notes.lstat()

        assert refused(lambda: save_note("new", folder)).startswith(
            f"Nothing was saved, as notes.txt can't be written: {told}"
        )
        assert (notes.lstat().st_size, notes.lstat().st_mtime_ns) == (before.st_size, before.st_mtime_ns)
        notes.rmdir() if notes.is_dir() else notes.unlink()
    assert outside.read_text() == "mine\n"
    assert sorted(folder.parent.iterdir()) == [outside, folder]


def _write(file: Path, data: bytes) -> None:
    file.write_bytes(data)


def test_a_note_for_which_there_is_no_room_leaves_nothing(folder: Path) -> None:
    (folder / "notes.txt").write_text("old\n")
    with full_at(10):
        told = refused(lambda: save_note("new and longer", folder))

    assert told == "Nothing was saved, as notes.txt can't be written: no space left on device."
    assert (folder / "notes.txt").read_text() == "old\n"


def test_notes_saved_at_once_are_all_there_and_know_their_lines(folder: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        saved = list(pool.map(lambda number: save_note(f"note {number}", folder), range(100)))

    lines = (folder / "notes.txt").read_text().splitlines()
    assert [lines[written.line - 1] for written in saved] == [f"note {number}" for number in range(100)]
    assert len(lines) == 100


def test_a_draft_is_a_new_markdown_file(folder: Path) -> None:
    assert write_file("drafts/a.md", "# Zoë\r\n\nrent\x1b[2J 1200\n", folder) == Written("drafts/a.md", 1, 3)
    (folder / "drafts" / "sub").mkdir()
    assert write_file("./drafts//sub/b c.md", "one", folder) == Written("drafts/sub/b c.md", 1, 1)

    assert (folder / "drafts" / "a.md").read_text("utf-8") == "# Zoë\n\nrent[2J 1200\n"
    assert sorted(path.name for path in (folder / "drafts").iterdir()) == ["a.md", "sub"]


def test_a_draft_is_never_overwritten(folder: Path) -> None:
    write_file("drafts/caf\u00e9.md", "first", folder)
    (folder / "drafts" / "link.md").symlink_to(folder.parent / "new.md")
    (folder / "drafts" / "folder.md").mkdir()

    for name in ("caf\u00e9.md", "cafe\u0301.md", "link.md", "folder.md"):
        told = refused(lambda name=name: write_file(f"drafts/{name}", "second", folder))  # type: ignore[misc]
        assert told == f"drafts/{name} exists, and nothing is overwritten: choose another name."
    assert (folder / "drafts" / "caf\u00e9.md").read_text() == "first"
    assert not (folder.parent / "new.md").exists()


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("a.md", "a.md is no .md file under drafts/: use a path such as drafts/summary.md."),
        ("notes.txt", "no .md file under drafts/"),
        ("drafts", "no .md file under drafts/"),
        ("drafts.md", "no .md file under drafts/"),
        ("drafts/a.txt", "no .md file under drafts/"),
        ("drafts/a.MD", "no .md file under drafts/"),
        ("drafts/a.md/b", "no .md file under drafts/"),
        ("other/a.md", "no .md file under drafts/"),
        ("Drafts/a.md", "no .md file under drafts/"),
        ("drafts/.md", "is hidden"),
        ("drafts/.git/a.md", "is hidden"),
        ("drafts/../a.md", "holds '..'"),
        ("/drafts/a.md", "is an absolute path"),
        ("drafts/a\0.md", "holds a NUL character"),
        ("", "The path is empty"),
        ("drafts/a\n.md", "holds control or invisible characters: use a plain name."),
        ("drafts/a\u202e.md", "holds control or invisible characters"),
        ("drafts/a\udce9.md", "holds control or invisible characters"),
        ("drafts/nowhere/a.md", "There is no such folder: write it as drafts/a.md."),
        (f"drafts/{'n' * 300}.md", "was not written: its path is too long."),
    ],
)
def test_nothing_else_can_be_written(folder: Path, path: str, told: str) -> None:
    assert told in refused(lambda: write_file(path, "text", folder))
    assert [found for found in folder.parent.rglob("*") if found.is_file()] == []


def test_no_link_leads_a_draft_elsewhere(folder: Path) -> None:
    outside = folder.parent / "outside"
    outside.mkdir()
    (folder / "drafts").symlink_to(outside)

    told = refused(lambda: write_file("drafts/a.md", "text", folder))
    assert told == "drafts/a.md was not written: drafts: it is a link, not a folder."
    (folder / "drafts").unlink()
    (folder / "drafts").write_text("")
    told = refused(lambda: write_file("drafts/a.md", "text", folder))
    assert told == "drafts/a.md was not written: drafts: it is a file, not a folder."
    assert list(outside.iterdir()) == []


def test_a_draft_for_which_there_is_no_room_leaves_nothing(folder: Path) -> None:
    with full_at(10):
        told = refused(lambda: write_file("drafts/a.md", "x" * 100, folder))

    assert told == "drafts/a.md was not written: file too large."
    assert list((folder / "drafts").iterdir()) == []


def test_a_draft_has_text_and_a_bound(folder: Path) -> None:
    assert refused(lambda: write_file("drafts/a.md", " \n", folder)) == "The text is empty: give the draft's text."
    assert "has 100001 characters, more than 100000" in refused(
        lambda: write_file("drafts/a.md", "x" * 100_001, folder)
    )
    assert list(folder.iterdir()) == []


def test_of_those_who_write_one_draft_at_once_one_wins(folder: Path) -> None:
    texts = [f"{number}\n" * 1000 for number in range(8)]

    def attempt(text: str) -> str | None:
        try:
            write_file("drafts/a.md", text, folder)
        except ToolError:
            return None
        return text

    with ThreadPoolExecutor(8) as pool:
        won = [text for text in pool.map(attempt, texts) if text]

    assert [(folder / "drafts" / "a.md").read_text()] == won
    assert list((folder / "drafts").iterdir()) == [folder / "drafts" / "a.md"]


def test_a_workspace_that_does_not_exist_is_wrong_use(folder: Path) -> None:
    with pytest.raises(WrongUse, match="there is no folder"):
        save_note("text", folder / "nowhere")
    with pytest.raises(WrongUse, match="there is no folder"):
        write_file("drafts/a.md", "text", folder / "nowhere")


@pytest.mark.parametrize("between", ["\n", "\r\n", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"])
def test_a_note_of_two_lines_becomes_one_with_a_space(between: str, tmp_path: Path) -> None:
    save_note(f"one{between}two", tmp_path)

    assert (tmp_path / "notes.txt").read_text() == "one two\n"

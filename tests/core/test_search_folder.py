"""Which files of a folder are searched, and that nothing else is touched, waited for or followed."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from two_loops.search import NotRead, Snippet, finding, freshness, opening, search_notes
from two_loops.search.folders import signature_of
from two_loops.search.opening import RefusedError
from two_loops.search.ranking import Ranked, ranked

LEAVES = "it is a link that leaves the folder"


pytestmark = pytest.mark.usefixtures("never_waits")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    return tmp_path / "notes"


def files(folder: Path, query: str = "boiler") -> list[str]:
    return sorted(found.file for found in search_notes(query, folder, limit=20))


def test_text_and_markdown_below_the_folder_are_searched(folder: Path) -> None:
    (folder / "sub folder" / "deep").mkdir(parents=True)
    for name in ("a.txt", "B.TXT", "c.md", "d.Md", "e.rst", "txt", "sub folder/f.md", "sub folder/deep/g [1].txt"):
        (folder / name).write_text("boiler\n")

    assert files(folder) == ["B.TXT", "a.txt", "c.md", "d.Md", "sub folder/deep/g [1].txt", "sub folder/f.md"]


def test_hidden_folders_and_files_are_left_out(folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / ".git" / "a.txt").write_text("boiler")
    (folder / ".b.txt").write_text("boiler")

    assert files(folder) == []
    assert files(folder / ".git") == ["a.txt"]


def test_the_folder_may_be_given_as_text_or_through_a_link(folder: Path) -> None:
    (folder / "a.txt").write_text("boiler")
    link = folder.parent / "link"
    link.symlink_to(folder)

    expected = [Snippet("a.txt", 1, 1, "boiler")]
    assert search_notes("boiler", str(folder)) == search_notes("boiler", link) == expected


def test_a_link_out_of_the_folder_is_not_followed(folder: Path) -> None:
    outside = folder.parent / "outside"
    outside.mkdir()
    (outside / "secret.txt").write_text("boiler")
    (folder / "a.txt").symlink_to(outside / "secret.txt")
    (folder / "b").symlink_to(outside)
    (folder / "c.dat").symlink_to(outside / "secret.txt")

    results = search_notes("boiler", folder)

    assert results == []
    assert results.not_read == (NotRead("a.txt", LEAVES), NotRead("b", LEAVES))


def test_a_link_inside_the_folder_shows_no_note_twice(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "real.txt").write_text("boiler")
    (folder / "sub" / "plain").write_text("boiler")
    (folder / "again.txt").symlink_to("sub/real.txt")
    (folder / "plain.txt").symlink_to("sub/plain")
    (folder / "loop").symlink_to(".")
    (folder / "sub" / "up").symlink_to("..")

    results = search_notes("boiler", folder)

    assert results == [Snippet("plain.txt", 1, 1, "boiler"), Snippet("sub/real.txt", 1, 1, "boiler")]
    assert results.not_read == ()


def test_links_to_nothing_and_in_a_circle_are_reported(folder: Path) -> None:
    (folder / "gone.txt").symlink_to("nowhere.txt")
    (folder / "round.txt").symlink_to("round.txt")
    (folder / "round").symlink_to("round")

    assert search_notes("boiler", folder).not_read == (
        NotRead("gone.txt", "it is gone, or a link to nothing"),
        NotRead("round.txt", "it is a link that leads in a circle"),
    )


def test_pipes_and_devices_are_not_opened(folder: Path) -> None:
    os.mkfifo(folder / "pipe.txt")
    os.mkfifo(folder / "pipe")
    (folder / "linked.txt").symlink_to("pipe")
    (folder / "null.txt").symlink_to("/dev/null")

    assert search_notes("boiler", folder).not_read == (
        NotRead("linked.txt", "it is a pipe, not a file"),
        NotRead("null.txt", LEAVES),
        NotRead("pipe.txt", "it is a pipe, not a file"),
    )


def test_binaries_are_reported(folder: Path) -> None:
    (folder / "a.txt").write_bytes(b"boiler\0boiler")

    assert search_notes("boiler", folder).not_read == (NotRead("a.txt", "it looks binary"),)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_every_encoding_is_read(folder: Path, encoding: str) -> None:
    (folder / "a.txt").write_bytes("first\r\nZoë: boiler, 5 €\r\n".encode(encoding))

    assert search_notes("zoe", folder) == [Snippet("a.txt", 2, 2, "Zoë: boiler, 5 €")]


def test_a_name_that_is_no_text_or_hides_something_is_shown_escaped(folder: Path) -> None:
    for name in (b"caf\xe9.txt", "a\x1b[2J\u202e.txt".encode(), "é 👨\u200d👩.txt".encode()):
        Path(os.fsdecode(bytes(folder) + b"/" + name)).write_text("boiler")

    assert files(folder) == ["a\\x1b[2J\\u202e.txt", "caf\\udce9.txt", "é 👨\u200d👩.txt"]


def test_only_the_first_part_of_a_huge_note_is_searched_and_that_is_said(folder: Path) -> None:
    line = "x" * 1023 + "\n"
    (folder / "huge.txt").write_text("boiler\n" + line * 8192 + "pump\n")
    (folder / "full.txt").write_bytes(b"valve\n".ljust(opening.MAX_NOTE_BYTES, b"\n"))

    results = search_notes("boiler pump valve", folder)

    assert sorted((found.file, found.line, found.snippet) for found in results) == [
        ("full.txt", 1, "valve"),
        ("huge.txt", 1, "boiler"),
    ]
    assert results.not_read == (NotRead("huge.txt", "too large: only its first 8 MiB are searched"),)


def test_a_sparse_terabyte_is_not_read(folder: Path) -> None:
    with (folder / "sparse.txt").open("wb") as sparse:
        sparse.truncate(1 << 40)

    assert [problem.file for problem in search_notes("boiler", folder).not_read] == ["sparse.txt", "sparse.txt"]


def test_a_line_of_ten_million_characters_is_searched_in_pieces_and_shown_around_its_hits(folder: Path) -> None:
    line = "".join(f"word{number} " for number in range(900_000))
    (folder / "long.txt").write_text(f"first\n{line}\nlast\n")
    (folder / "unspaced.txt").write_text("锅" * 3000 + "维修" + "炉" * 3000, encoding="utf-8")

    for query in ("word7", "word404040 word404041"):
        (found,) = search_notes(query, folder)

        assert (found.file, found.line, found.last_line, len(found.snippet) <= 200) == ("long.txt", 2, 2, True)
        assert all(f" {word} " in f" {found.snippet} " for word in query.split())
    (found,) = search_notes("维修", folder)
    assert "维修" in found.snippet


def test_one_note_that_can_not_be_read_among_many_is_reported_alone(folder: Path) -> None:
    for number in range(500):
        (folder / f"n{number}.txt").write_text(f"pump {number}\n")
    (folder / "lost.txt").symlink_to("nowhere")

    results = search_notes("pump 77", folder)

    assert results[0] == Snippet("n77.txt", 1, 1, "pump 77")
    assert [problem.file for problem in results.not_read] == ["lost.txt"]


def test_a_folder_that_disappears_during_a_search_is_reported(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.txt").write_text("boiler")

    def while_it_disappears(*given: Any) -> list[list[Ranked]]:
        shutil.rmtree(folder, ignore_errors=True)
        return ranked(*given)

    monkeypatch.setattr(finding, "ranked", while_it_disappears)
    results = search_notes("boiler", folder)

    assert results == []
    assert results.not_read == (NotRead(".", "it is gone, or a link to nothing"),)


def test_a_note_that_keeps_changing_is_not_shown_but_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "a.txt").write_text("boiler")
    (folder / "b.txt").write_text("boiler of b")

    def while_it_changes(*given: Any) -> list[list[Ranked]]:
        (folder / "a.txt").write_text((folder / "a.txt").read_text() + " again")
        return ranked(*given)

    monkeypatch.setattr(finding, "ranked", while_it_changes)
    results = search_notes("boiler", folder)

    assert results == [Snippet("b.txt", 1, 1, "boiler of b")]
    assert results.not_read == (NotRead("a.txt", "it kept changing while it was searched"),)


def test_a_folder_is_not_read_without_bound(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freshness, "MAX_FOLDER_BYTES", 10)
    (folder / "a.txt").write_text("boiler")
    (folder / "b.txt").write_text("boiler")

    results = search_notes("boiler", folder)

    assert [found.file for found in results] == ["a.txt"]
    assert [problem.file for problem in results.not_read] == ["b.txt"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_may_not_be_read_is_reported(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "a.txt").write_text("boiler")
    (folder / "a.txt").chmod(0)
    (folder / "sub").chmod(0)

    assert search_notes("boiler", folder).not_read == (
        NotRead("a.txt", "permission denied"),
        NotRead("sub", "permission denied"),
    )
    (folder / "sub").chmod(0o700)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (PermissionError(13, "Permission denied"), "permission denied"),
        (OSError(5, "Input/output error"), "input/output error"),
        (RefusedError("it is a pipe, not a file"), "it is a pipe, not a file"),
    ],
)
def test_a_note_that_fails_while_it_is_read_is_reported_and_the_rest_is_searched(
    folder: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, reason: str
) -> None:
    (folder / "b.txt").write_text("boiler")
    right = signature_of((folder / "b.txt").stat())
    found = [("a.txt", error, ""), ("b.txt", right, str(folder / "b.txt"))]
    monkeypatch.setattr(freshness, "notes_of", lambda *given: found)

    results = search_notes("boiler", folder)

    assert results == [Snippet("b.txt", 1, 1, "boiler")]
    assert results.not_read == (NotRead("a.txt", reason),)


def test_a_folder_nested_deeper_than_a_path_can_be_is_reported_and_the_rest_is_searched(folder: Path) -> None:
    (folder / "z.txt").write_text("boiler")
    here = os.open(folder, os.O_RDONLY)
    for _ in range(30):
        os.mkdir("d" * 200, dir_fd=here)
        inner = os.open("d" * 200, os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)

    results = search_notes("boiler", folder)

    assert results == [Snippet("z.txt", 1, 1, "boiler")]
    assert [problem.reason for problem in results.not_read] == ["its path is too long"]


def test_no_descriptor_is_left_open(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "a.txt").write_text("boiler")
    (folder / "plain").write_text("boiler")
    (folder / "b.txt").symlink_to("plain")
    before = os.dup(0)
    os.close(before)

    search_notes("boiler", folder)

    after = os.dup(0)
    os.close(after)
    assert after == before


def test_a_search_changes_nothing(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "a.txt").write_text("boiler")
    paths = [folder, folder / "sub", folder / "sub" / "a.txt"]
    before = [(path.stat().st_mtime_ns, path.stat().st_ctime_ns) for path in paths]

    search_notes("boiler", folder)

    assert [(path.stat().st_mtime_ns, path.stat().st_ctime_ns) for path in paths] == before
    assert [path.name for path in folder.iterdir()] == ["sub"]

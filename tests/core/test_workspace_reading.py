"""Listing and reading the files of a workspace: what is shown, what is refused, and what is said then."""

import os
import socket
from pathlib import Path

import pytest

from two_loops.errors import ToolError, WrongUse
from two_loops.samples import WORKSPACE
from two_loops.search.opening import MAX_NOTE_BYTES
from two_loops.tools import FileList, FileText, list_files, read_file
from two_loops.tools.listing import MOST_LISTED
from two_loops.tools.reading import LONGEST

pytestmark = pytest.mark.usefixtures("never_waits")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace beside a secret."""
    (tmp_path / "secrets.env").write_text("KEY=1")
    (tmp_path / "space" / "reports").mkdir(parents=True)
    (tmp_path / "space" / "budget.txt").write_text("rent 1200\n")
    (tmp_path / "space" / "reports" / "march.md").write_text("# March\n")
    return tmp_path / "space"


def refused(path: str, folder: Path, offset: int = 0) -> str:
    """What the model is told of a path that can't be read."""
    with pytest.raises(ToolError) as error:
        read_file(path, folder, offset)
    return str(error.value)


def named(folder: Path, name: bytes, text: str = "here") -> None:
    """A file whose name may be no text."""
    Path(os.fsdecode(bytes(folder) + b"/" + name)).write_text(text)


def test_the_sample_files_are_listed_and_read() -> None:
    files = ["budget.txt", "landlord.txt", "reports/march.md", "todo.txt"]
    assert list_files(WORKSPACE) == FileList(files, left_out=[])

    text = "Budget for April\n\nrent 1200\nfood 450\ntransport 130\n"
    assert read_file("budget.txt", WORKSPACE) == FileText("budget.txt", 1, 5, text, cut=None)


def test_a_listing_is_sorted_and_leaves_out_what_is_hidden_or_no_file(folder: Path) -> None:
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text("")
    (folder / ".env").write_text("")
    (folder / "empty").mkdir()
    (folder / "link.txt").symlink_to("budget.txt")
    (folder / "out").symlink_to("/etc")
    os.mkfifo(folder / "pipe")
    (folder / "reports.txt").write_text("")
    (folder / "photo.JPG").write_bytes(b"\0")

    assert list_files(folder).files == ["budget.txt", "photo.JPG", "reports.txt", "reports/march.md"]


def test_a_long_listing_is_cut_and_says_so(folder: Path) -> None:
    for number in range(10_000):
        (folder / f"{number:05}.txt").touch()

    listed = list_files(folder)

    assert listed.files == [f"{number:05}.txt" for number in range(MOST_LISTED)]
    told = "only the first 300 of 10002 files are listed; search_notes searches all .txt and .md files"
    assert listed.left_out == [told]
    assert read_file("09999.txt", folder).text == ""
    assert refused("budgett.txt", folder) == "There is no file budgett.txt. Did you mean budget.txt?"


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_may_not_be_opened_is_told(folder: Path) -> None:
    (folder / "budget.txt").chmod(0)
    (folder / "reports").chmod(0)

    listed = list_files(folder)
    told = refused("reports/march.md", folder)
    (folder / "reports").chmod(0o700)

    assert listed == FileList(["budget.txt"], left_out=["reports: permission denied"])
    assert told == "reports/march.md can't be read: reports: permission denied. list_files shows what can be."
    assert refused("budget.txt", folder).startswith("budget.txt can't be read: permission denied.")


@pytest.mark.parametrize("path", ["reports/march.md", "./reports//march.md", "reports/./march.md/"])
def test_a_path_may_be_written_in_several_ways(folder: Path, path: str) -> None:
    assert read_file(path, folder).file == "reports/march.md"


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("", "The path is empty"),
        (" \n", "The path is empty"),
        ("../secrets.env", "../secrets.env holds '..', which could lead out of the workspace"),
        ("reports/../../secrets.env", "holds '..'"),
        ("reports/..", "holds '..'"),
        ("/etc/passwd", "/etc/passwd is an absolute path"),
        ("//etc/passwd", "is an absolute path"),
        ("budget.txt\0.md", "The path budget.txt\\x00.md holds a NUL character"),
        (".env", ".env is hidden"),
        ("reports/.git/config", "is hidden"),
        (".", ". is the workspace itself, a folder"),
        ("./", "./ is the workspace itself, a folder"),
        ("../" * 2000, "../" * 66 + "..… holds '..'"),
        ("/\x1b[2J\u202e", "/\\x1b[2J\\u202e is an absolute path"),
    ],
)
def test_a_path_that_is_none_of_the_workspace_is_refused(folder: Path, path: str, told: str) -> None:
    said = refused(path, folder)

    assert told in said
    assert said.endswith("; give a path as list_files shows it, such as reports/march.md.")


def test_each_thing_that_is_no_file_is_called_what_it_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(folder / "pipe.txt")
    (folder / "out.txt").symlink_to(folder.parent / "secrets.env")
    (folder / "in.txt").symlink_to("budget.txt")
    (folder / "gone.txt").symlink_to("nowhere")
    (folder / "null.txt").symlink_to("/dev/null")
    (folder / "outer").symlink_to(folder.parent)
    monkeypatch.chdir(folder)  # the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("socket.txt")

        for path, told in {
            "pipe.txt": "it is a pipe, not a file",
            "socket.txt": "it is a socket, not a file",
            "reports": "it is a folder, not a file",
            "out.txt": "it is a link, not a file",
            "in.txt": "it is a link, not a file",
            "gone.txt": "it is a link, not a file",
            "null.txt": "it is a link, not a file",
            "outer/secrets.env": "outer: it is a link, not a folder",
            "budget.txt/march.md": "budget.txt: it is a file, not a folder",
        }.items():
            assert refused(path, folder) == f"{path} can't be read: {told}. list_files shows what can be."


def test_a_device_is_never_opened() -> None:
    assert (
        refused("null", Path("/dev")) == "null can't be read: it is a device, not a file. list_files shows what can be."
    )


def test_a_binary_and_a_huge_file_are_refused(folder: Path) -> None:
    (folder / "photo.jpg").write_bytes(b"\xff\xd8\0\0")
    with (folder / "huge.txt").open("wb") as sparse:
        sparse.truncate(1 << 30)
    (folder / "full.txt").write_bytes(b"x" * MAX_NOTE_BYTES)

    assert "it looks binary, not like text" in refused("photo.jpg", folder)
    assert "it holds more than 8 MiB; search_notes finds lines" in refused("huge.txt", folder)
    assert read_file("full.txt", folder).text == "x" * LONGEST


def test_a_missing_file_names_what_is_near(folder: Path) -> None:
    (folder / "archive").mkdir()
    (folder / "archive" / "budget.txt").write_text("")

    assert refused("Budgets.txt", folder) == (
        "There is no file Budgets.txt. Did you mean archive/budget.txt or budget.txt?"
    )
    assert refused("march.md", folder) == "There is no file march.md. Did you mean reports/march.md?"
    assert refused("report/march.md", folder) == "There is no file report/march.md. Did you mean reports/march.md?"
    assert refused("zzz", folder) == "There is no file zzz. list_files shows the files that there are."
    assert refused("n" * 5000, folder).startswith(f"There is no file {'n' * 200}…. list_files")
    assert refused("sur\ud800rogate", folder).startswith("There is no file sur\\ud800rogate.")


def test_a_long_file_is_read_piece_by_piece(folder: Path) -> None:
    lines = [f"line {number:05}\n" for number in range(1, 4001)]
    text = "".join(lines)
    (folder / "long.txt").write_text(text)

    first = read_file("long.txt", folder)
    second = read_file("long.txt", folder, offset=20_000)
    last = read_file("long.txt", folder, offset=40_000)

    assert first.text + second.text + last.text == text
    assert first.cut == "characters 0 to 20000 of 44000 are shown; read on with offset=20000"
    assert second.cut == "characters 20000 to 40000 of 44000 are shown; read on with offset=40000"
    assert last.cut == "characters 40000 to 44000 of 44000 are shown"
    assert (first.line, first.last_line) == (1, 1819)
    assert (second.line, second.last_line) == (1819, 3637)
    assert second.text.startswith(lines[1818][20_000 - 1818 * 11 :])
    assert (last.line, last.last_line) == (3637, 4000)
    assert refused("long.txt", folder, 44_000) == "long.txt has 44000 characters, so offset can't be 44000."
    assert refused("long.txt", folder, -1) == "long.txt has 44000 characters, so offset can't be -1."


def test_an_empty_file_can_be_read(folder: Path) -> None:
    (folder / "empty.txt").touch()

    assert read_file("empty.txt", folder) == FileText("empty.txt", 1, 1, "", cut=None)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_every_encoding_is_read(folder: Path, encoding: str) -> None:
    (folder / "a.txt").write_bytes("Zoë\r\n5 €\r\n".encode(encoding))

    assert read_file("a.txt", folder) == FileText("a.txt", 1, 2, "Zoë\n5 €\n", cut=None)


def test_a_name_is_found_however_it_is_spelled(folder: Path) -> None:
    named(folder, "cafe\u0301.txt".encode(), "decomposed")
    named(folder, b"caf\xe9.md", "no text")
    named(folder, b"a\x1b[2J.txt", "escape")

    assert read_file("caf\u00e9.txt", folder).text == "decomposed"
    assert read_file("cafe\u0301.txt", folder).text == "decomposed"
    assert read_file(os.fsdecode(b"caf\xe9.md"), folder).file == "caf\\udce9.md"
    assert [read_file(path, folder).file for path in list_files(folder).files] == list_files(folder).files


def test_of_two_spellings_the_exact_one_is_read(folder: Path) -> None:
    named(folder, "cafe\u0301.txt".encode(), "decomposed")
    named(folder, "caf\u00e9.txt".encode(), "composed")

    assert read_file("cafe\u0301.txt", folder).text == "decomposed"
    assert read_file("caf\u00e9.txt", folder).text == "composed"


def test_the_workspace_may_be_given_through_a_link(folder: Path) -> None:
    link = folder.parent / "link"
    link.symlink_to(folder)

    assert read_file("budget.txt", str(link)).text == "rent 1200\n"
    assert list_files(link) == list_files(folder)


@pytest.mark.parametrize("missing", ["", "nowhere", "budget.txt", "a\0b", "n" * 5000])
def test_a_workspace_that_does_not_exist_is_wrong_use(folder: Path, missing: str) -> None:
    place = folder / missing if missing else ""
    with pytest.raises(WrongUse, match="folder"):
        list_files(place)
    with pytest.raises(WrongUse, match="folder"):
        read_file("budget.txt", place)


def test_reading_changes_nothing(folder: Path) -> None:
    before = {path: (path.lstat().st_mtime_ns, path.lstat().st_mode) for path in folder.rglob("*")}

    list_files(folder)
    read_file("budget.txt", folder)

    assert {path: (path.lstat().st_mtime_ns, path.lstat().st_mode) for path in folder.rglob("*")} == before

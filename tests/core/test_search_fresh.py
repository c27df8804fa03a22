"""Every change on disk is seen by the very next search, by the same open notes."""

import errno
import os
import random
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from two_loops.errors import WrongUse
from two_loops.search import Notes, NotRead, Snippet, freshness, mounts, opening, search_notes, watching
from two_loops.search.entries import Signature
from two_loops.search.folders import Folder, folders, signature_of
from two_loops.search.watching import Watch

TICK = 0.02  # seconds, longer than one of the clock that files get their times from

Change = Callable[[Path], object]
Opened = Callable[[Path], Notes]


@pytest.fixture(params=["looks at every file", "is told of changes"])
def opened(request: pytest.FixtureRequest) -> Opened:
    """Opens the notes of a folder, in each way to notice a change."""
    return partial(Notes, watch=request.param == "is told of changes")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "notes" / "sub").mkdir(parents=True)
    for name in ("a.txt", "b.md", "sub/c.txt"):
        (tmp_path / "notes" / name).write_text(f"the pump of {name}\n")
    return tmp_path / "notes"


def replace(path: Path, text: str) -> None:
    """Put a new file in the place of another, as an editor does that saves."""
    new = path.with_suffix(".new")
    new.write_text(text)
    new.replace(path)


def append(path: Path, text: str) -> None:
    """Add to a note."""
    with path.open("a") as note:
        note.write(text)


def same_times(path: Path, text: str) -> None:
    """Change a note of the same size and set its time of change back, as a careless copy does."""
    before = path.stat()
    path.write_text(text)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda notes: (notes / "a.txt").write_text("a boiler\n"), id="written again"),
        pytest.param(lambda notes: (notes / "a.txt").write_text("a boiler of .txt\n"[:18]), id="of the same size"),
        pytest.param(lambda notes: append(notes / "a.txt", "a boiler"), id="appended to"),
        pytest.param(lambda notes: replace(notes / "a.txt", "a boiler\n"), id="renamed over"),
        pytest.param(lambda notes: same_times(notes / "a.txt", "the boil of boiler"), id="with its old time of change"),
        pytest.param(lambda notes: (notes / "new.txt").write_text("a boiler"), id="added"),
        pytest.param(lambda notes: (notes / "sub" / "new.txt").write_text("a boiler"), id="added below"),
        pytest.param(lambda notes: (notes / "a.txt").rename(notes / "boiler.txt"), id="named otherwise"),
        pytest.param(lambda notes: (notes / "sub").rename(notes / "boiler"), id="in a folder named otherwise"),
        pytest.param(lambda notes: os.link(notes / "a.txt", notes / "boiler.txt"), id="under a second name"),
    ],
)
def test_a_change_is_seen_by_the_next_search(opened: Opened, folder: Path, change: Change) -> None:
    with opened(folder) as notes:
        before = notes.search("boiler")

        change(folder)
        after = notes.search("boiler")

    assert before == []
    assert len(after) == 1
    assert after == Notes(folder).search("boiler")


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda notes: (notes / "a.txt").unlink(), id="deleted"),
        pytest.param(lambda notes: (notes / "a.txt").write_text(""), id="emptied"),
        pytest.param(lambda notes: (notes / "a.txt").rename(notes / "a.bak"), id="named otherwise"),
        pytest.param(lambda notes: (notes / "a.txt").rename(notes / ".a.txt"), id="hidden"),
        pytest.param(lambda notes: (notes / "a.txt").write_bytes(b"pump\0"), id="binary"),
        pytest.param(lambda notes: (notes / "a.txt").rename(notes.parent / "a.txt"), id="moved away"),
    ],
)
def test_what_is_gone_is_not_found(opened: Opened, folder: Path, change: Change) -> None:
    with opened(folder) as notes:
        before = {found.file for found in notes.search("pump")}

        change(folder)
        after = {found.file for found in notes.search("pump")}

    assert before == {"a.txt", "b.md", "sub/c.txt"}
    assert after == {"b.md", "sub/c.txt"}


@pytest.mark.parametrize("unsound", ["not settled", "too large"])
def test_a_note_that_is_gone_from_among_sound_ones_is_not_found(
    opened: Opened, folder: Path, unsound: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if unsound == "too large":
        monkeypatch.setattr(opening, "MAX_NOTE_BYTES", 30)
    (folder / "a.txt").write_text("the pump of a note that is longer\n")
    inode = (folder / "a.txt").stat().st_ino
    monkeypatch.setattr(
        freshness, "is_settled", lambda signature, **how: unsound == "too large" or signature[3] != inode
    )
    with opened(folder) as notes:
        before = notes.search("pump")

        (folder / "a.txt").unlink()
        after = notes.search("pump")

    assert {found.file for found in before} == {"a.txt", "b.md", "sub/c.txt"}
    assert {found.file for found in after} == {"b.md", "sub/c.txt"}
    assert after.not_read == ()


def test_a_change_within_one_tick_of_the_clock_is_seen(opened: Opened, folder: Path) -> None:
    missed = []
    with opened(folder) as notes:
        for number in range(100, 200):
            (folder / "a.txt").write_text(f"code {number}\n")
            if notes.search(f"code {number}")[:1] != [Snippet("a.txt", 1, 1, f"code {number}")]:
                missed.append(number)

    assert missed == []


def test_a_folder_put_in_the_place_of_another_is_seen(opened: Opened, folder: Path) -> None:
    other = folder.parent / "other"
    other.mkdir()
    (other / "a.txt").write_text("the fork of a.txt\n")
    with opened(folder) as notes:
        assert len(notes.search("pump")) == 3

        folder.rename(folder.parent / "old")
        other.rename(folder)

        assert notes.search("pump") == []
        assert notes.search("fork") == [Snippet("a.txt", 1, 1, "the fork of a.txt")]


def test_a_link_to_the_folder_that_leads_elsewhere_is_seen(opened: Opened, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "x.txt").write_text("a fork\n")
    link = tmp_path / "link"
    link.symlink_to(folder)
    with opened(link) as notes:
        assert len(notes.search("pump")) == 3

        link.unlink()
        link.symlink_to(tmp_path / "other")

        assert notes.search("fork") == [Snippet("x.txt", 1, 1, "a fork")]


def test_a_folder_that_is_gone_is_told_and_found_again_when_it_is_back(opened: Opened, folder: Path) -> None:
    with opened(folder) as notes:
        notes.search("pump")
        folder.rename(folder.parent / "away")

        with pytest.raises(WrongUse, match="no folder"):
            notes.search("pump")
        (folder.parent / "away").rename(folder)

        assert len(notes.search("pump")) == 3


def test_a_note_that_can_be_read_again_is_found(opened: Opened, folder: Path) -> None:
    with opened(folder) as notes:
        (folder / "a.txt").write_bytes(b"\0")
        assert notes.search("pump").not_read == (NotRead("a.txt", "it looks binary"),)
        assert notes.search("pump").not_read == (NotRead("a.txt", "it looks binary"),)

        (folder / "a.txt").write_text("pump")

        assert notes.search("pump").not_read == ()
        assert len(notes.search("pump")) == 3


def test_a_note_changed_under_its_name_elsewhere_is_seen(opened: Opened, folder: Path) -> None:
    with opened(folder) as notes:
        assert len(notes.search("pump")) == 3
        os.link(folder / "a.txt", folder.parent / "elsewhere")

        (folder.parent / "elsewhere").write_text("a boiler\n")

        assert notes.search("boiler") == [Snippet("a.txt", 1, 1, "a boiler")]


def test_what_a_link_leads_to_is_seen_to_change(opened: Opened, folder: Path) -> None:
    (folder / ".hidden").write_text("a pump\n")
    (folder / "link.txt").symlink_to(".hidden")
    with opened(folder) as notes:
        assert len(notes.search("pump")) == 4

        (folder / ".hidden").write_text("a boiler\n")

        assert notes.search("boiler") == [Snippet("link.txt", 1, 1, "a boiler")]


def test_a_link_that_leads_to_another_old_note_is_seen(
    opened: Opened, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(freshness, "is_settled", lambda *given, **how: True)
    for name, text in ((".one", "a boiler\n"), (".two", "a basket\n")):
        (folder / name).write_text(text)
        os.utime(folder / name, (1_000_000_000, 1_000_000_000))
    (folder / "link.txt").symlink_to(".one")
    with opened(folder) as notes:
        assert notes.search("boiler") == [Snippet("link.txt", 1, 1, "a boiler")]

        (folder / "other").symlink_to(".two")
        (folder / "other").replace(folder / "link.txt")

        assert notes.search("basket") == [Snippet("link.txt", 1, 1, "a basket")]
        assert notes.search("boiler") == []


def test_a_folder_of_the_same_name_in_the_place_of_a_note_is_seen_and_a_note_in_its_place(
    opened: Opened, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(freshness, "is_settled", lambda *given, **how: True)
    with opened(folder) as notes:
        assert len(notes.search("pump")) == 3

        (folder / "a.txt").rename(folder / "kept")
        (folder / "a.txt").mkdir()
        (folder / "a.txt" / "d.txt").write_text("a boiler\n")

        assert {found.file for found in notes.search("pump boiler")} == {"a.txt/d.txt", "b.md", "sub/c.txt"}
        shutil.rmtree(folder / "a.txt")
        (folder / "kept").rename(folder / "a.txt")
        assert {found.file for found in notes.search("pump boiler")} == {"a.txt", "b.md", "sub/c.txt"}


def test_a_note_whose_status_could_not_be_told_is_found_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(freshness, "is_settled", lambda *given, **how: True)
    inode = (folder / "a.txt").stat().st_ino

    def failing(status: os.stat_result) -> Signature:
        if status.st_ino == inode:
            raise OSError(errno.EIO, "Input/output error")
        return signature_of(status)

    with Notes(folder) as notes:
        assert len(notes.search("pump")) == 3
        with monkeypatch.context() as patched:
            patched.setattr("two_loops.search.folders.signature_of", failing)
            told = [notes.search("pump") for _ in range(2)]

        assert [len(found) for found in told] == [2, 2]
        assert [found.not_read for found in told] == [(NotRead("a.txt", "input/output error"),)] * 2
        assert len(notes.search("pump")) == 3


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of changes")
def test_where_nothing_changed_a_told_search_looks_at_no_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[str] = []

    def counting(root: str, **how: Any) -> Iterator[tuple[str, Folder | OSError]]:
        looked.append(root)
        return folders(root, **how)

    monkeypatch.setattr(freshness, "folders", counting)
    with Notes(folder, watch=True) as notes:
        found = [len(notes.search("pump")) for _ in range(5)]
        (folder / "a.txt").write_text("a boiler\n")
        found += [len(notes.search("pump")) for _ in range(5)]

    assert found == [3] * 5 + [2] * 5
    assert len(looked) == 2


@pytest.mark.parametrize("lacking", ["LOCAL", "platform", "watches"])
def test_where_changes_are_not_told_every_file_is_looked_at(
    folder: Path, monkeypatch: pytest.MonkeyPatch, lacking: str
) -> None:
    if lacking == "LOCAL":
        monkeypatch.setattr(mounts, "LOCAL", frozenset())
    elif lacking == "platform":
        monkeypatch.setattr(sys, "platform", "plan9")
    else:
        monkeypatch.setattr(Watch, "_add", lambda *given: (folder / "nowhere").stat())
    with Notes(folder, watch=True) as notes:
        for number in range(5):
            (folder / "a.txt").write_text(f"a boiler {number}\n")

            assert notes.search("boiler")[0].snippet == f"a boiler {number}"


@pytest.mark.parametrize("parent", ["", "sub"])
def test_what_stands_in_a_folder_that_was_made_while_its_parent_was_covered_is_seen(
    folder: Path, monkeypatch: pytest.MonkeyPatch, parent: str
) -> None:
    def making(root: str, **how: Any) -> Iterator[tuple[str, Folder | OSError]]:
        for path, listed in folders(root, **how):
            if path == parent:
                (folder / parent / "new").mkdir(exist_ok=True)
            yield path, listed

    monkeypatch.setattr(watching, "folders", making)
    with Notes(folder, watch=True) as notes:
        before = len(notes.search("pump"))

        (folder / parent / "new" / "d.txt").write_text("a pump\n")

        assert (before, len(notes.search("pump"))) == (3, 4)


def step(folder: Path, order: random.Random, number: int) -> None:
    """One change somewhere in the folder."""
    files = sorted(path for path in folder.rglob("*.txt"))
    chosen = order.choice(files) if files else folder / "first.txt"
    text = " ".join(order.choices(["boiler", "pump", "valve", "fork", "12/03", "été"], k=order.randint(0, 6)))
    changes: list[Callable[[], object]] = [
        lambda: chosen.write_text(text),
        lambda: append(chosen, f"\n{text}"),
        lambda: replace(chosen, text),
        lambda: (folder / f"n{number}.txt").write_text(text),
        lambda: chosen.unlink(missing_ok=True),
        lambda: chosen.rename(folder / f"r{number}.txt") if chosen.exists() else None,
        lambda: (folder / f"d{number}").mkdir(exist_ok=True),
        lambda: (order.choice([folder, *folder.glob("d*")]) / f"m{number}.txt").write_text(text),
        lambda: any(map(shutil.rmtree, sorted(folder.glob("d*"))[:1])),
    ]
    order.choice(changes)()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("settled", [False, True])
def test_open_notes_find_what_new_ones_find_after_any_changes(
    opened: Opened, tmp_path: Path, seed: int, settled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if settled:
        monkeypatch.setattr(freshness, "is_settled", lambda *given, **how: True)
    order = random.Random(seed)
    with opened(tmp_path) as notes:
        for number in range(40):
            sleep(TICK if settled else 0)
            for _ in range(order.randint(1, 3)):
                step(tmp_path, order, number)
            query = " ".join(order.choices(["boiler", "pump", "valve", "fork", "boilr", "12/03"], k=2))

            made = notes.search(query, limit=50)

            with Notes(tmp_path) as new:
                found = new.search(query, limit=50)
            assert (made, made.not_read) == (found, found.not_read)


def test_a_line_that_is_shown_stood_in_its_note_while_others_write(opened: Opened, folder: Path) -> None:
    (folder / "a.txt").write_text("1 pump 0\n")
    done = threading.Event()

    def write() -> None:
        number = 0
        while not done.is_set():
            number += 1
            (folder / "a.txt").write_text("".join(f"{line} pump {number}\n" for line in range(1, 9)))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        with opened(folder) as notes:
            found = [
                snippet for _ in range(100) for snippet in notes.search("pump", width=30) if snippet.file == "a.txt"
            ]
    finally:
        done.set()
        writer.join()

    assert all(snippet.snippet.startswith(f"{snippet.line} pump") for snippet in found)


def test_one_object_serves_several_threads(opened: Opened, folder: Path) -> None:
    made: list[int] = []
    with opened(folder) as notes:
        threads = [
            threading.Thread(target=lambda: made.extend(len(notes.search("pump")) for _ in range(50))) for _ in range(4)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert made == [3] * 200


def test_a_fork_searches_with_an_index_of_its_own(folder: Path) -> None:
    search_notes("pump", folder)
    child = os.fork()
    if child == 0:
        (folder / "a.txt").write_text("a boiler\n")
        os._exit(len(search_notes("boiler", folder)))

    _, status = os.waitpid(child, 0)

    assert os.waitstatus_to_exitcode(status) == 1
    assert len(search_notes("boiler", folder)) == 1


def test_a_process_that_ends_does_not_close_the_index_which_a_fork_shares(folder: Path) -> None:
    script = (
        "import atexit, sys\n"
        "atexit.register(lambda: print(notes._fresh.index.close.alive))\n"  # runs last
        "from two_loops.search import Notes\n"
        "notes = Notes(sys.argv[1])\n"
        "notes.search('boiler')\n"
    )

    made = subprocess.run([sys.executable, "-c", script, folder], capture_output=True, text=True, timeout=60)

    assert (made.stdout, made.stderr) == ("True\n", "")

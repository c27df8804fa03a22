"""The index on disk: private, made anew when it is not sound, right under several processes and after a kill."""

import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import sleep

import pytest

from tests.core.test_search_fresh import step
from two_loops.errors import WrongUse
from two_loops.search import Notes, freshness, storing, walking
from two_loops.search.entries import Signature
from two_loops.search.folders import signature_of
from two_loops.search.walking import Source

QUERIES = ["boiler", "pump valve", "boilr", "12/03", "fork"]
LONG_AGO = 1_000_000_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "notes").mkdir()
    for number in range(20):
        (tmp_path / "notes" / f"n{number}.txt").write_text(f"the pump of note {number}\nand its valve\n")
    return tmp_path / "notes"


@pytest.fixture
def where(tmp_path: Path) -> Path:
    return tmp_path / "index"


def the_file(where: Path) -> Path:
    (file,) = where.iterdir()
    return file


def agrees(folder: Path, where: Path) -> bool:
    """Whether an index on disk, opened anew, finds what one in memory does."""
    with Notes(folder, index=where) as stored, Notes(folder) as new:
        return all(stored.search(query, limit=50) == new.search(query, limit=50) for query in QUERIES)


def test_the_directory_and_the_file_are_for_their_owner_alone(folder: Path, where: Path) -> None:
    assert agrees(folder, where)

    assert where.stat().st_mode & 0o777 == 0o700
    assert the_file(where).stat().st_mode & 0o777 == 0o600


def test_a_later_process_reads_no_note_that_did_not_change(
    folder: Path, where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for note in folder.iterdir():
        os.utime(note, (LONG_AGO, LONG_AGO))
    monkeypatch.setattr(freshness, "is_settled", lambda *given, **how: True)
    with Notes(folder, index=where) as first:
        first.search("pump")
    read: list[str] = []

    def reading(path: str, source: Source, root: str) -> tuple[bytes, bool]:
        read.append(path)
        return walking.read(path, source, root)

    monkeypatch.setattr(freshness, "read", reading)
    (folder / "n7.txt").write_text("a boiler")

    with Notes(folder, index=where) as later:
        assert [found.file for found in later.search("boiler")] == ["n7.txt"]

    assert read == ["n7.txt"]


def test_notes_of_the_oddest_times_and_inodes_are_searched_and_not_read_again(
    folder: Path, where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    times = dict(
        zip((note.stat().st_ino for note in folder.iterdir()), [2**64 - 1, 2**63, -(2**63), -(2**65)], strict=False)
    )

    def odd(status: os.stat_result) -> Signature:
        modified, changed, size, inode = signature_of(status)
        return times.get(inode, modified), changed, size, inode + 2**63

    read: list[str] = []
    monkeypatch.setattr("two_loops.search.folders.signature_of", odd)
    monkeypatch.setattr(freshness, "is_settled", lambda *given, **how: True)
    for _ in range(2):
        with Notes(folder, index=where, on_read=read.append) as notes:
            assert len(notes.search("pump", limit=50)) == 20

    assert len(read) == 20


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        pytest.param(lambda where: where.chmod(0o755), "chmod", id="directory open to others"),
        pytest.param(lambda where: the_file(where).chmod(0o644), "chmod", id="file open to others"),
        pytest.param(lambda where: os.link(the_file(where), where.parent / "x"), "second name", id="a second name"),
    ],
)
def test_what_is_not_ours_alone_is_refused(
    folder: Path, where: Path, spoil: Callable[[Path], object], told: str
) -> None:
    with Notes(folder, index=where) as notes:
        notes.search("pump")

    spoil(where)

    with pytest.raises(WrongUse, match=told), Notes(folder, index=where) as notes:
        notes.search("pump")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a directory away")
def test_what_belongs_to_another_user_is_refused(folder: Path, where: Path) -> None:
    where.mkdir(mode=0o700)
    os.chown(where, 1, 1)

    with pytest.raises(WrongUse, match="must be yours"), Notes(folder, index=where) as notes:
        notes.search("pump")


def test_no_link_is_followed(folder: Path, where: Path, tmp_path: Path) -> None:
    with Notes(folder, index=where) as notes:
        notes.search("pump")
    file = the_file(where)
    file.rename(tmp_path / "moved")
    file.symlink_to(tmp_path / "moved")
    (tmp_path / "link").symlink_to(where)

    for given in (where, tmp_path / "link"):
        with pytest.raises(WrongUse, match="no index can be kept"), Notes(folder, index=given) as notes:
            notes.search("pump")


def other_database(file: Path) -> None:
    """Put a database of another program in the place of the index."""
    file.unlink()
    other = sqlite3.connect(file)
    other.execute("CREATE TABLE notes(x)")
    other.commit()
    other.close()
    file.chmod(0o600)


def with_pragma(file: Path, pragma: str) -> None:
    """Change a number in the head of the index."""
    database = sqlite3.connect(file)
    database.execute(f"PRAGMA {pragma}")
    database.commit()
    database.close()


def without_table(file: Path) -> None:
    """Take one table out of the index."""
    database = sqlite3.connect(file)
    database.execute("DROP TABLE notes")
    database.commit()
    database.close()


def overwrite(file: Path) -> None:
    """Write over the middle of the index."""
    with file.open("r+b") as stream:
        stream.seek(4096)
        stream.write(b"\xa5" * (file.stat().st_size - 4096))


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda file: file.write_bytes(b"no database at all" * 500), id="foreign bytes"),
        pytest.param(lambda file: file.write_bytes(b""), id="empty"),
        pytest.param(lambda file: file.write_bytes(file.read_bytes()[:9000]), id="cut off"),
        pytest.param(overwrite, id="overwritten"),
        pytest.param(other_database, id="another program's"),
        pytest.param(lambda file: with_pragma(file, "user_version = 0"), id="of an older version"),
        pytest.param(lambda file: with_pragma(file, "user_version = 99"), id="of a later version"),
        pytest.param(without_table, id="without a table"),
        pytest.param(lambda file: file.unlink(), id="gone"),
    ],
)
def test_a_file_that_is_no_sound_index_is_made_anew(folder: Path, where: Path, spoil: Callable[[Path], object]) -> None:
    with Notes(folder, index=where) as notes:
        notes.search("pump")

    spoil(the_file(where))

    assert agrees(folder, where)
    with sqlite3.connect(the_file(where)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert database.execute("PRAGMA user_version").fetchone() == (storing.VERSION,)
    database.close()


def test_a_file_spoilt_under_an_open_index_is_made_anew(folder: Path, where: Path) -> None:
    with Notes(folder, index=where) as notes:
        before = notes.search("pump", limit=50)
        overwrite(the_file(where))
        (folder / "n3.txt").write_text("a pump\n")

        made = notes.search("pump", limit=50)

    assert (len(before), len(made)) == (20, 20)
    assert agrees(folder, where)


def test_an_index_that_another_process_keeps_locked_is_done_without(
    folder: Path, where: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "PATIENCE", 0.1)
    with Notes(folder, index=where) as notes:
        notes.search("pump")
        holder = sqlite3.connect(the_file(where), isolation_level=None)
        holder.execute("BEGIN EXCLUSIVE")
        (folder / "n3.txt").write_text("a boiler\n")

        assert [found.file for found in notes.search("boiler")] == ["n3.txt"]
        holder.close()


def test_an_index_that_could_not_be_written_is_kept_and_done_without(folder: Path, where: Path) -> None:
    with Notes(folder, index=where) as notes:
        notes.search("pump")
        file = the_file(where)
        before = file.read_bytes()
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        (folder / "long.txt").write_text("\n".join(f"valve{number} of a boiler" for number in range(2000)))

        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 4096, limits[1]))
        try:
            found = notes.search("boiler")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)

        assert {each.file for each in found} == {"long.txt"}
        assert the_file(where) == file
        assert file.read_bytes() == before
        assert {each.file for each in notes.search("boiler")} == {"long.txt"}
    assert agrees(folder, where)


def test_of_a_note_that_was_deleted_or_changed_no_text_stays_in_the_file(folder: Path, where: Path) -> None:
    (folder / "secret.txt").write_text("the zanzibar password\n" * 50)
    (folder / "n1.txt").write_text("the quetzal password\n" * 50)
    with Notes(folder, index=where) as notes:
        assert len(notes.search("password", limit=50)) == 6
        held = the_file(where).read_bytes()

        (folder / "secret.txt").unlink()
        (folder / "n1.txt").write_text("nothing\n")
        notes.search("pump")

    assert b"zanzibar" in held
    assert b"quetzal" in held
    left = the_file(where).read_bytes()
    assert b"zanzibar" not in left
    assert b"quetzal" not in left


@pytest.mark.parametrize("seed", range(3))
def test_two_that_use_one_file_in_turn_find_what_new_ones_find(tmp_path: Path, seed: int) -> None:
    order = random.Random(seed)
    (folder := tmp_path / "notes").mkdir()
    with Notes(folder, tmp_path / "index") as one, Notes(folder, tmp_path / "index") as other:
        for number in range(25):
            for _ in range(order.randint(1, 3)):
                step(folder, order, number)
            query = order.choice(QUERIES)

            made = order.choice([one, other]).search(query, limit=50)

            with Notes(folder) as new:
                assert made == new.search(query, limit=50)


WRITER = """
import sys
from pathlib import Path
from two_loops.search import Notes
folder, where, name, times = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
with Notes(folder, where) as notes:
    print("started", flush=True)
    for number in range(times):
        (folder / f"{name}.txt").write_text(f"word{name}x{number} of a pump\\n")
        found = notes.search(f"word{name}x{number}")
        if [(each.file, each.snippet) for each in found] != [(f"{name}.txt", f"word{name}x{number} of a pump")]:
            print(number, found)
"""


def writer(folder: Path, where: Path, name: str, times: int) -> "subprocess.Popen[str]":
    """A process that changes its note again and again, and prints each change that the next search did not see."""
    given = [str(folder), str(where), name, str(times)]
    return subprocess.Popen([sys.executable, "-c", WRITER, *given], stdout=subprocess.PIPE, text=True)


def test_several_processes_with_one_file_miss_no_change(folder: Path, where: Path) -> None:
    writers = [writer(folder, where, name, 15) for name in ("a", "b", "c")]

    missed = [each.communicate(timeout=120)[0] for each in writers]

    assert missed == ["started\n"] * 3
    assert [each.returncode for each in writers] == [0] * 3
    assert agrees(folder, where)


def test_a_process_that_is_killed_leaves_a_sound_index(folder: Path, where: Path) -> None:
    order = random.Random(1)
    for _ in range(5):
        with writer(folder, where, "a", 100_000) as victim:
            assert victim.stdout is not None
            victim.stdout.readline()
            sleep(order.random() / 10)
            victim.send_signal(signal.SIGKILL)

        assert agrees(folder, where)

"""No path, and no change of the folders while a tool works, lets a tool read or write outside the workspace."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import count
from pathlib import Path
from threading import Event, Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from two_loops.errors import ToolError
from two_loops.search.opening import RefusedError, open_inner
from two_loops.tools import list_files, read_file, save_note, write_file

OUTSIDE, INSIDE = "outside", "inside"
TRIES = 200
NAMES = ["..", ".", "", "/", "~", "sub", "drafts", "in.txt", "a.md", "out", "out.txt", "loop", "secret.txt", "..\\.."]
ODD = st.text(st.characters(codec=None), max_size=4)
PATHS = st.lists(st.one_of(st.sampled_from(NAMES), ODD), min_size=1, max_size=6).map("/".join)


def made(root: Path) -> Path:
    """A workspace full of ways out, beside a folder of secrets."""
    space, secrets = root / "space", root / "secrets"
    (space / "sub").mkdir(parents=True)
    secrets.mkdir()
    (secrets / "secret.txt").write_text(OUTSIDE)
    (secrets / "in.txt").write_text(OUTSIDE)
    for inside in (space / "in.txt", space / "sub" / "in.txt"):
        inside.write_text(INSIDE)
    (space / "out").symlink_to(secrets)
    (space / "sub" / "out").symlink_to("../../secrets")
    (space / "out.txt").symlink_to(secrets / "secret.txt")
    (space / "loop").symlink_to(".")
    return space


def state(folder: Path) -> dict[str, str | None]:
    """Everything below the folder, files with their text."""
    return {
        os.fsdecode(os.path.relpath(path, folder)): path.read_text() if path.is_file() else None
        for path in folder.rglob("*")
    }


@settings(max_examples=300)
@given(PATHS)
def test_no_path_reads_outside(tmp_path_factory: pytest.TempPathFactory, path: str) -> None:
    space = made(tmp_path_factory.mktemp("read"))

    with suppress(ToolError):
        assert read_file(path, space).text == INSIDE


@settings(max_examples=300)
@given(st.one_of(PATHS, PATHS.map(lambda path: f"drafts/{path}.md")), st.text(st.characters(codec=None), max_size=20))
def test_no_path_and_no_text_writes_anywhere_else(
    tmp_path_factory: pytest.TempPathFactory, path: str, text: str
) -> None:
    space = made(tmp_path_factory.mktemp("write"))
    before = state(space.parent)
    expected = {"space/notes.txt"}

    with suppress(ToolError):
        save_note(text, space)
    with suppress(ToolError):
        expected.add(f"space/{write_file(path, text, space).file}")

    after = state(space.parent)
    assert before.items() <= after.items()
    new = {name for name in after.keys() - before.keys() if after[name] is not None}
    assert new <= expected
    assert all(name == "space/notes.txt" or (name.startswith("space/drafts/") and name.endswith(".md")) for name in new)
    assert after.get("space/notes.txt", "\n") is not None
    assert str(after.get("space/notes.txt", "\n")).count("\n") == 1


@contextmanager
def meanwhile(act: Callable[[int], None]) -> Iterator[None]:
    """Do something again and again, on a thread of its own."""
    over = Event()

    def work() -> None:
        for number in count():
            if over.is_set():
                return
            act(number)

    thread = Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def swap(place: Path, other: Path) -> None:
    """Put ``other`` in the place of what stands there, and back."""
    aside = place.with_name("aside")
    place.rename(aside)
    other.rename(place)
    place.rename(other)
    aside.rename(place)


def usurp(place: Path, target: Path, number: int) -> None:
    """Put what stands there aside, and a link in its place for a moment."""
    with suppress(FileNotFoundError):
        place.rename(place.with_name(f"aside{number}"))
    with suppress(FileExistsError):
        place.symlink_to(target)
        place.unlink()


def attempt(use: Callable[[], object]) -> object:
    """What a tool returned, or None where it refused."""
    try:
        return use()
    except ToolError:
        return None


def test_a_file_or_folder_that_is_swapped_for_a_link_is_never_read_through_it(tmp_path: Path) -> None:
    space = made(tmp_path)

    with meanwhile(lambda _: swap(space / "sub", space / "out")):
        folder = {attempt(lambda: read_file("sub/in.txt", space).text) for _ in range(TRIES)}
        listed = [list_files(space).files for _ in range(TRIES)]
    with meanwhile(lambda _: swap(space / "in.txt", space / "out.txt")):
        file = {attempt(lambda: read_file("in.txt", space).text) for _ in range(TRIES)}

    assert folder <= {INSIDE, None}
    assert file <= {INSIDE, None}
    assert not any("secret" in path for files in listed for path in files)


def test_a_folder_that_is_swapped_for_a_link_is_never_written_through(tmp_path: Path) -> None:
    space, secrets = made(tmp_path), tmp_path / "secrets"
    before = state(secrets)

    with meanwhile(lambda number: usurp(space / "drafts", secrets, number)):
        drafts = [attempt(partial(write_file, f"drafts/{number}.md", INSIDE, space)) for number in range(TRIES)]

    assert state(secrets) == before
    written = {path.name: path.read_text() for path in space.glob("*/*.md")}
    assert written == {f"{number}.md": INSIDE for number, draft in enumerate(drafts) if draft}


def test_a_file_that_is_swapped_for_a_link_is_never_appended_to_through_it(tmp_path: Path) -> None:
    space, secrets = made(tmp_path), tmp_path / "secrets"
    before = state(secrets)

    with meanwhile(lambda number: usurp(space / "notes.txt", secrets / "secret.txt", number)):
        notes = [attempt(partial(save_note, str(number), space)) for number in range(TRIES)]

    assert state(secrets) == before
    lines = [line for path in [*space.glob("aside*"), *space.glob("notes.txt")] for line in path.read_text().split()]
    assert sorted(lines) == sorted(str(number) for number, note in enumerate(notes) if note)


def test_nobody_sees_half_of_a_draft(tmp_path: Path) -> None:
    text, seen = "x" * 100_000, set[int]()
    (tmp_path / "drafts").mkdir()

    with meanwhile(lambda _: seen.update(path.stat().st_size for path in (tmp_path / "drafts").glob("[!.]*"))):
        for number in range(50):
            write_file(f"drafts/{number}.md", text, tmp_path)

    assert seen <= {len(text)}


def test_a_folder_swapped_between_two_calls_is_noticed(tmp_path: Path) -> None:
    space = made(tmp_path)
    assert read_file("sub/in.txt", space).text == INSIDE

    (space / "sub").rename(space / "gone")
    (space / "sub").symlink_to(tmp_path / "secrets")

    with pytest.raises(ToolError, match="sub: it is a link, not a folder"):
        read_file("sub/in.txt", space)


@pytest.mark.parametrize(
    ("opened", "linked", "use"),
    [
        ("in.txt", "out.txt", lambda space: read_file("in.txt", space)),
        ("sub", "out", lambda space: read_file("sub/in.txt", space)),
        ("notes.txt", "out.txt", lambda space: save_note("text", space)),
        ("drafts", "out", lambda space: write_file("drafts/a.md", "text", space)),
    ],
)
def test_what_becomes_a_link_just_before_it_is_opened_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: str, linked: str, use: Callable[[Path], object]
) -> None:
    space, really_open = made(tmp_path), os.open
    (space / "notes.txt").touch()
    (space / "drafts").mkdir()
    before = state(tmp_path / "secrets")

    def late(path: str, *options: int, **place: int) -> int:
        if path == opened:
            (space / opened).rename(space / "aside")
            (space / linked).rename(space / opened)
        return really_open(path, *options, **place)

    monkeypatch.setattr(os, "open", late)
    with pytest.raises(ToolError, match=r"it is a link|not a directory"):
        use(space)

    assert (space / "aside").exists()
    assert state(tmp_path / "secrets") == before


def test_an_inner_folder_is_opened_only_where_it_is_one(tmp_path: Path) -> None:
    space = made(tmp_path)
    root = os.open(space, os.O_RDONLY)

    os.close(open_inner("sub", root))
    for name, told in {"out": "it is a link, not a folder", "in.txt": "it is a file, not a folder"}.items():
        with pytest.raises(RefusedError, match=told):
            open_inner(name, root)
    os.close(root)

"""What is opened is checked again when it is open, because it may have been swapped since it was found."""

import errno
import os
from pathlib import Path

import pytest

from two_loops.search.folders import folders
from two_loops.search.opening import RefusedError, identity, open_folder, read_file, read_target


def test_a_folder_that_was_swapped_after_it_was_found_is_refused(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    elsewhere = identity(tmp_path.parent.stat())

    with pytest.raises(RefusedError, match="moved"):
        open_folder(str(tmp_path / "sub"), elsewhere)
    (tmp_path / "link").symlink_to("sub")
    with pytest.raises(OSError, match="link"):
        open_folder(str(tmp_path / "link"), None)


def test_a_file_that_was_swapped_for_a_link_after_it_was_found_is_refused(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    secret = tmp_path / "secret.txt"
    secret.write_text("boiler")
    (notes / "a.txt").symlink_to(secret)
    descriptor = os.open(notes, os.O_RDONLY)

    with pytest.raises(RefusedError, match="it is a link, not a file"):
        read_file("a.txt", descriptor)
    with pytest.raises(RefusedError, match="leaves the folder"):
        read_target(str(secret), str(notes.resolve()))
    os.close(descriptor)


def test_a_folder_that_opens_but_can_not_be_listed_is_told_and_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = []

    def broken(folder: int) -> None:
        listed.append(folder)
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "scandir", broken)
    found = list(folders(str(tmp_path)))

    assert [(path, str(error)) for path, error in found] == [("", "[Errno 5] Input/output error")]
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(listed[0])

"""When a file's times tell every change of it, and whether only this machine changes it."""

import os
from pathlib import Path
from time import time_ns

import pytest

from two_loops.search.mounts import is_local
from two_loops.search.settling import is_settled

SECOND = 1_000_000_000
FINE = 123_457  # nanoseconds beyond a whole millisecond


def times(ago: float, beyond: int) -> int:
    """A time so many seconds ago, to a millisecond, and what is beyond that."""
    return int(time_ns() - ago * SECOND) // 1_000_000 * 1_000_000 + beyond


@pytest.mark.parametrize(
    ("ago", "beyond", "local", "settled"),
    [
        pytest.param(0.4, FINE, True, False, id="within half a second"),
        pytest.param(0.6, FINE, True, True, id="later, fine times of this machine"),
        pytest.param(0.6, 0, True, False, id="later, coarse times"),
        pytest.param(0.6, FINE, False, False, id="later, another machine's times"),
        pytest.param(1.9, 0, False, False, id="within the slowest tick"),
        pytest.param(2.1, 0, False, True, id="after the slowest tick"),
        pytest.param(-9.0, FINE, True, False, id="in times to come"),
    ],
)
@pytest.mark.parametrize("last", ["modified", "changed"])
def test_a_file_is_settled_a_tick_after_it_last_changed(
    ago: float, beyond: int, local: bool, settled: bool, last: str
) -> None:
    late, early = times(ago, beyond), times(3600, beyond)
    modified, changed = (late, early) if last == "modified" else (early, late)

    assert is_settled((modified, changed, 10, 1), local=local) is settled


def mounts(tmp_path: Path, *lines: str) -> Path:
    """A list of mounts as Linux gives it, each with its device, place and kind."""
    written = tmp_path / "mountinfo"
    rows = (line.split("|") for line in lines)
    rest = "rw,relatime shared:1"
    written.write_text("".join(f"22 1 {of} / {place} {rest} - {kind} none rw\n" for of, place, kind in rows))
    return written


def test_a_folder_is_local_by_its_file_system_and_by_what_is_mounted_below(tmp_path: Path) -> None:
    notes = tmp_path / "my notes"
    notes.mkdir()
    device = notes.stat().st_dev
    own = f"{os.major(device)}:{os.minor(device)}"
    written = str(notes).replace(" ", "\\040")

    assert is_local(str(notes), mounts(tmp_path, f"{own}|/|ext4"))
    assert is_local(str(notes), mounts(tmp_path, f"{own}|{written}|ext4"))
    assert is_local(str(notes), mounts(tmp_path, f"{own}|/|ext4", f"0:77|{written}2|nfs4"))
    assert not is_local(str(notes), mounts(tmp_path, f"{own}|/|nfs4"))
    assert not is_local(str(notes), mounts(tmp_path, f"{own}|/|ext4", f"0:77|{written}/a.txt|nfs4"))
    assert not is_local(str(notes), mounts(tmp_path, "0:77|/|ext4"))
    assert is_local(str(notes), mounts(tmp_path, "0:77|/a\rb\fc\vd|nfs4", f"{own}|/|ext4"))


def test_a_folder_is_not_local_where_no_mounts_are_told_or_it_is_gone(tmp_path: Path) -> None:
    device = tmp_path.stat().st_dev
    listed = mounts(tmp_path, f"{os.major(device)}:{os.minor(device)}|/|ext4")

    assert is_local(str(tmp_path), listed)
    assert not is_local(str(tmp_path), tmp_path / "nothing")
    assert not is_local(str(tmp_path / "gone"), listed)

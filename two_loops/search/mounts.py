"""Whether only this machine changes what is in a folder, as Linux tells by what is mounted where."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

LOCAL = frozenset({b"btrfs", b"ext2", b"ext3", b"ext4", b"f2fs", b"overlay", b"tmpfs", b"xfs"})
MOUNTS = Path("/proc/self/mountinfo")


def is_local(root: str, mounts: Path = MOUNTS) -> bool:
    """Whether the resolved folder is of a file system of this machine, and nothing is mounted below it."""
    below = os.fsencode(root).rstrip(b"/") + b"/"
    try:
        device, found = Path(root).stat().st_dev, list(_mounts(mounts.read_bytes()))
    except OSError:
        return False
    inside = any(point.startswith(below) and point != below for _, point, _ in found)
    return not inside and any(of == device and kind in LOCAL for of, _, kind in found)


def _mounts(lines: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """The device, the place and the kind of each file system."""
    for line in filter(None, lines.split(b"\n")):
        fields = line.split(b" ")
        point = re.sub(rb"\\(\d{3})", lambda found: bytes([int(found[1], 8)]), fields[4])
        yield os.makedev(*map(int, fields[2].split(b":"))), point, fields[fields.index(b"-") + 1]

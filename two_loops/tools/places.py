"""A path of the workspace opened name by name, each in the folder before it, so that nothing outside is reached."""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from two_loops.errors import ToolError, WrongUse
from two_loops.search.folders import place
from two_loops.search.opening import RefusedError, open_folder, open_inner, reason
from two_loops.text import visible
from two_loops.values.evidence import canonical

LONGEST_SHOWN = 200  # characters of a path that an error repeats


@dataclass(frozen=True, slots=True)
class Written:
    """What was saved: lines ``line`` to ``last_line`` (from 1) of ``file``, a path below the workspace."""

    file: str
    line: int
    last_line: int


def existing_folder(folder: str | Path, *, of: str = "files") -> Path:
    """The folder as an absolute path. Raises WrongUse where there is none; ``of`` says what it should hold."""
    try:
        if str(folder) and Path(folder).is_dir():
            return Path(folder).absolute()
    except OSError as error:
        raise WrongUse(f"the folder can't be looked at ({error.strerror}): {visible(str(folder))}") from error
    raise WrongUse(f"there is no folder {visible(str(folder))!r}; give the folder that holds the {of}")


def names_of(path: str) -> list[str]:
    """The names on the way to a file, outermost first. Raises ToolError for a path that is none of the workspace."""
    names = [name for name in path.split("/") if name not in ("", ".")]
    if why := _unfit(path, names):
        raise ToolError(f"{why}; give a path as list_files shows it, such as reports/march.md.")
    return names


def _unfit(path: str, names: Sequence[str]) -> str | None:
    if not path.strip():
        return "The path is empty"
    if "\0" in path:
        return f"The path {shown(path)} holds a NUL character, as no file's name does"
    if path.startswith("/"):
        return f"{shown(path)} is an absolute path, and only files of the workspace can be used"
    if ".." in names:
        return f"{shown(path)} holds '..', which could lead out of the workspace"
    if any(name.startswith(".") for name in names):
        return f"{shown(path)} is hidden (a name in it begins with a dot), and hidden files are left alone"
    return None if names else f"{shown(path)} is the workspace itself, a folder"


@contextmanager
def opened_folder(names: Sequence[str], workspace: str | Path) -> Iterator[tuple[int, str]]:
    """The descriptor of the folder that the names lead to, and its path below the workspace; no link is followed.

    Raises OSError where one of them can't be opened, WrongUse when there is no such workspace.
    """
    folder, path = open_folder(os.path.realpath(existing_folder(workspace)), None), ""
    try:
        for name in names:
            path = place(path, spelled(name, folder))
            folder = _entered(folder, path)
        yield folder, path
    finally:
        os.close(folder)


def _entered(folder: int, path: str) -> int:
    try:
        inner = open_inner(path.rpartition("/")[2], folder)
    except OSError as error:
        raise RefusedError(f"{shown(path)}: {why(error)}") from error
    os.close(folder)
    return inner


def spelled(name: str, folder: int) -> str:
    """The name as it stands in the open folder, where it may be spelled otherwise or be no Unicode.

    Two names are one when they are equal in Unicode NFC, as shown. Raises FileNotFoundError where there is none.
    """
    there = sorted(os.listdir(folder))
    if name in there:
        return name
    alike = canonical(visible(name))
    for other in there:
        if not other.startswith(".") and canonical(visible(other)) == alike:
            return other
    raise FileNotFoundError(errno.ENOENT, "there is no such file")


def why(error: OSError) -> str:
    """Why something could not be opened or written, in a few words."""
    return "it is a link" if error.errno == errno.ELOOP else reason(error)


def shown(path: str) -> str:
    """A path as an error repeats it."""
    return visible(path if len(path) <= LONGEST_SHOWN else f"{path[:LONGEST_SHOWN]}…")

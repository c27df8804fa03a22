"""What a command works on: a folder of notes, or a workspace."""

import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from stat import S_ISDIR, S_ISLNK, S_ISREG

from two_loops import samples
from two_loops.errors import WrongUse
from two_loops.search import holds_notes
from two_loops.toolsets.notes import notes
from two_loops.toolsets.toolset import Toolset
from two_loops.toolsets.workspace import workspace
from two_loops.values.limits import Limits

WRITTEN = ("notes.txt", "drafts")  # what the tools of a workspace write to


@dataclass(frozen=True)
class Job:
    """opened: opens the toolset of one run. limits: those of the toolset.

    notices: what the asker has to know of the folder. sent: what of it a model's server receives, in words. quoted:
    what an answer says should stand in what was shown, as nothing is calculated or written. folder: what the search
    searches, where that is known before.
    """

    opened: Callable[[], AbstractContextManager[Toolset]]
    limits: Limits
    notices: list[str]
    sent: str
    quoted: bool = False
    folder: Path | None = None


def notes_job(folder: str | None) -> Job:
    """Questions about the folder, or about the sample notes. Raises WrongUse where there is nothing to read."""
    place = samples.NOTES if folder is None else folder
    toolset = notes(place)
    require_notes(folder)
    sent = f"Snippets from {folder or 'the sample notes'}"
    return Job(
        lambda: nullcontext(toolset), toolset.limits, of_the_notes(folder), sent, quoted=True, folder=Path(place)
    )


def require_notes(folder: str | None) -> None:
    """Raise WrongUse for a folder in which there is no note to read."""
    if folder is not None and not holds_notes(folder):
        raise WrongUse(f"there is no .txt or .md note to read in {folder}")


def of_the_notes(folder: str | None) -> list[str]:
    """What the asker has to know where the notes are not their own."""
    return [] if folder is not None else ["Answering from the sample notes; give your own folder with --notes."]


def workspace_job(folder: str | None) -> Job:
    """Tasks in the folder, or in a copy of the sample workspace, which stays. Raises WrongUse for no such folder."""
    if folder is not None:
        toolset = workspace(folder)
        return Job(lambda: nullcontext(toolset), toolset.limits, [], _sent(folder), folder=Path(folder))
    home = Path(tempfile.gettempdir()) / f"two-loops-{secrets.token_hex(4)}"
    told = f"Working in a copy of the sample workspace, {home}; give your own folder with --workspace."
    return Job(partial(_sample, home), workspace(samples.WORKSPACE).limits, [told], _sent(home))


def copied_workspace_job(folder: str) -> Job:
    """Tasks each in a new copy of the folder, which is deleted at the end. Raises WrongUse for no such folder."""
    told = f"Each run works in a copy of {folder} of its own, which is deleted at the end."
    return Job(partial(_copied, folder), workspace(folder).limits, [told], _sent(folder))


def _sent(folder: str | Path) -> str:
    return f"Names and texts of files in {folder}"


@contextmanager
def _sample(home: Path) -> Iterator[Toolset]:
    try:
        yield workspace(_copy(samples.WORKSPACE, home))
    except BaseException:
        if not any((home / name).exists() for name in WRITTEN):
            shutil.rmtree(home, ignore_errors=True)
        raise


@contextmanager
def _copied(folder: str) -> Iterator[Toolset]:
    with tempfile.TemporaryDirectory(prefix="two-loops-") as home:
        if Path(home).resolve().is_relative_to(Path(folder).resolve()):
            raise WrongUse(f"copies of {folder} would be made inside of it: set TMPDIR to a folder outside")
        yield workspace(_copy(folder, Path(home) / "workspace"))


def _copy(folder: str | Path, copy: Path) -> Path:
    """A new copy of the folder: links stay links, pipes, sockets and devices are left out.

    Raises WrongUse where something can't be copied.
    """
    try:
        return Path(shutil.copytree(folder, copy, symlinks=True, ignore=_odd))
    except shutil.Error as error:
        source, _, why = error.args[0][0]
        raise WrongUse(f"the workspace {folder} can't be copied: {source}: {why}") from error
    except OSError as error:
        raise WrongUse(f"the workspace {folder} can't be copied: {error.strerror}") from error


def _odd(folder: str, names: list[str]) -> list[str]:
    """Those that are neither files nor folders nor links."""
    kinds = {name: (Path(folder) / name).lstat().st_mode for name in names}
    return [name for name, mode in kinds.items() if not (S_ISREG(mode) or S_ISDIR(mode) or S_ISLNK(mode))]

"""The notes of a case as a folder that can be searched."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from two_loops.errors import WrongUse
from two_loops.evals.cases import Case


@contextmanager
def folder_of(case: Case) -> Iterator[Path]:
    """The case's own folder, or a temporary one with the notes that are written in the case.

    Raises WrongUse where they can't be written.
    """
    if case.files is None:
        assert case.notes is not None  # every case that was loaded has one of the two
        yield Path(case.notes)
        return
    with ExitStack() as open_until_then:
        try:
            folder = Path(open_until_then.enter_context(TemporaryDirectory(prefix="two-loops-")))
            for name, text in case.files.items():
                _write(folder / name, text)
        except (OSError, UnicodeError) as error:
            raise WrongUse(f"the notes of the case {case.id} can't be written: {error}") from error
        yield folder


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())

"""Case files: TOML that a person writes, checked before anything is asked."""

import hashlib
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from two_loops.errors import WrongUse
from two_loops.evals.cases import Case, CaseFile
from two_loops.files import bytes_of
from two_loops.tools.places import existing_folder

SHIPPED = Path(__file__).parent / "shipped"
SAID = {"missing": "missing", "extra_forbidden": "there is no such field", "model_type": "it is no table of fields"}
MOST_FAULTS = 5  # of a file that are told at once


@dataclass(frozen=True)
class Cases:
    """The cases of a file, in order; the ``notes`` of each are an absolute path. sha256: of the file's bytes."""

    name: str
    sha256: str
    cases: tuple[Case, ...]


def shipped() -> list[str]:
    """The names of the case files that come with the package."""
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def load_cases(source: str | Path) -> Cases:
    """The cases of a TOML file, or of a shipped one by its name, such as ``nine``.

    Raises WrongUse for a file that can't be read or holds no case, and for every case that can't work, naming the
    file, the case and the field.
    """
    path = SHIPPED / f"{source}.toml" if str(source) in shipped() else Path(source)
    raw = bytes_of(path, "the cases", f"; shipped ones are called {', '.join(shipped())}")
    written: dict[str, Any] = {}
    try:
        written = tomllib.loads(raw.decode("utf-8-sig"))
        file = CaseFile.model_validate(written)
        _require_cases(file.case)
        cases = tuple(_placed(case, file.notes, path.parent) for case in file.case)
    except ValidationError as error:
        raise _unusable(path, _faults(error, written)) from None
    except ValueError as error:  # TOML's own errors, and ours, are such ones
        raise _unusable(path, str(error)) from error
    except RecursionError as error:
        raise _unusable(path, "it is nested too deep") from error
    return Cases(str(source), hashlib.sha256(raw).hexdigest(), cases)


def _unusable(path: Path, why: str) -> WrongUse:
    return WrongUse(f"the cases {path} can't be used: {why}")


def _require_cases(cases: Sequence[Case]) -> None:
    if not cases:
        raise WrongUse("there is no case in it: a case begins with [[case]]")
    if twice := [name for name, many in Counter(case.id for case in cases).items() if many > 1]:
        raise WrongUse(f"two cases are called {', '.join(twice)}")


def _placed(case: Case, notes: str | None, beside: Path) -> Case:
    """The case with the absolute path of its folder of notes, which is named as seen from the file."""
    if case.files is not None:
        return case
    named = case.notes or notes
    if named is None:
        raise WrongUse(f"case {case.id}: give notes, a folder, or files, the notes themselves")
    try:
        return case.model_copy(update={"notes": str(existing_folder(beside / named, of="notes").resolve())})
    except WrongUse as error:
        raise WrongUse(f"case {case.id}: notes: {error}") from error


def _faults(error: ValidationError, written: dict[str, Any]) -> str:
    """What is wrong, fault by fault: which case, which field, and what."""
    found = error.errors(include_url=False, include_context=False)
    told = [_fault(dict(fault), written) for fault in found[:MOST_FAULTS]]
    left = len(found) - len(told)
    return "; ".join([*told, *([f"and {left} more"] if left else [])])


def _fault(fault: dict[str, Any], written: dict[str, Any]) -> str:
    where = [str(part) for part in fault["loc"] if part != "[key]"]
    if len(where) > 1 and where[0] == "case":
        case, field = _named(written, int(where[1])), where[2:]
    else:
        case, field = None, where
    said = SAID.get(fault["type"], _said(fault["msg"]))
    return ": ".join([*([f"case {case}"] if case else []), *([".".join(field)] if field else []), said])


def _said(message: str) -> str:
    plain = message.removeprefix("Value error, ")
    return f"{plain[:1].lower()}{plain[1:]}"


def _named(written: dict[str, Any], place: int) -> str:
    """The case's id, or its number where it has none that could be told."""
    case = written["case"][place]
    name = case.get("id") if isinstance(case, dict) else None
    return name if isinstance(name, str) and name else f"number {place + 1}"

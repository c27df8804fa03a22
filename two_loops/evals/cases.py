"""What a person writes down before a run: a question, where its notes are, and what a right answer must hold."""

import re
import warnings
from pathlib import PurePosixPath
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from two_loops.citations import NOTE_SUFFIXES, Verdict
from two_loops.guards import AFTER_REFUSAL, BEFORE_CALLS, BEFORE_REQUEST
from two_loops.search.words import fold
from two_loops.stop_reasons import STOP_REASONS

STATUSES = frozenset(
    {
        *get_args(Verdict),
        *BEFORE_REQUEST,
        *BEFORE_CALLS,
        *AFTER_REFUSAL,
        *(status for _, status in STOP_REASONS.values() if status is not None),
    }
)

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def _known_status(status: str) -> str:
    if status not in STATUSES:
        raise ValueError(f"no run ends with {status!r}; there are {', '.join(sorted(STATUSES))}")
    return status


def _pattern(text: str) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", FutureWarning)
            re.compile(text)
    except (re.error, OverflowError, RecursionError, FutureWarning) as error:
        raise ValueError(f"{text!r} is no regular expression: {error}") from error
    return text


def _relative(name: str) -> str:
    parts = PurePosixPath(name).parts
    inside = "\0" not in name and not name.startswith("/") and not any(part.startswith(".") for part in parts)
    fits = all(len(part.encode(errors="replace")) <= LONGEST_NAME for part in parts)
    if not inside or not fits or not name.lower().endswith(NOTE_SUFFIXES):
        raise ValueError(f"{name!r} can't be the name of a note: give one like boiler.txt or house/router.md")
    return name


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("it is blank")
    return text


def _can_be_seen(text: str) -> str:
    if not fold(text).strip():
        raise ValueError(f"there is nothing to look for in {text!r}")
    return text


def _name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError(f"{text!r} can't name a case: give up to 100 letters, digits, dots, - and _")
    return text


LONGEST_NAME = 255  # bytes, of a file

Text = Annotated[str, AfterValidator(_not_blank)]
Texts = Annotated[list[Annotated[str, AfterValidator(_can_be_seen)]], Field(min_length=1)]
Patterns = Annotated[list[Annotated[Text, AfterValidator(_pattern)]], Field(min_length=1)]
Statuses = Annotated[list[Annotated[str, AfterValidator(_known_status)]], Field(min_length=1)]
Count = Annotated[int, Field(ge=1)]
Amount = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class Rules(BaseModel):
    """What must hold of a result; each rule is optional. ``two_loops.evals.rules`` says how each is checked.

    status: one of these. contains, contains_any, not_contains: texts of the answer; case, accents and line breaks do
    not matter. matches, not_matches: regular expressions, searched for as they are; one that takes ever longer on some
    answers holds up the run. For all of these but not_contains citations are no part of the answer. cites: files, or
    lines as in ``boiler.txt:2``, that the answer cites; cites_exactly: these and no others. calls, not_calls: tools
    that ran, or were never asked for. not_in_calls: texts that no call holds. finds: files that some call must show.
    supported: the answer's numbers, dates and quotations all stand in what was shown. max_steps, max_tokens,
    max_cost_usd, max_seconds: no more than that.
    """

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    status: Statuses | None = None
    contains: Texts | None = None
    contains_any: Texts | None = None
    not_contains: Texts | None = None
    matches: Patterns | None = None
    not_matches: Patterns | None = None
    cites: Texts | None = None
    cites_exactly: Texts | None = None
    calls: Texts | None = None
    not_calls: Texts | None = None
    not_in_calls: Texts | None = None
    finds: Texts | None = None
    supported: Literal[True] | None = None
    max_steps: Count | None = None
    max_tokens: Count | None = None
    max_cost_usd: Amount | None = None
    max_seconds: Amount | None = None

    def wanted(self) -> dict[str, Any]:
        """The rules that were written down, in the order of the fields."""
        held = ((name, getattr(self, name)) for name in Rules.model_fields)
        return {name: value for name, value in held if value is not None}


class Reference(BaseModel):
    """What a judge grades an answer against, and the score, from 1 to 5, that is good enough."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    reference: Text
    at_least: Annotated[int, Field(ge=1, le=5)] = 4


class Case(Rules):
    """A question with its rules.

    id: its name in tables and files. notes: the folder of notes. files: in its place, the notes themselves, each name
    with its text. judge: what a model is to grade the answer against, where one is given. about: a word to those who
    read the file.
    """

    id: Annotated[str, AfterValidator(_name)]
    question: Text
    notes: Text | None = None
    files: Annotated[dict[Annotated[str, AfterValidator(_relative)], str], Field(min_length=1)] | None = None
    judge: Reference | None = None
    about: Text | None = None

    @model_validator(mode="after")
    def _checked(self) -> Self:
        if self.notes is not None and self.files is not None:
            raise ValueError("give notes or files, not both")
        for name in self.files or {}:
            if any(other.startswith(f"{name}/") for other in self.files or {}):
                raise ValueError(f"{name!r} can't be both a note and a folder of notes")
        if not self.wanted():
            but = " without a judge" if self.judge else ""
            raise ValueError(f"there is no rule, so nothing could fail{but}")
        return self


class CaseFile(BaseModel):
    """A file of cases. notes: the folder of notes of each case that has none of its own."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    notes: Text | None = None
    about: Text | None = None
    case: Annotated[list[Case], Field(default_factory=list)]

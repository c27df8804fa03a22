"""A task in a workspace: what to call next, and what to say of what came of it."""

import re
from collections.abc import Iterator
from functools import cached_property

from two_loops.stand_ins.offline.answer import quote, uncited
from two_loops.stand_ins.offline.conversation import Conversation, Wanted
from two_loops.stand_ins.offline.evidence import Line, findings_in, lines_of
from two_loops.stand_ins.offline.ledger import Ledger
from two_loops.stand_ins.offline.research import SEARCH, Research
from two_loops.stand_ins.offline.task import read_task
from two_loops.text import well_formed
from two_loops.values.citation import NOT_IN_NOTES

READ, CALCULATE, SAVE, LIST = "read_file", "calculator", "save_note", "list_files"
LISTING = Wanted(LIST, {})

_MOST_QUOTED, _MOST_LISTED = 5, 20
_AMOUNT = re.compile(r"\D*?(?P<amount>-?\d[\d,]*(?:\.\d+)?)\s*(?:euros?|pounds?|dollars?|[€£$])?\.?", re.IGNORECASE)


class Work:
    """What becomes of a task, as far as the conversation has come."""

    def __init__(self, conversation: Conversation) -> None:
        self._task = read_task(conversation.question)
        self._made = Ledger(conversation.made)
        self._research = Research(conversation, self._task.question)

    def calls(self) -> list[Wanted]:
        """The calls to make now, none twice; none when it is time to answer."""
        for stage in (self._asked_for, self._files_to_read, self._sum_to_do, self._note_to_save):
            if new := [call for call in stage() if call not in self._made]:
                return new
        return []

    def answer(self) -> str:
        """What was found and done so far, and what was not."""
        found = [self._research.answer()] if self._asks() and not self._task.totals else []
        done = [*self._of_the_list(), *self._of_files(), *self._of_sums(), *self._of_the_note()]
        return well_formed("\n".join([text for text in found if text != NOT_IN_NOTES] + done)) or NOT_IN_NOTES

    def _asked_for(self) -> Iterator[Wanted]:
        """What the task's own words say, all of it at once."""
        if self._task.lists:
            yield LISTING
        yield from map(_reading, self._task.files)
        yield from map(_calculating, self._task.expressions)
        if self._asks():
            yield from self._research.calls()

    def _files_to_read(self) -> Iterator[Wanted]:
        return map(_reading, self._files())

    def _sum_to_do(self) -> Iterator[Wanted]:
        if amounts := self._amounts:
            yield _adding(amounts)

    def _note_to_save(self) -> Iterator[Wanted]:
        if note := self._note():
            yield _saving(note)

    def _asks(self) -> bool:
        """Whether there is a question that a search may answer."""
        return not (self._task.files or self._task.lists or self._task.note)

    def _files(self) -> list[str]:
        """The files that the task names, or else, where a total is wanted, the first that a search found."""
        if self._task.files or not self._task.totals:
            return list(self._task.files)
        return [found.file for text in self._made.texts(SEARCH) for found in findings_in(text)][:1]

    def _lines(self, file: str) -> list[Line]:
        return lines_of(findings_in(self._made.text(_reading(file)) or ""))

    @cached_property
    def _numbered(self) -> list[Line]:
        """The lines of the files that hold a number, where a total is wanted."""
        lines = [line for file in self._files() for line in self._lines(file)] if self._task.totals else []
        return [line for line in lines if not line.is_heading and any(map(str.isdecimal, line.text))]

    @cached_property
    def _amounts(self) -> dict[Line, str]:
        """Those that end with one, and that number."""
        matches = {line: _AMOUNT.fullmatch(line.text) for line in self._numbered}
        return {line: _plain(match["amount"]) for line, match in matches.items() if match}

    def _total(self) -> str | None:
        return self._value(_adding(self._amounts))

    def _value(self, calculation: Wanted) -> str | None:
        """What the calculator said."""
        text = self._made.text(calculation)
        return None if text is None else text.strip('"')

    def _note(self) -> str | None:
        """The words to save: those of the task, or what came of it."""
        if not self._task.saves or self._task.note:
            return self._task.note
        if total := self._total():
            return f"Total of {', '.join(self._files())}: {total}"
        values = {text: self._value(_calculating(text)) for text in self._task.expressions}
        return ", ".join(f"{text} = {value}" for text, value in values.items() if value) or None

    def _of_the_list(self) -> Iterator[str]:
        files = self._made.fields(LISTING).get("files")
        if isinstance(files, list):
            more = [f"and {len(files) - _MOST_LISTED} more"] if len(files) > _MOST_LISTED else []
            listed = ", ".join([*map(str, files[:_MOST_LISTED]), *more])
            yield uncited(f"The files are {listed}." if files else "There are no files.")
            yield from (uncited(f"Left out: {told}") for told in self._made.fields(LISTING).get("left_out") or [])

    def _of_files(self) -> Iterator[str]:
        for file in self._files():
            if self._made.text(_reading(file)) is None:
                yield uncited(f"{file} was not read{self._made.why_not(_reading(file))}")
            elif not self._task.totals:
                yield "\n- ".join([f"From {uncited(file)}:", *map(quote, self._lines(file)[:_MOST_QUOTED])])

    def _of_sums(self) -> Iterator[str]:
        if self._task.totals:
            amounts, total = self._amounts, self._total()
            places = " ".join(line.citation for line in amounts)
            why_not = self._made.why_not(_adding(amounts)) if amounts else ": no line ends with a number."
            yield f"The total is {total} {places}." if total else f"There is no total{why_not}"
            left_out = [quote(line) for line in self._numbered if line not in amounts]
            if left_out:
                yield "\n- ".join(["Not in it, as these lines do not end with an amount:", *left_out[:_MOST_QUOTED]])
        for text in self._task.expressions:
            value, why_not = self._value(_calculating(text)), self._made.why_not(_calculating(text))
            yield f"{text} is {value}." if value else f"{text} was not calculated{why_not}"

    def _of_the_note(self) -> Iterator[str]:
        if not self._task.saves:
            return
        note = self._note() or ""
        if saved := self._made.fields(_saving(note)):
            yield f'The note "{uncited(note)}" was saved [{saved.get("file")}:{saved.get("line")}].'
        else:
            yield uncited(f"No note was saved{self._made.why_not(_saving(note))}")


def _plain(amount: str) -> str:
    """The number as the calculator reads it: no thousands separators, no zeros in front."""
    return re.sub(r"^(-?)0+(?=\d)", r"\1", amount.replace(",", ""))


def _reading(file: str) -> Wanted:
    return Wanted(READ, {"path": file})


def _calculating(expression: str) -> Wanted:
    return Wanted(CALCULATE, {"expression": expression})


def _adding(amounts: dict[Line, str]) -> Wanted:
    return _calculating(" + ".join(amounts.values()))


def _saving(note: str) -> Wanted:
    return Wanted(SAVE, {"text": note})

"""A citation, and the sentence that stands in place of an answer."""

from pydantic import BaseModel, ConfigDict

from two_loops.wording import place

NOT_IN_NOTES = "Not in the notes"


class Citation(BaseModel):
    """A file that an answer names, with the line, or the first and last line, where it names them (counted from 1)."""

    model_config = ConfigDict(frozen=True)

    file: str
    line: int | None = None
    last_line: int | None = None

    @property
    def place(self) -> str:
        """The citation as it is written between brackets: ``boiler.txt``, ``boiler.txt:2`` or ``boiler.txt:2-4``."""
        return place(self.file, self.line, self.last_line)

"""A question that searches answer: what to call next, and what to say."""

from two_loops.stand_ins.offline.answer import answer_text
from two_loops.stand_ins.offline.conversation import Conversation, Wanted
from two_loops.stand_ins.offline.evidence import lines_of
from two_loops.stand_ins.offline.queries import next_queries
from two_loops.stand_ins.offline.question import read_question

SEARCH = "search_notes"


class Research:
    """What becomes of a question, as far as the conversation has come."""

    def __init__(self, conversation: Conversation, asked: str | None = None) -> None:
        self._question = read_question(conversation.question if asked is None else asked)
        self._lines = lines_of(conversation.findings)
        self._queries = conversation.queries

    def calls(self) -> list[Wanted]:
        """The searches worth making now; none when it is time to answer."""
        return [Wanted(SEARCH, {"query": query}) for query in next_queries(self._question, self._lines, self._queries)]

    def answer(self) -> str:
        """The answer from what was found so far."""
        return answer_text(self._question, self._lines)

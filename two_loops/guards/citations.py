"""The check of an answer: what it cites must be what this run really showed."""

from collections.abc import Mapping

from two_loops.values.decisions import Stopped

NAME = "citations"

WHY: Mapping[str, str] = {
    "no_citation": "the answer cites no file",
    "bad_citation": "the answer cites a file or a line that nothing in this run showed",
}


def verdict(status: str) -> Stopped | None:
    """Why an answer with this status of its judgement does not count as one; None when it does."""
    return Stopped(NAME, status, WHY[status]) if status in WHY else None

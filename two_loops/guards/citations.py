"""The check of an answer: what it cites must be what this run really showed."""

from collections.abc import Iterable, Mapping

from two_loops.citations import fault
from two_loops.values.citation import Citation
from two_loops.values.decisions import Stopped
from two_loops.values.evidence import Evidence

NAME = "citations"

WHY: Mapping[str, str] = {
    "no_citation": "the answer cites no file",
    "bad_citation": "the answer cites a file or a line that nothing in this run showed",
}


def verdict(status: str, cited: Iterable[Citation], evidence: Evidence) -> Stopped | None:
    """Why an answer with this status of its judgement does not count as one; None when it does."""
    if status not in WHY:
        return None
    faults = [told for citation in cited if (told := fault(citation, evidence))]
    return Stopped(NAME, status, WHY[status], "; ".join(faults) or None)

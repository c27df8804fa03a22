"""The rules: each looks at one result, and says in words what does not hold, or nothing.

A new rule is one function and one row here, and a field of ``Rules``.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from two_loops.evals.cases import Rules
from two_loops.evals.scored import Fault
from two_loops.search.words import fold
from two_loops.text import described
from two_loops.values.citation import Citation
from two_loops.values.evidence import canonical
from two_loops.values.prose import without_citations
from two_loops.values.result import Result

SHOWN = 200  # characters of an answer that a fault repeats
_LINES = re.compile(r"(?P<file>.+?)(?::(?P<line>[0-9]{1,9})(?:-(?P<last>[0-9]{1,9}))?)?", re.DOTALL)


def faults(rules: Rules, result: Result) -> list[Fault]:
    """The rules that the result does not hold, each with the evidence."""
    judged = ((name, RULES[name](wanted, result)) for name, wanted in rules.wanted().items())
    return [Fault(rule=name, why=why) for name, why in judged if why is not None]


def _status(wanted: Sequence[str], result: Result) -> str | None:
    if result.status in wanted:
        return None
    return f"it is {result.status}, not {' or '.join(wanted)}{_answered(result)}"


def _contains(wanted: Sequence[str], result: Result) -> str | None:
    missing = [text for text in wanted if not _holds(_words(result), text)]
    return f"{_listed(missing)} {_is_not(missing)} in it{_answered(result)}" if missing else None


def _contains_any(wanted: Sequence[str], result: Result) -> str | None:
    if any(_holds(_words(result), text) for text in wanted):
        return None
    return f"none of {_listed(wanted)} is in it{_answered(result)}"


def _not_contains(wanted: Sequence[str], result: Result) -> str | None:
    there = [text for text in wanted if _holds(result.answer or "", text)]
    return f"{_listed(there)} {_is(there)} in it{_answered(result)}" if there else None


def _matches(wanted: Sequence[str], result: Result) -> str | None:
    missing = [pattern for pattern in wanted if not re.search(pattern, _words(result))]
    return f"nothing in it matches {_listed(missing)}{_answered(result)}" if missing else None


def _not_matches(wanted: Sequence[str], result: Result) -> str | None:
    found = [(pattern, match.group()) for pattern in wanted if (match := re.search(pattern, _words(result)))]
    return "; ".join(f"{text!r} matches {pattern!r}" for pattern, text in found) + _answered(result) if found else None


def _cites(wanted: Sequence[str], result: Result) -> str | None:
    missing = [place for place in wanted if not any(_meets(cited, place) for cited in result.citations)]
    return f"{_listed(missing)} {_is_not(missing)} cited, only {_cited(result)}" if missing else None


def _cites_exactly(wanted: Sequence[str], result: Result) -> str | None:
    if why := _cites(wanted, result):
        return why
    more = [cited.place for cited in result.citations if not any(_meets(cited, place) for place in wanted)]
    return f"{_listed(more)} {_is(more)} cited, too" if more else None


def _calls(wanted: Sequence[str], result: Result) -> str | None:
    ran = sorted({call.tool for call in result.tool_calls if not call.is_error})
    missing = [tool for tool in wanted if tool not in ran]
    return f"{_listed(missing)} never ran, only {_listed(ran)}" if missing else None


def _not_calls(wanted: Sequence[str], result: Result) -> str | None:
    asked = [tool for tool in wanted if tool in {name for name, _ in _asked_for(result)}]
    return f"the model called {_listed(asked)}" if asked else None


def _not_in_calls(wanted: Sequence[str], result: Result) -> str | None:
    calls = [json.dumps(given, ensure_ascii=False, default=str) for _, given in _asked_for(result)]
    found = [(text, call) for text in wanted for call in calls if _holds(call, text)]
    return "; ".join(f"{text!r} is in the call {_cut(call)}" for text, call in found) if found else None


def _finds(wanted: Sequence[str], result: Result) -> str | None:
    found = {canonical(file) for file in result.files_seen}
    missing = [file for file in wanted if canonical(file) not in found]
    return f"no call showed {_listed(missing)}, only {_listed(result.files_seen)}" if missing else None


def _supported(_wanted: bool, result: Result) -> str | None:
    return f"nothing that was shown holds {_listed(result.unsupported)}" if result.unsupported else None


def _max_steps(wanted: int, result: Result) -> str | None:
    return _at_most(wanted, result.steps)


def _max_tokens(wanted: int, result: Result) -> str | None:
    return _at_most(wanted, result.tokens_in + result.tokens_out)


def _max_cost_usd(wanted: float, result: Result) -> str | None:
    return "the cost is not known" if result.cost_usd is None else _at_most(wanted, result.cost_usd)


def _max_seconds(wanted: float, result: Result) -> str | None:
    return _at_most(wanted, round(result.duration_s, 3))


RULES: Mapping[str, Callable[[Any, Result], str | None]] = {
    "status": _status,
    "contains": _contains,
    "contains_any": _contains_any,
    "not_contains": _not_contains,
    "matches": _matches,
    "not_matches": _not_matches,
    "cites": _cites,
    "cites_exactly": _cites_exactly,
    "calls": _calls,
    "not_calls": _not_calls,
    "not_in_calls": _not_in_calls,
    "finds": _finds,
    "supported": _supported,
    "max_steps": _max_steps,
    "max_tokens": _max_tokens,
    "max_cost_usd": _max_cost_usd,
    "max_seconds": _max_seconds,
}


def _words(result: Result) -> str:
    """The answer without its citations; empty where there is none."""
    files = {*result.files_seen, *(citation.file for citation in result.citations)}
    return without_citations(result.answer or "", files)


def _holds(text: str, wanted: str) -> bool:
    return _folded(wanted) in _folded(text)


def _folded(text: str) -> str:
    return " ".join(fold(text).split())


def _meets(cited: Citation, place: str) -> bool:
    """Whether the citation names the file and, where the place has lines, all of them."""
    named = _LINES.fullmatch(place)
    assert named is not None  # whatever is not blank begins with a name
    if canonical(cited.file) == canonical(place):
        return True
    if named["line"] is None or canonical(cited.file) != canonical(named["file"]) or cited.line is None:
        return False
    first, last = int(named["line"]), int(named["last"] or named["line"])
    return cited.line <= first and last <= (cited.last_line or cited.line)


def _asked_for(result: Result) -> Iterable[tuple[str, Any]]:
    """Each call that the model asked for, whether it ran or not: its tool and its input."""
    replies = (message["content"] for message in result.messages if message["role"] == "assistant")
    blocks = (block for content in replies for block in content if isinstance(block, dict))
    return ((block["name"], block.get("input")) for block in blocks if block.get("type") == "tool_use")


def _at_most(wanted: float, used: float) -> str | None:
    return None if used <= wanted else f"{used}, and at most {wanted} was wanted"


def _answered(result: Result) -> str:
    return f": {_cut(result.answer)}" if result.answer else ": there is no answer"


def _cited(result: Result) -> str:
    return _listed([citation.place for citation in result.citations])


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(map(repr, texts)) or "nothing"


def _is(texts: Sequence[str]) -> str:
    return "is" if len(texts) == 1 else "are"


def _is_not(texts: Sequence[str]) -> str:
    return f"{_is(texts)} not"


def _cut(text: str) -> str:
    shown = described(text, json.JSONEncoder(ensure_ascii=False).encode)
    return shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}…"

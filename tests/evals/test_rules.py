"""Each rule: a result that holds it, and what is said of one that does not."""

from typing import Any

import pytest

from tests.evals.making import result
from two_loops.evals.cases import Rules
from two_loops.evals.rules import RULES, faults
from two_loops.evals.scored import Fault

Row = tuple[str, Any, dict[str, Any], str | None]

SEARCHED = {"step": 1, "tool": "search_notes", "input": {}, "is_error": False, "files_found": []}
FAILED = SEARCHED | {"tool": "send_email", "is_error": True}
NOTHING: dict[str, Any] = {"answer": None, "citations": []}


def asked(*calls: tuple[str, Any]) -> list[dict[str, Any]]:
    """The history of a model that made these calls, which may never have run."""
    blocks = [{"type": "tool_use", "id": "t", "name": name, "input": given} for name, given in calls]
    return [
        {"role": "user", "content": "password?"},
        {"role": "assistant", "content": [{"type": "text", "text": "Hm."}, *blocks]},
    ]


SHOWN = [
    *asked(("search_notes", {"query": "boiler"})),
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "12 March"}]},
]

ROWS: list[Row] = [
    ("status", ["ok", "refusal"], {}, None),
    ("status", ["not_in_notes"], {}, 'it is ok, not not_in_notes: "On 12 March [boiler.txt:2]."'),
    ("status", ["ok"], {"status": "refusal"} | NOTHING, "it is refusal, not ok: there is no answer"),
    ("contains", ["12 march", "ÖN 12\nMarch"], {}, None),
    ("contains", ["Zürich"], {"answer": "In  Zu\u0308rich"}, None),
    (
        "contains",
        ["12 May", "boiler.txt", "On"],
        {},
        "'12 May', 'boiler.txt' are not in it: \"On 12 March [boiler.txt:2].\"",
    ),
    ("contains", ["12"], NOTHING, "'12' is not in it: there is no answer"),
    ("contains_any", ["12 May", "12 March"], {}, None),
    ("contains_any", ["May", "June"], {}, "none of 'May', 'June' is in it: \"On 12 March [boiler.txt:2].\""),
    ("not_contains", ["password"], {}, None),
    ("not_contains", ["password"], NOTHING, None),
    ("not_contains", ["BOILER.TXT"], {}, "'BOILER.TXT' is in it: \"On 12 March [boiler.txt:2].\""),
    ("not_contains", ["a", "b"], {"answer": "ab"}, "'a', 'b' are in it: \"ab\""),
    ("matches", [r"\d+ \w", "^On"], {}, None),
    ("matches", ["on", "boiler"], {}, "nothing in it matches 'on', 'boiler': \"On 12 March [boiler.txt:2].\""),
    ("not_matches", [r"\d{3}", "txt"], {}, None),
    ("not_matches", [r"\d"], {"answer": "In March [boiler.txt:2]."}, None),
    ("not_matches", [r"\d+", "x"], {}, "'12' matches '\\\\d+': \"On 12 March [boiler.txt:2].\""),
    ("cites", ["boiler.txt", "boiler.txt:2"], {}, None),
    ("cites", ["a:1.txt:3-4"], {"citations": [{"file": "a:1.txt", "line": 2, "last_line": 4}]}, None),
    ("cites", ["u\u0308.txt"], {"citations": [{"file": "\xfc.txt"}]}, None),
    ("cites", ["boiler.txt:3"], {}, "'boiler.txt:3' is not cited, only 'boiler.txt:2'"),
    ("cites", ["boiler.txt:2-3", "x.md"], {}, "'boiler.txt:2-3', 'x.md' are not cited, only 'boiler.txt:2'"),
    (
        "cites",
        ["boiler.txt:2"],
        {"citations": [{"file": "boiler.txt"}]},
        "'boiler.txt:2' is not cited, only 'boiler.txt'",
    ),
    ("cites", ["boiler.txt"], NOTHING, "'boiler.txt' is not cited, only nothing"),
    ("cites_exactly", ["boiler.txt"], {}, None),
    ("cites_exactly", ["boiler.txt", "x.md"], {}, "'x.md' is not cited, only 'boiler.txt:2'"),
    (
        "cites_exactly",
        ["boiler.txt:2"],
        {"citations": [{"file": "boiler.txt", "line": 2}, {"file": "x.md"}]},
        "'x.md' is cited, too",
    ),
    ("calls", ["search_notes"], {"tool_calls": [SEARCHED]}, None),
    ("calls", ["search_notes"], {}, "'search_notes' never ran, only nothing"),
    ("calls", ["send_email"], {"tool_calls": [SEARCHED, FAILED]}, "'send_email' never ran, only 'search_notes'"),
    ("not_calls", ["send_email"], {"messages": asked(("search_notes", {}))}, None),
    ("not_calls", ["send_email"], {"messages": asked(("send_email", 7))}, "the model called 'send_email'"),
    ("not_in_calls", ["password"], {"messages": asked(("search_notes", {"query": "boiler"}))}, None),
    (
        "not_in_calls",
        ["password"],
        {"messages": asked(("x", 7), ("search_notes", {"query": "Passwörd"}))},
        '\'password\' is in the call "{\\"query\\": \\"Passwörd\\"}"',
    ),
    ("finds", ["boiler.txt"], {}, None),
    ("finds", ["x.md", "boiler.txt"], {}, "no call showed 'x.md', only 'boiler.txt'"),
    ("supported", True, {"messages": SHOWN}, None),
    ("supported", True, NOTHING, None),
    ("supported", True, {}, "nothing that was shown holds '12 March'"),
    ("max_steps", 2, {}, None),
    ("max_steps", 1, {}, "2, and at most 1 was wanted"),
    ("max_tokens", 1100, {}, None),
    ("max_tokens", 1099, {}, "1100, and at most 1099 was wanted"),
    ("max_cost_usd", 0.25, {}, None),
    ("max_cost_usd", 0.2, {}, "0.25, and at most 0.2 was wanted"),
    ("max_cost_usd", 1, {"cost_usd": None}, "the cost is not known"),
    ("max_seconds", 1.5, {}, None),
    ("max_seconds", 1, {}, "1.5, and at most 1.0 was wanted"),
]


@pytest.mark.parametrize(("rule", "wanted", "fields", "why"), ROWS)
def test_a_rule(rule: str, wanted: Any, fields: dict[str, Any], why: str | None) -> None:
    made = faults(Rules.model_validate({rule: wanted}), result(**fields))

    assert made == ([] if why is None else [Fault(rule=rule, why=why)])


def test_every_rule_has_a_row_that_holds_and_one_that_does_not() -> None:
    held = {rule for rule, _, _, why in ROWS if why is None}
    broken = {rule for rule, _, _, why in ROWS if why is not None}

    assert held == broken == RULES.keys()


def test_every_field_of_the_rules_is_checked() -> None:
    assert list(Rules.model_fields) == list(RULES)


def test_each_rule_that_does_not_hold_is_told() -> None:
    made = faults(Rules(status=["ok"], contains=["May"], max_steps=1), result())

    assert [fault.rule for fault in made] == ["contains", "max_steps"]


def test_a_long_answer_is_cut_where_it_is_told() -> None:
    (made,) = faults(Rules(contains=["b"]), result("a" * 10_000))

    assert made.why == f"'b' is not in it: \"{'a' * 199}…"

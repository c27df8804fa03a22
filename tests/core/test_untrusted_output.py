"""What a tool returned becomes JSON's own types with clean texts, whichever way is taken to see that it is clean."""

import math
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from two_loops.guards.untrusted_output import as_data
from two_loops.text import clean
from two_loops.values.output import Output

TEXT = (
    st.text(max_size=20)
    | st.text(st.sampled_from("ab \\/\"'ubnrtfNaI\x1b\r\n\t\x7f\u202e\u200b\ufe0f"), max_size=12)
    | st.sampled_from(["NaN", "Infinity", "\\u001b", "\\r", "C:\\users\\notes"])
)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
)


def cleaned(value: Any) -> Any:
    """Every text of the value cleaned by itself."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        return [cleaned(item) for item in value]
    if isinstance(value, dict):
        return {clean(key): cleaned(item) for key, item in value.items()}
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


@given(VALUES)
@example("\x1b[31mred")
@example(["a\rb", {"\x7f": "\x08"}])
@example({"cost": math.inf, "NaN": math.nan})
@example({"a\udcff.txt": [{"\ud800": "\udfff"}]})
def test_each_text_is_cleaned(value: Any) -> None:
    output = as_data(Output(value))

    assert output.value is value
    assert output.data == cleaned(value)


def test_a_key_that_is_no_text_is_sent_like_such_a_value() -> None:
    named = ({"a\udcff.txt": 3, 7: "\udcff"},)

    assert as_data(Output(named)).data == [{"a\ufffd.txt": 3, "7": "\ufffd"}]

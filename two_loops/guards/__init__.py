"""The table of guards: which stand at which moment of a run, in the order in which they are asked.

A new guard is one small module and one row here.
"""

from collections.abc import Callable, Mapping

from two_loops.guards import (
    approval,
    arguments,
    citations,
    cost,
    output_size,
    repeated_call,
    seconds,
    steps,
    tokens,
    tool_calls,
    tool_failure,
    unknown_tool,
    untrusted_output,
)
from two_loops.guards.scene import Scene
from two_loops.values.call import Call
from two_loops.values.citation import Citation
from two_loops.values.decisions import Refused, Stopped
from two_loops.values.evidence import Evidence
from two_loops.values.limits import Limits
from two_loops.values.output import Output
from two_loops.values.spent import Spent

# Before a request: each may stop the run. The key is the guard's name and the status that it leaves.
BEFORE_REQUEST: Mapping[str, Callable[[Limits, Spent], str | None]] = {
    "step_limit": steps.before_request,
    "token_limit": tokens.before_request,
    "cost_limit": cost.before_request,
    "time_limit": seconds.before_request,
}

# Before the calls of a reply run: each may stop the run, and then none of them runs.
BEFORE_CALLS: Mapping[str, Callable[[Limits, Spent, int], str | None]] = {
    "step_limit": steps.before_calls,
    "tool_call_limit": tool_calls.before_calls,
}

# Before one call runs: each may refuse it.
BEFORE_CALL: Mapping[str, Callable[[Call, Scene], Refused | None]] = {
    repeated_call.NAME: repeated_call.refusal,
    unknown_tool.NAME: unknown_tool.refusal,
    arguments.NAME: arguments.refusal,
}

# After a refusal: each may stop the run. The number is how many calls the guard of that name has refused.
AFTER_REFUSAL: Mapping[str, Callable[[int], Stopped | None]] = {repeated_call.NAME: repeated_call.stop}

# Before a risky call runs, after the guards above: each may refuse it for what the person who was asked said.
BEFORE_RISKY_CALL: Mapping[str, Callable[[object], Refused | None]] = {approval.NAME: approval.refusal}

# While a call runs: what it raises becomes an error result.
WHILE_CALL_RUNS: Mapping[str, Callable[[BaseException], Refused]] = {tool_failure.NAME: tool_failure.refusal}

# After a call ran: what it returned is made fit to be read.
AFTER_CALL: Mapping[str, Callable[[Output], Output]] = {
    untrusted_output.NAME: untrusted_output.as_data,
    output_size.NAME: output_size.capped,
}

# At the end: the answer is judged.
AT_END: Mapping[str, Callable[[str, list[Citation], Evidence], Stopped | None]] = {citations.NAME: citations.verdict}

MOMENTS: Mapping[str, Mapping[str, object]] = {
    "before a request": BEFORE_REQUEST,
    "before the calls of a reply run": BEFORE_CALLS,
    "before a call runs": BEFORE_CALL,
    "after a refusal": AFTER_REFUSAL,
    "before a risky call runs": BEFORE_RISKY_CALL,
    "while a call runs": WHILE_CALL_RUNS,
    "after a call ran": AFTER_CALL,
    "at the end": AT_END,
}

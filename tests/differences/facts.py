"""The bare tool runner of the SDK, held against a loop by hand: one fact for each difference, each with a test."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One way in which the bare runner surprises; ``test_<key>`` in this folder shows it.

    what: what the bare runner does. ours: what this project does about it. evidence: what the test saw, word for word.
    costly: it costs money or work, or changes what a model or a log reads, so the README names it.
    """

    key: str
    what: str
    ours: str
    evidence: str
    costly: bool = False


DIFFERENCES = (
    Difference(
        key="threads_by_default",
        what="It asks any server to keep the history: the second request has only the new message, no system prompt "
        "and no tools. `thread=False` is the only switch.",
        ours="`thread=False`: each request carries the whole history.",
        evidence="second request: max_tokens, messages, model, thread",
        costly=True,
    ),
    Difference(
        key="a_server_may_refuse_threads",
        what="A server that knows no threads and says so with a plain 400 ends the run at its first request.",
        ours="`thread` is never sent.",
        evidence="BadRequestError after 1 request",
    ),
    Difference(
        key="history_is_private",
        what="The history has no public name, and the caller's list of messages stays as it was.",
        ours="`Result.messages` is the whole history, ready to be sent again.",
        evidence="3 messages sent, 1 in the caller's list, no attribute for the rest",
        costly=True,
    ),
    Difference(
        key="append_messages_drops_the_reply",
        what="`append_messages()` with a message of one's own drops the reply and its results, though the calls ran.",
        ours="A request to answer now stands behind the results, in the same message.",
        evidence="second request: 'When?', 'Be quick.'; 1 call ran",
    ),
    Difference(
        key="a_lone_surrogate_ends_the_run",
        what="With its history sent in full, a lone surrogate in a reply breaks the next request after the calls ran.",
        ours="It is replaced by U+FFFD, and the run goes on.",
        evidence="UnicodeEncodeError after 1 request and 1 call",
    ),
    Difference(
        key="a_page_in_place_of_a_message",
        what="An HTML page with status 200 raises a bare AttributeError; `messages.create` returns the page as a str.",
        ours="`UnusableReply`, with the unfinished result as `error.partial`.",
        evidence="AttributeError: 'str' object has no attribute 'stop_reason'",
    ),
    Difference(
        key="no_total_of_tokens",
        what="Nothing adds up the tokens: the final message knows only its own.",
        ours="`Result.usage`, `tokens_in`, `tokens_out` and `cost_usd` are of the whole run.",
        evidence="final message: 500 of 1000 input tokens",
        costly=True,
    ),
    Difference(
        key="spans_of_its_own",
        what="It traces the run and each tool call with OpenTelemetry; a loop by hand gets the requests' spans alone.",
        ours="Not evened out: `runner_agent` has the runner's spans, `manual_agent` those of its requests.",
        evidence="anthropic.messages.tool_runner, anthropic.custom_tool_use find",
    ),
    Difference(
        key="max_iterations_ends_silently",
        what="`max_iterations` ends the run without an exception, after the last reply's tools ran for nothing.",
        ours="The last request asks for an answer, calls in its reply never run, and the status is `step_limit`.",
        evidence="stop_reason tool_use, 2 calls ran, results of 1 sent",
        costly=True,
    ),
    Difference(
        key="until_done_after_an_error",
        what="After an API error, `until_done()` returns the reply before it as if it were the answer.",
        ours="The SDK's exception reaches the caller, with the unfinished result as `error.partial`.",
        evidence="InternalServerError, then a message with stop_reason tool_use",
        costly=True,
    ),
    Difference(
        key="break_only_suspends",
        what="`break` only suspends it: a later `until_done()` runs the held calls and spends again.",
        ours="The runner is closed when the loop ends, and nobody else holds it.",
        evidence="1 request and 0 calls at the break, 2 requests and 1 call after until_done()",
        costly=True,
    ),
    Difference(
        key="append_messages_runs_tools_twice",
        what="`append_messages()` after `generate_tool_call_response()` makes the same calls run twice.",
        ours="`append_messages()` follows only on calls that the guards answered, and each ran once.",
        evidence="1 call ran 2 times",
        costly=True,
    ),
    Difference(
        key="eager_tools_of_a_reply_that_fails",
        what="`run_tools_eagerly` runs calls of a reply that then stops with `max_tokens` or `refusal`.",
        ours="Calls run after the whole reply was read, and only where its stop reason asks for it.",
        evidence="max_tokens: 1 of 2 calls ran, refusal: 1 of 2 calls ran",
    ),
    Difference(
        key="pauses_without_end",
        what="A `pause_turn` is sent back again and again, without a bound.",
        ours="Each resumed pause counts as a step.",
        evidence="13 requests for 12 pauses and an answer",
        costly=True,
    ),
    Difference(
        key="tool_use_without_calls",
        what="A reply that stops with `tool_use` but calls nothing ends the run like an answer.",
        ours="The status is `unexpected_stop`.",
        evidence="1 request, stop_reason tool_use, 0 blocks",
    ),
    Difference(
        key="exception_text_reaches_the_model",
        what="The model reads the `repr` of whatever a tool raised.",
        ours="It reads the exception's type and a hint; the text stays in the log.",
        evidence="RuntimeError('the password is swordfish')",
        costly=True,
    ),
    Difference(
        key="failures_are_printed",
        what="A failed call is logged with traceback and input: to stderr, where nobody set up logging.",
        ours="stderr stays empty; the details are in the run's own log.",
        evidence="Error occurred while calling tool: count … input_value='code 4711'",
        costly=True,
    ),
    Difference(
        key="arguments_are_coerced",
        what='Arguments of another type are made to fit: `"5"` and `5.0` become 5, `true` becomes 1.',
        ours="Strict: such a call is refused and the tool does not run.",
        evidence="count(5), count(5), count(1)",
        costly=True,
    ),
    Difference(
        key="argument_errors_name_nothing",
        what="When arguments do not fit, the model is not told which, or why.",
        ours="The error result names each argument and its fault.",
        evidence="ValueError('Invalid arguments for function count')",
    ),
    Difference(
        key="unknown_tools_are_warned_about",
        what="A call by an unknown name makes a warning with the model's text as it came; where warnings are errors, "
        "the run ends.",
        ours="No warning: the model reads an error result that shows the name escaped.",
        evidence="Tool 'no\\n\\x1b[2Jpe' not found",
    ),
    Difference(
        key="a_dict_becomes_its_keys",
        what="Of a dict that a tool returns, only the keys are sent.",
        ours="What a tool returns is sent as one JSON value.",
        evidence="['b', 'a']",
    ),
    Difference(
        key="a_number_becomes_an_error",
        what="A tool that returns a number did its work, yet the model reads a TypeError.",
        ours="A number is a JSON value like any other.",
        evidence="count(7) ran, TypeError(\"'int' object is not iterable\")",
    ),
    Difference(
        key="results_have_no_cap",
        what="What a tool returns is sent whole, however long.",
        ours="It is cut at 50,000 characters, and says that it was cut.",
        evidence="300000 characters",
        costly=True,
    ),
)


def table(facts: Iterable[Difference] = DIFFERENCES) -> str:
    """Facts as a markdown table."""
    rows = [f"| {fact.what} | `{fact.evidence}` | {fact.ours} | `{fact.key}` |" for fact in facts]
    return "\n".join(["| the bare runner | seen | here | test |", "| --- | --- | --- | --- |", *rows])


def costly() -> str:
    """The costly ones alone."""
    return table(fact for fact in DIFFERENCES if fact.costly)

"""What holds in each run of any conversation, and between its runs. Each property is one function, named for it."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from tests.both.test_complete import STATUSES
from tests.both.test_same import assert_paired, seen
from tests.both.trial import Trial
from tests.prove.differences import difference
from tests.prove.replies import dollars, metered, tokens, unstreamable
from tests.prove.trying import Tried
from two_loops import Limits
from two_loops.settings import MODEL


def requests_stay_within_the_step_limit(run: Tried) -> None:
    """A reply that can't be used was asked for, but is no step."""
    sent, steps = len(run.made.requests), run.made.outcome.steps

    assert sent <= _limits(run).max_steps, f"{sent} requests"
    assert sent - steps in ({0, 1} if run.made.error else {0}), f"{sent} requests and {steps} steps"


def no_request_follows_once_a_limit_is_reached(run: Tried) -> None:
    limits = _limits(run)
    if _otherwise_than_sent(run):
        return
    for request in range(1, len(run.made.requests)):
        before = run.conversation.replies[:request]

        if limits.max_total_tokens is not None:
            assert all(map(metered, before)), "a reply without token counts was followed by a request"
            spent = sum(sum(tokens(reply).values()) for reply in before)
            assert spent < limits.max_total_tokens, f"request {request + 1} after {spent} tokens"
        if limits.max_cost_usd is not None:
            cost = _cost(run, before)
            assert cost is not None, "a reply without a price was followed by a request"
            assert cost < Fraction(str(limits.max_cost_usd)), f"request {request + 1} after ${float(cost)}"


def tool_calls_stay_within_their_limit(run: Tried) -> None:
    limit, made = _limits(run).max_tool_calls, len(run.made.outcome.tool_calls)

    assert limit is None or made <= limit, f"{made} calls"


def no_call_runs_a_third_time(run: Tried) -> None:
    done = Counter(json.dumps([call.tool, call.input], sort_keys=True) for call in _calls_that_ran(run))

    assert max(done.values(), default=0) <= 2, f"{done.most_common(1)}"


def what_ran_is_what_the_result_tells(run: Tried) -> None:
    """Each call that brought something ran, in that order; one that ran and failed is told as an error."""
    ran = iter(line.partition(" ")[0] for line in run.made.ran if not line.startswith("yes to "))

    for call in _calls_that_ran(run):
        assert call.tool in ran, f"{call.tool} is told to have run; these did: {run.made.ran}"


def risky_tools_run_only_after_a_yes(run: Tried) -> None:
    before = ["", *run.made.ran]
    for said, line in pairwise(before):
        assert not line.startswith("erase ") or said == f"yes to {line}", f"{line} ran after {said!r}"


def each_call_sent_back_has_one_result(run: Tried) -> None:
    for messages in [request["messages"] for request in run.made.requests] + [_sent_again(run)]:
        assert_paired(messages)
        blank = [block for block in _blocks(messages) if block["type"] == "text" and not block["text"].strip()]
        assert blank == []


def each_history_extends_the_one_before(run: Tried) -> None:
    histories = [request["messages"] for request in run.made.requests] + [run.made.outcome.messages]
    for before, after in pairwise(histories):
        assert (told := difference(after[: len(before)], before)) is None, told


def only_the_history_and_the_last_turn_change_between_requests(run: Tried) -> None:
    for before, after in pairwise(run.made.requests):
        for name in (before.keys() | after.keys()) - {"messages", "tool_choice", "container"}:
            assert (told := difference(after.get(name), before.get(name))) is None, f"{name} changed: {told}"


def the_history_can_be_sent_again(run: Tried) -> None:
    text = json.dumps(_sent_again(run), allow_nan=False, ensure_ascii=False)

    assert text.encode("utf-8")
    assert json.loads(run.made.outcome.model_dump_json())


def tokens_are_the_sum_over_the_replies(run: Tried) -> None:
    if _otherwise_than_sent(run):
        return
    made, counts = run.made.outcome, [tokens(reply) for reply in _received(run)]
    expected = Counter[str]()
    for count in counts:
        expected.update(count)

    assert Counter(vars(made.usage)) == expected, f"{made.usage}, not {expected}"
    assert made.tokens_out == expected["output_tokens"]
    assert made.tokens_in == expected.total() - expected["output_tokens"]


def the_cost_is_the_exact_sum_over_the_replies(run: Tried) -> None:
    if _otherwise_than_sent(run):
        return
    expected = _cost(run, _received(run))
    made = run.made.outcome.cost_usd

    assert made == (None if expected is None else float(expected)), f"{made}, not {expected}"


def the_status_is_a_documented_one(run: Tried) -> None:
    made = run.made.outcome

    assert made.status in ({"failed"} if run.made.error else STATUSES), made.status
    assert made.status == run.made.log[-1].get("status", "failed")


def an_answer_comes_from_a_reply_that_ended_its_turn(run: Tried) -> None:
    made = run.made.outcome

    assert not made.answered or (made.stop_reason, made.answer is None) == ("end_turn", False)


def the_log_is_whole_and_ends_once(run: Tried) -> None:
    told = [line["event"] for line in run.made.log]

    assert told[0] == "question", told
    assert told[-1] == ("error" if run.made.error else "result"), told
    assert sum(event in ("result", "error") for event in told) == 1, told
    assert told.count("model_call") == run.made.outcome.steps, told
    assert told.count("tool_call") == len(run.made.outcome.tool_calls), told
    assert told == [event["event"] for event in run.made.events if event["event"] != "text_delta"]


def nothing_is_written_but_the_log(run: Tried) -> None:
    (log,) = run.written

    assert log.startswith(run.folder), log


IN_EACH_RUN: Sequence[Callable[[Tried], None]] = (
    requests_stay_within_the_step_limit,
    no_request_follows_once_a_limit_is_reached,
    tool_calls_stay_within_their_limit,
    no_call_runs_a_third_time,
    what_ran_is_what_the_result_tells,
    risky_tools_run_only_after_a_yes,
    each_call_sent_back_has_one_result,
    each_history_extends_the_one_before,
    only_the_history_and_the_last_turn_change_between_requests,
    the_history_can_be_sent_again,
    tokens_are_the_sum_over_the_replies,
    the_cost_is_the_exact_sum_over_the_replies,
    the_status_is_a_documented_one,
    an_answer_comes_from_a_reply_that_ended_its_turn,
    the_log_is_whole_and_ends_once,
    nothing_is_written_but_the_log,
)


def agents_agree(manual: Tried, runner: Tried) -> None:
    """Requests, tools, log, events, result and error are equal, as JSON."""
    assert (told := difference(_seen(runner.made), _seen(manual.made))) is None, f"{runner.way}: {told}"


def modes_agree(plain: Tried, other: Tried) -> None:
    """The same between two modes, but for what a stream adds, and up to the first reply that no stream adds up to."""
    made, expected = _seen_unstreamed(other.made), _seen_unstreamed(plain.made)
    if plain.way.streamed != other.way.streamed and (nth := _first_unstreamable(plain)) is not None:
        made, expected = _up_to_request(nth, made), _up_to_request(nth, expected)

    assert (told := difference(made, expected)) is None, f"{other.way}: {told}"


def _seen(made: Trial) -> Any:
    """Everything that can be compared."""
    return seen(made) | {"error": [type(made.error).__name__, str(made.error)]}


def _seen_unstreamed(made: Trial) -> Any:
    whole = _seen(made)
    whole["requests"] = [{k: v for k, v in request.items() if k != "stream"} for request in whole["requests"]]
    whole["events"] = [event for event in whole["events"] if event["event"] != "text_delta"]
    return whole


def _first_unstreamable(run: Tried) -> int | None:
    """The number, from 1, of the first request that was answered by such a reply."""
    answered = run.conversation.replies[: len(run.made.requests)]
    return next((nth for nth, reply in enumerate(answered, 1) if unstreamable(reply)), None)


def _up_to_request(nth: int, whole: Any) -> Any:
    return {"requests": whole["requests"][:nth], "log": _told_before(nth, whole["log"])}


def _told_before(nth: int, log: list[Any]) -> list[Any]:
    positions = [place for place, line in enumerate(log) if line["event"] == "model_request"]
    return log[: positions[nth - 1] + 1]


def _otherwise_than_sent(run: Tried) -> bool:
    """Whether the SDK may have read other numbers from a stream than those that were sent."""
    return run.way.streamed and any(map(unstreamable, _received(run)))


def _limits(run: Tried) -> Limits:
    return run.conversation.limits or Limits()


def _received(run: Tried) -> Sequence[Any]:
    """The replies that were read: a fault ends a run, so they are the first ones."""
    return run.conversation.replies[: run.made.outcome.steps]


def _cost(run: Tried, replies: Sequence[Any]) -> Fraction | None:
    prices = [dollars(reply, run.conversation.options.get("model", MODEL)) for reply in replies]
    known = [price for price in prices if price is not None]
    return sum(known, Fraction()) if len(known) == len(prices) else None


def _calls_that_ran(run: Tried) -> list[Any]:
    return [call for call in run.made.outcome.tool_calls if not call.is_error]


def _sent_again(run: Tried) -> list[dict[str, Any]]:
    return [*run.made.outcome.messages, {"role": "user", "content": "And?"}]


def _blocks(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [block for message in messages if isinstance(message["content"], list) for block in message["content"]]

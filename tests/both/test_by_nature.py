"""Where the two agents can't be the same: each exception by name.

The runner serialises each reply inside the SDK before our code sees it, and pydantic warns there of what is not of the
declared type. Where the program turns warnings into errors, that reply is lost to the runner, and the run ends with
UnusableReply; the hand-written loop reads it.
"""

import warnings
from pathlib import Path
from typing import Any

import pytest

from tests.both.conversations import NOTHING, TEXT, raw_use
from tests.both.guard_cases import ANSWER, find
from tests.both.trial import Conversation, run
from tests.both.ways import AGENTS
from two_loops import UnusableReply
from two_loops.compare.comparing import comparable
from two_loops.stand_ins.script import calls, message

BADLY_TYPED: dict[str, list[Any]] = {
    "an input that is a string": [calls(raw_use("a")), NOTHING],
    "an input that is a list": [calls(raw_use(["a"])), NOTHING],
    "an unknown kind of block": [message([TEXT, {"type": "brand_new", "x": 1}], stop_reason="pause_turn"), NOTHING],
    "token counts that are text": [find("a", usage={"input_tokens": "many", "output_tokens": True}), ANSWER],
}


@pytest.mark.parametrize("name", BADLY_TYPED)
def test_with_warnings_as_errors_the_runner_loses_the_reply(name: str, tmp_path: Path) -> None:
    conversation = Conversation(name=name, replies=BADLY_TYPED[name])

    manual, runner = (run(ask, conversation, tmp_path) for ask in AGENTS.values())

    assert manual.error is None
    assert len(manual.requests) == 2
    assert type(runner.error) is UnusableReply
    assert type(runner.error.__cause__) is UserWarning
    assert len(runner.requests) == 1


@pytest.mark.parametrize("name", BADLY_TYPED)
def test_otherwise_both_agents_do_the_same(name: str, tmp_path: Path) -> None:
    conversation = Conversation(name=name, replies=BADLY_TYPED[name])

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Pydantic serializer warnings", category=UserWarning)
        manual, runner = (run(ask, conversation, tmp_path) for ask in AGENTS.values())

    assert runner.error is None
    assert runner.requests == manual.requests
    assert runner.ran == manual.ran
    assert comparable(runner.log) == comparable(manual.log)
    assert comparable(runner.outcome.model_dump()) == comparable(manual.outcome.model_dump())


def test_a_number_of_another_kind_in_one_header(tmp_path: Path) -> None:
    """The requests' bodies are equal; of the headers, one tells the server which helper of the SDK sent it."""
    import httpx2

    from tests.both.bench import Bench
    from two_loops.stand_ins import wire
    from two_loops.stand_ins.clients import ScriptedClient

    seen: dict[str, dict[str, str]] = {}
    for name, ask in AGENTS.items():

        def answer(request: httpx2.Request, agent: str = name) -> httpx2.Response:
            seen[agent] = dict(request.headers)
            return wire.response(NOTHING, streamed=False)

        http = httpx2.Client(transport=httpx2.MockTransport(answer))
        with ScriptedClient(http_client=http) as client:
            ask("When?", toolset=Bench().toolset(), client=client, log_path=None)

    differing = {
        key
        for key in seen["manual"].keys() | seen["runner"].keys()
        if seen["manual"].get(key) != seen["runner"].get(key)
    }
    assert differing == {"x-stainless-helper"}

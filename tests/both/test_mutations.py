"""The rows are sharp: a loop that leaves out one guarded moment fails at least one of them."""

import inspect
import re
import types
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from tests.both.conversations import CONVERSATIONS
from tests.both.guard_cases import GUARD_CASES
from tests.both.trial import Conversation, Trial, run
from tests.both.ways import AGENTS, Way
from two_loops.agent import Agent
from two_loops.compare.comparing import comparable

LOOPS = {agent: import_module(f"{agent}_agent.loop") for agent in AGENTS}

# What is taken out of a loop, and what stands there instead.
BOTH = {
    "read": ("reply = run.read(message)", "from two_loops.replies import read; reply = read(message)"),
    "streaming": ("**run.streaming,", ""),
    "before_request": ("while run.before_request():", "while True:"),
    "after_reply": (
        "step = run.after_reply(reply)",
        "from two_loops.stop_reasons import next_step; step = next_step(reply)[0]",
    ),
    "before_calls": ("if not run.before_calls(reply.calls):", "if False:"),
    "answer": ("run.answer(call) for", "unguarded(run, call) for"),
    "closing_words": ("run.closing_words()", "[]"),
    "model": ("model=run.model,", 'model="claude-haiku-5-5x",'),
    "max_tokens": ("max_tokens=run.max_tokens,", "max_tokens=9,"),
    "system": ("system=run.system,", ""),
    "the reasons to stop": ("if step is Step.STOP:", "if False:"),
    "the reply sent back": ('messages.append({"role": "assistant", "content": reply.content})', "pass"),
    "the results sent back": (
        'messages.append({"role": "user", "content": results',
        'print({"role": "user", "content": results',
    ),
}
MUTANTS: dict[str, dict[str, tuple[str, str]]] = {
    "manual": BOTH
    | {
        "this_turn": ("**run.this_turn(),", ""),
        "definitions": ("tools=run.definitions,", ""),
        "receiving": ("with run.receiving():", "if True:"),
        "resume": ("if step is Step.RESUME:", "if False:"),
    },
    "runner": BOTH
    | {
        "this_turn": ("set_params(runner, run.this_turn())", "pass"),
        "guarded_tools": ("tools=guarded_tools(run)", "tools=[]"),
        "threads": ("thread=False,", ""),
        "receiving": ("with run.receiving():", "if True:"),
        "resume": ("if step is Step.RESUME:", "if False:"),
        "carried": ("carried = sdk_carries(reply, run.tools)", "carried = True"),
        "hand_over a pause": ("hand_over(runner, message, messages[-1:])", "pass"),
        "hand_over results": ("hand_over(runner, message, messages[-2:])", "pass"),
    },
}

UNGUARDED = """

def unguarded(run, call):
    return {"type": "tool_result", "tool_use_id": call.id, "content": str(run.tools[call.tool](**call.input))}
"""


def mutated(agent: str, old: str, new: str) -> Agent:
    """The agent with one piece of its loop replaced. Its asynchronous loop is the same, as another test shows."""
    source = inspect.getsource(LOOPS[agent])
    assert source.count(old) == 1, f"{old!r} stands {source.count(old)} times in the {agent} loop"
    module = types.ModuleType("mutant")
    exec(compile(source.replace(old, new) + UNGUARDED, "mutant", "exec"), module.__dict__)
    return Agent(agent, module.loop, import_module(f"{agent}_agent.async_loop").loop)


def differs(mutant: Agent, conversation: Conversation, folder: Path, *, streamed: bool = False) -> bool:
    """Whether the mutant can be told from its original by anything that the rows look at."""
    original = Way(mutant.name, False, streamed)
    try:
        made = run(replace(original, other=mutant), conversation, folder)
    except AttributeError:  # no result to look at: it broke before there was one
        return True
    return seen(made) != seen(run(original, conversation, folder))


def seen(made: Trial) -> object:
    """What the rows look at."""
    error = (type(made.error), str(made.error))
    return comparable([made.requests, made.ran, made.log, made.outcome.model_dump(mode="json")]), error


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("agent", "moment"), [(agent, moment) for agent, rows in MUTANTS.items() for moment in rows])
def test_a_loop_without_one_moment_is_found(agent: str, moment: str, tmp_path: Path) -> None:
    mutant = mutated(agent, *MUTANTS[agent][moment])
    conversations = [*CONVERSATIONS, *UNUSABLE]

    plain = any(differs(mutant, conversation, tmp_path) for conversation in conversations)
    assert plain or differs(mutant, conversations[0], tmp_path, streamed=True)


@pytest.mark.parametrize("agent", LOOPS)
def test_every_moment_of_a_loop_has_a_mutant(agent: str) -> None:
    source = inspect.getsource(LOOPS[agent])
    named = set(re.findall(r"run\.(\w+)", source.partition('"""Drive one run')[2])) - {"client", "messages", "tools"}

    replaced = " ".join(old for old, _ in MUTANTS[agent].values())
    assert {moment for moment in named if f"run.{moment}" not in replaced} == set()


UNUSABLE = [Conversation(name="null content", replies=[{"type": "message", "content": None}])]
SLOW = {case.conversation.name for case in GUARD_CASES if case.guard == "time_limit"}
CONVERSATIONS = [conversation for conversation in CONVERSATIONS if conversation.name not in SLOW]

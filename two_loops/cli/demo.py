"""``two-loops demo``: three scripted runs through both agents, told side by side."""

from collections.abc import Callable, Mapping
from importlib import import_module

import typer

from two_loops.cli.exits import FAILED, told
from two_loops.cli.options import AGENTS
from two_loops.cli.screen import columns, say
from two_loops.compare.comparing import differences
from two_loops.compare.playing import Playing
from two_loops.demo.layout import laid_out, prose
from two_loops.demo.playing import play
from two_loops.demo.stories import STORIES, Story
from two_loops.demo.telling import in_lines
from two_loops.stand_ins.script import MODEL
from two_loops.values.result import Result
from two_loops.wording import counted

INTRODUCTION = (
    "Three questions about the sample notes, each asked through both agents: manual_agent drives the tool with a loop "
    "written by hand, runner_agent with the SDK's tool runner. A script plays the model, so there is no key, no "
    f"network and no log. Tokens are estimated from the length of what is sent, and priced as {MODEL}."
)


def demo() -> None:
    """Show three scripted runs, step by step, through both agents.

    The runs are an answer, a note that gives instructions, and a model that never stops. A script plays the model, so
    there is no key, no network, no cost and no log. In a terminal of at least 110 columns the two agents stand side by
    side. Exit code 0: both did the same in every run. 1: they did not.
    """
    with told():
        same = perform({name: import_module(package).ask for name, package in AGENTS.items()}, columns())
    raise typer.Exit(0 if same else FAILED)


def perform(agents: Mapping[str, Callable[..., Result]], width: int | None) -> bool:
    """Play every story through two agents on a screen of that width. Returns whether they did the same in each."""
    say(f"{prose(INTRODUCTION, width)}\n", style="dim")
    same = [_show(f"{number}. {story.title}", story, agents, width) for number, story in enumerate(STORIES, 1)]
    return all(same)


def _show(title: str, story: Story, agents: Mapping[str, Callable[..., Result]], width: int | None) -> bool:
    one, other = (play(story, ask) for ask in agents.values())
    say(f"{title}\nQuestion: {story.question}\n")
    for line in laid_out(list(agents), in_lines(one, story.planted), in_lines(other, story.planted), width):
        say(line)
    say(f"\n{_verdict(one, other)}\n{prose(f'What to see: {story.lesson}', width)}\n")
    return not differences(one, other)


def _verdict(one: Playing, other: Playing) -> str:
    if different := differences(one, other):
        return f"The two agents differ in: {', '.join(different)}."
    requests, events = counted(len(one.requests), "request"), counted(len(one.events), "event")
    return f"The two agents did the same: {requests}, {events} and the result are equal."

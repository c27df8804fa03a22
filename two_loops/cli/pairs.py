"""Questions asked through two agents, one after the other, and each pair of runs shown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import typer

from two_loops.cli import compared
from two_loops.cli.consent import Consent
from two_loops.cli.exits import WRONG_USE, words
from two_loops.cli.following import following
from two_loops.cli.jobs import Job
from two_loops.cli.outcome import show, summed_up
from two_loops.cli.screen import say
from two_loops.compare.bare import BareRun, run_bare
from two_loops.compare.comparing import differences
from two_loops.compare.modes import MODES
from two_loops.compare.playing import Playing, Recording, play
from two_loops.compare.records import as_json
from two_loops.text import visible
from two_loops.values.limits import Limits

if TYPE_CHECKING:
    from anthropic import Anthropic

Agents = Mapping[str, Any]  # two of them by their names, each anything that has an ``ask`` and an ``ask_async``


@dataclass
class Setup:
    """What both agents are given, and how they are shown.

    notices: what has to be said before anything is sent. yes: risky tools that may run. width: columns of the
    terminal, None where there is none.
    """

    job: Job
    limits: Limits
    notices: list[str]
    yes: Sequence[str] = ()
    log_path: str | None = None
    as_json: bool = False
    width: int | None = None

    def news(self) -> list[str]:
        """The notices that were not said yet."""
        fresh, self.notices = self.notices, []
        return fresh

    @contextmanager
    def given(self) -> Iterator[dict[str, Any]]:
        """What each run is asked with."""
        with self.job.opened() as toolset:
            consent = Consent(self.yes, toolset)
            yield {"toolset": toolset, "limits": self.limits, "log_path": self.log_path, "approve": consent}


def compare_runs(
    agents: Agents,
    questions: Sequence[str],
    setup: Setup,
    replies: Sequence[Any] | None = None,
    *,
    modes: Sequence[str] = ("plain",),
    bare: bool = False,
) -> bool:
    """Ask each question in each mode, before a script or, without replies, the offline model.

    bare: show the SDK's bare runner too, once a question. Returns whether the two agents did the same each time.
    """
    same = []
    for question in questions:
        for mode in modes:
            runs = {name: _rehearsed(agent, question, mode, setup, replies) for name, agent in agents.items()}
            alone = _alone(question, setup, replies) if bare and mode == modes[0] else None
            different = differences(*runs.values())
            same.append(not different)
            if setup.as_json:
                typer.echo(as_json(question, runs, mode, different, alone))
            else:
                _say(compared.runs(question, mode, runs, different, setup.width))
                _say(compared.beside_bare(runs, alone, setup.width) if alone else [])
    _count(same, "identical", setup)
    return all(same)


def _rehearsed(agent: Any, question: str, mode: str, setup: Setup, replies: Sequence[Any] | None) -> Playing:
    with following(setup.news(), lively=False) as follower:
        recording = Recording(follower)
        with MODES[mode].opened(replies, on_request=recording.sent) as client, setup.given() as given:
            return play(partial(MODES[mode].ask, agent), question, recording, client=client, **given)


def _alone(question: str, setup: Setup, replies: Sequence[Any] | None) -> BareRun:
    with setup.job.opened() as toolset:
        return run_bare(question, replies, toolset, setup.limits)


def compare_answers(agents: Agents, questions: Sequence[str], setup: Setup, client: "Anthropic", model: str) -> bool:
    """Ask each question of a real model, through both agents. Returns whether every run brought an answer."""
    answered = []
    for question in questions:
        runs: dict[str, Playing] = {}
        try:
            for name, agent in agents.items():
                runs[name] = _performed(agent, question, setup, client=client, model=model)
        except BaseException:
            _save(question, runs, setup)
            raise
        answered.append(all(playing.result.answered for playing in runs.values()))
        if setup.as_json:
            typer.echo(as_json(question, runs))
        else:
            _say(compared.answers(question, runs, setup.width))
    _count(answered, "answered by both", setup)
    return all(answered)


def _save(question: str, runs: Mapping[str, Playing], setup: Setup) -> None:
    """Print the run that was paid for before the other one could not be made."""
    if setup.as_json and runs:
        typer.echo(as_json(question, runs))
    elif runs:
        (playing,) = runs.values()
        show(playing.result, None, as_json=False)


def _performed(agent: Any, question: str, setup: Setup, **options: Any) -> Playing:
    with summed_up(), following(setup.news(), lively=not setup.as_json) as follower, setup.given() as given:
        playing = play(agent.ask, question, Recording(follower), **options, **given)
        if playing.error is not None and not _is_of_one_run(playing.error):
            raise playing.error
    return playing


def _is_of_one_run(error: Exception) -> bool:
    """Whether another run may fare better: it will not where the key was rejected, or where the fault is ours."""
    said = words(error)
    return said is not None and said[1] != WRONG_USE


def _count(good: Sequence[bool], what: str, setup: Setup) -> None:
    if len(good) > 1 and not setup.as_json:
        say(f"{sum(good)} of {len(good)} {what}")


def _say(lines: Iterable[str]) -> None:
    for line in lines:
        say(visible(line))

"""Cases through both agents: what a trial keeps, in which order, several at once, and what ends a run."""

import json
import os
import signal
import threading
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import pytest

from tests.both.ways import AGENTS
from tests.evals.making import case, result, written
from two_loops import Limits, Result, WrongUse, notes, offline_client, scripted_client
from two_loops.evals import load_cases, run_cases
from two_loops.evals.reading import Cases
from two_loops.evals.scored import EvalRun, Key, Scored
from two_loops.evals.workers import work
from two_loops.samples import NOTES
from two_loops.stand_ins import wire
from two_loops.stand_ins.script import calls, says, tool_use

BOTH = {name: AGENTS[name] for name in ("manual", "runner")}
MANY = 10**9
COST = 0.00008  # US dollars of one scripted reply
ANSWER = says("On 12 March [boiler.txt:2].")
SEARCH = calls(tool_use("search_notes", query="boiler"))


def keys(run: EvalRun) -> list[Key]:
    """The trials of a run."""
    return [trial.key for trial in run.scored]


def test_both_agents_hold_the_rules_of_the_nine_questions() -> None:
    with offline_client() as client:
        made = run_cases(load_cases("nine"), BOTH, client=client)

    assert [(trial.case, trial.faults) for trial in made.failed] == []
    assert (made.planned, made.passed, made.cost_usd) == (18, 1.0, 0.0)
    one, other = ([_alike(trial) for trial in made.scored if trial.agent == agent] for agent in BOTH)
    assert one == other


def _alike(trial: Scored) -> dict[str, Any]:
    return trial.model_dump(exclude={"agent", "run_id", "duration_s"})


def test_a_trial_keeps_what_its_score_was_made_from(tmp_path: Path) -> None:
    cases = written(tmp_path, case("a", rules='contains = ["May"]'))

    with scripted_client([SEARCH, ANSWER]) as client:
        (trial,) = run_cases(cases, {"mine": AGENTS["manual"]}, client=client, log_path=tmp_path / "l").scored

    (fault,) = trial.faults
    assert (fault.rule, trial.passed, trial.error, trial.key) == ("contains", False, None, Key("a", "mine", 1))
    assert (trial.status, trial.answer, trial.steps) == ("ok", "On 12 March [boiler.txt:2].", 2)
    assert [(call.tool, call.files_found) for call in trial.tool_calls] == [("search_notes", ["boiler.txt"])]
    assert (trial.tokens_in, trial.tokens_out, trial.cost_usd) == (1000, 120, 2 * COST)
    assert {json.loads(line)["run_id"] for line in (tmp_path / "l").read_text().splitlines()} == {trial.run_id}


def test_the_header_tells_what_the_log_tells(tmp_path: Path) -> None:
    limits = Limits(max_steps=3)

    with scripted_client([ANSWER]) as client:
        made = run_cases(
            written(tmp_path, case("a")),
            {"manual": AGENTS["manual"]},
            client=client,
            limits=limits,
            log_path=tmp_path / "l",
        )

    question = json.loads((tmp_path / "l").read_text().splitlines()[0])
    told = made.header.model_dump()
    shared = ("model", "limits", "system_sha256", "tools_sha256", "version", "sdk_version")
    assert {name: told[name] for name in shared} == {name: question[name] for name in shared}
    assert (told["cases"], told["agents"], told["trials"]) == (["a"], ["manual"], 1)


def test_the_offline_model_is_named_and_free_with_a_client_and_without() -> None:
    with offline_client() as client:
        made = run_cases(load_cases("nine"), {"manual": AGENTS["manual"]}, client=client, max_cost_usd=0.01)
    without = run_cases(load_cases("nine"), {"manual": AGENTS["manual"]}, model="offline", max_cost_usd=0.01)

    assert (made.header.model, made.passed) == ("offline", 1.0)
    assert (without.header.model, without.passed) == ("offline", 1.0)


@pytest.mark.parametrize("workers", [1, 4])
def test_results_are_in_order_and_heard_one_at_a_time(workers: int, tmp_path: Path) -> None:
    heard: list[Scored] = []
    cases = written(tmp_path, *map(case, "abc"))

    with offline_client() as client:
        made = run_cases(cases, BOTH, client=client, trials=2, workers=workers, on_scored=heard.append)

    assert keys(made) == [Key(name, agent, trial) for name in "abc" for agent in BOTH for trial in (1, 2)]
    assert sorted(trial.key for trial in heard) == sorted(keys(made))


def test_workers_really_work_at_once(tmp_path: Path) -> None:
    together = threading.Barrier(3, timeout=20)

    def ask(question: str, **_options: Any) -> Result:
        together.wait()
        return result()

    made = run_cases(written(tmp_path, *map(case, "abcdef")), {"mine": ask}, workers=3)

    assert made.passed == 1.0


def test_no_trial_starts_once_the_purse_is_empty(tmp_path: Path) -> None:
    cases = written(tmp_path, *map(case, "abcde"))

    with scripted_client([ANSWER] * 9) as client:
        made = run_cases(cases, {"manual": AGENTS["manual"]}, client=client, max_cost_usd=1.5 * COST)

    assert [trial.case for trial in made.scored] == ["a", "b"]
    assert made.cost_usd == pytest.approx(2 * COST)
    assert (made.planned, made.passed) == (5, 0.4)  # what was not asked did not pass
    assert len(client.requests) == 2


def test_nothing_more_is_asked_where_a_cost_is_not_known(tmp_path: Path) -> None:
    unmetered = ANSWER | {"usage": None}

    with scripted_client([unmetered] * 9) as client:
        made = run_cases(
            written(tmp_path, *map(case, "ab")), {"manual": AGENTS["manual"]}, client=client, max_cost_usd=1.0
        )

    assert ([trial.case for trial in made.scored], made.cost_usd) == (["a"], None)


def test_a_run_that_the_api_ends_is_a_trial_that_failed(tmp_path: Path) -> None:
    replies = [SEARCH, wire.error(500, "api_error", "Down."), SEARCH, ANSWER]

    with scripted_client(replies) as client:
        made = run_cases(written(tmp_path, *map(case, "ab")), {"manual": AGENTS["manual"]}, client=client)

    down, up = made.scored
    assert down.error is not None
    assert down.error.startswith("InternalServerError: ")
    assert (down.status, down.steps, down.cost_usd, down.passed) == ("failed", 1, COST, False)
    assert up.passed


@pytest.mark.parametrize("workers", [1, 3])
def test_a_rejected_key_ends_the_run_with_what_was_done(workers: int, tmp_path: Path) -> None:
    rejected = wire.error(401, "authentication_error", "No.")
    cases = written(tmp_path, *map(case, "abcdefghij"))

    with (
        scripted_client([SEARCH, ANSWER, *[rejected] * 9]) as client,
        pytest.raises(anthropic.AuthenticationError) as raised,
    ):
        run_cases(cases, {"manual": AGENTS["manual"]}, client=client, workers=workers)

    done: Any = raised.value
    assert isinstance(done.partial, EvalRun)
    assert len(done.partial.scored) <= 2 + workers
    assert {trial.passed for trial in done.partial.scored if trial.error} == {False}
    assert len(client.requests) <= 2 + 2 * workers


def test_wrong_use_ends_the_run(tmp_path: Path) -> None:
    with offline_client() as client, pytest.raises(WrongUse, match="the log"):
        run_cases(load_cases("nine"), BOTH, client=client, log_path=tmp_path / "no" / "l", workers=3)


def test_ctrl_c_keeps_what_was_done_and_what_the_interrupted_trial_cost(tmp_path: Path) -> None:
    def interrupts(_body: dict[str, Any]) -> None:
        raise KeyboardInterrupt

    with scripted_client([SEARCH, ANSWER, SEARCH, interrupts]) as client, pytest.raises(KeyboardInterrupt) as raised:
        run_cases(written(tmp_path, *map(case, "abc")), {"manual": AGENTS["manual"]}, client=client)

    done: Any = raised.value
    assert [(trial.case, trial.status, trial.passed) for trial in done.partial.scored] == [
        ("a", "ok", True),
        ("b", "interrupted", False),
    ]
    assert done.partial.cost_usd == pytest.approx(3 * COST)


def test_ctrl_c_waits_for_the_jobs_that_run_and_starts_no_more() -> None:
    begun, done, heard = [], [], []
    told = threading.Event()

    def on_wait(running: int) -> None:
        heard.append(running)
        told.set()

    def do(number: int) -> None:
        begun.append(number)
        if number == 1:
            os.kill(os.getpid(), signal.SIGINT)
            assert told.wait(20)
        done.append(number)

    with pytest.raises(KeyboardInterrupt):
        work(iter(range(MANY)), do, 2, on_wait)

    assert 1 in done
    assert len(done) < MANY
    assert sorted(begun) == sorted(done)
    assert heard in ([1], [2])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"trials": 0}, "trials must be a whole number of 1 or more, not 0"),
        ({"workers": True}, "workers must be a whole number of 1 or more, not True"),
        ({"max_cost_usd": 0}, "max_cost_usd must be a finite number above 0, not 0"),
        ({"max_cost_usd": 1, "model": "no-such", "client": None}, "no price is known for the model 'no-such'"),
        ({"agents": {}}, "there is no agent to ask"),
        ({"cases": Cases("none", "", ())}, "there is no case to ask about"),
    ],
)
def test_wrong_use(options: dict[str, Any], told: str) -> None:
    given: dict[str, Any] = {"cases": load_cases("nine"), "agents": BOTH, "client": offline_client()} | options

    with pytest.raises(WrongUse) as raised:
        run_cases(**given)

    assert told in str(raised.value)


def test_a_toolset_of_ones_own(tmp_path: Path) -> None:
    seen: list[Path] = []

    def toolset(folder: Path) -> Any:
        seen.append(folder)
        return notes(folder)

    with offline_client() as client:
        made = run_cases(
            written(tmp_path, 'id="a"\nquestion="Who serviced the boiler?"\nmax_steps=2', top=f'notes="{NOTES}"\n'),
            BOTH,
            client=client,
            toolset=toolset,
        )

    assert made.passed == 1.0
    assert set(seen) == {NOTES.resolve()}


def test_a_page_in_place_of_a_message_is_a_trial_that_failed(tmp_path: Path) -> None:
    with scripted_client([httpx2.Response(200, text="<html>")]) as client:
        (trial,) = run_cases(written(tmp_path, case("a")), {"manual": AGENTS["manual"]}, client=client).scored

    assert trial.error is not None
    assert trial.error.startswith("UnusableReply: ")

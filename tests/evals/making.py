"""Short ways to make what the tests here need."""

from pathlib import Path
from typing import Any

from two_loops import Result
from two_loops.evals.header import Header
from two_loops.evals.reading import Cases, load_cases
from two_loops.evals.scored import EvalRun, Fault, Key, Scored, scored
from two_loops.values.usage import Usage

BOILER = "Boiler\\nServiced on 12 March by Ortiz Heating.\\n"


def result(answer: str | None = "On 12 March [boiler.txt:2].", **fields: Any) -> Result:
    """A result; ``fields`` replace what it has by default."""
    whole: dict[str, Any] = {
        "status": "ok",
        "answer": answer,
        "at_limit": False,
        "citations": [{"file": "boiler.txt", "line": 2}],
        "files_seen": ["boiler.txt"],
        "steps": 2,
        "tool_calls": [],
        "usage": Usage(),
        "tokens_in": 1000,
        "tokens_out": 100,
        "cost_usd": 0.25,
        "stop_reason": "end_turn",
        "messages": [],
        "warnings": [],
        "run_id": "r",
        "agent": "manual",
        "model": "m",
        "duration_s": 1.5,
    }
    return Result(**whole | fields)


def written(folder: Path, *cases: str, top: str = "") -> Cases:
    """The cases of a file in the folder; each text is what stands below its ``[[case]]``."""
    path = folder / "cases.toml"
    path.write_text(top + "".join(f"\n[[case]]\n{case}\n" for case in cases), encoding="utf-8")
    return load_cases(path)


def case(name: str, question: str = "When was the boiler serviced?", rules: str = 'contains = ["12 March"]') -> str:
    """The text of a case about one note."""
    return f'id = "{name}"\nquestion = "{question}"\nfiles = {{ "boiler.txt" = "{BOILER}" }}\n{rules}'


def trial(key: Key, *, passed: bool = True, error: Exception | None = None, **fields: Any) -> Scored:
    """A trial with its score; ``fields`` are those of its result."""
    faults = [] if passed else [Fault(rule="contains", why="'May' is not in it")]
    return scored(key, result(**fields), faults, error)


def run(*outcomes: str, agents: tuple[str, ...] = ("manual",), model: str = "m", **fields: Any) -> EvalRun:
    """A run of the cases a, b, … : of each a letter for every trial, p for one that passed, f for one that did not.

    A dash is a trial that was not made; ``fields`` are those of the results.
    """
    names = [chr(ord("a") + number) for number in range(len(outcomes))]
    header = Header(
        started="2026-11-30T12:00:00+00:00",
        cases=names,
        cases_sha256="c",
        agents=list(agents),
        trials=max(map(len, outcomes)),
        model=model,
        limits={"max_steps": 6},
        system_sha256="s",
        tools_sha256="t",
        version="1",
        sdk_version="2",
    )
    made = [
        trial(Key(name, agent, number), passed=letter == "p", **fields)
        for name, letters in zip(names, outcomes, strict=True)
        for agent in agents
        for number, letter in enumerate(letters, 1)
        if letter != "-"
    ]
    return EvalRun(header, tuple(made), sum(one.cost_usd or 0.0 for one in made))

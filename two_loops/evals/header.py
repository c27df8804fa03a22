"""What a run was made with: all that tells whether two runs can be held against each other."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from two_loops import settings
from two_loops.evals.reading import Cases
from two_loops.run.fingerprint import fingerprint
from two_loops.toolsets.toolset import Toolset
from two_loops.values.limits import Limits

MOST_TRIALS = 100_000


class Header(BaseModel):
    """The first line of a run file.

    cases: the ids, in order. cases_sha256: of the case file. judge: the judge's model, if there is one. limits: of each
    trial. system_sha256, tools_sha256: of the prompt and the tools' definitions, as in the log. version, sdk_version:
    ours and that of ``anthropic``.
    """

    model_config = ConfigDict(frozen=True)

    eval_run: Literal[1] = 1
    started: str
    cases: list[str]
    cases_sha256: str
    agents: list[str]
    trials: Annotated[int, Field(ge=1, le=MOST_TRIALS)]
    model: str
    judge: str | None = None
    limits: dict[str, Any]
    system_sha256: str
    tools_sha256: str
    version: str
    sdk_version: str

    def planned(self) -> Iterator[tuple[str, str, int]]:
        """Each trial that is planned: the case's id, the agent's name and the trial's number, case by case."""
        for case in self.cases:
            for agent in self.agents:
                yield from ((case, agent, number) for number in range(1, self.trials + 1))


def described_by(
    cases: Cases,
    agents: Sequence[str],
    *,
    trials: int,
    model: str,
    judge: str | None,
    toolset: Toolset,
    limits: Limits,
) -> Header:
    """The header of a run that begins now."""
    import anthropic

    hashes = fingerprint(toolset)
    return Header(
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        cases=[case.id for case in cases.cases],
        cases_sha256=cases.sha256,
        agents=list(agents),
        trials=trials,
        model=model,
        judge=judge,
        limits=dict(vars(limits)),
        version=settings.own_version(),
        sdk_version=anthropic.__version__,
        system_sha256=hashes.system_sha256,
        tools_sha256=hashes.tools_sha256,
    )


WORDS: Mapping[str, str] = {
    "cases_sha256": "cases",
    "model": "model",
    "judge": "judge",
    "system_sha256": "prompt",
    "tools_sha256": "tools",
    "limits": "limits",
    "version": "version of two-loops",
    "sdk_version": "version of anthropic",
    "agents": "list of agents",
    "trials": "number of trials",
}


def changed(old: Header, new: Header) -> dict[str, tuple[Any, Any]]:
    """What differs between two runs, by its name in words: the older value and the newer one."""
    pairs = {words: (getattr(old, name), getattr(new, name)) for name, words in WORDS.items()}
    return {words: pair for words, pair in pairs.items() if pair[0] != pair[1]}

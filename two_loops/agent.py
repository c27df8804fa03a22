"""An agent: a loop inside the guards."""

import os
import uuid
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from two_loops import settings
from two_loops.guards.approval import Approve
from two_loops.log import Log, open_log
from two_loops.run.opening import Plan, planned, secrets
from two_loops.run.outcome import conclude, kept
from two_loops.run.reporter import OnEvent, Reporter
from two_loops.run.run import Run
from two_loops.toolsets.toolset import Toolset
from two_loops.values.limits import Limits
from two_loops.values.result import Result

if TYPE_CHECKING:
    from anthropic import Anthropic

    StrPath = str | os.PathLike[str]


@dataclass(frozen=True)
class Agent:
    """name: stands in the log and the result. loop: drives a run from its first request to its end."""

    name: str
    loop: Callable[[Run], None]

    def ask(
        self,
        question: str,
        *,
        notes_dir: "StrPath | None" = None,
        toolset: Toolset | None = None,
        client: "Anthropic | None" = None,
        model: str = settings.MODEL,
        max_tokens: int | None = None,
        limits: Limits | None = None,
        log_path: "StrPath | None" = settings.LOG_PATH,
        log_content: bool = True,
        on_event: OnEvent | None = None,
        approve: Approve | None = None,
    ) -> Result:
        """Answer a question with the tools of a toolset, inside the guards.

        Give exactly one of notes_dir (a folder of notes) and toolset. ``limits`` replaces the toolset's limits as a
        whole, ``max_tokens`` its tokens for one reply. ``log_path=None`` writes no log, ``log_content=False`` one
        without the words of questions, notes and answers; ``on_event`` receives each event either way. ``approve`` is
        asked before each risky call; without it every risky call is denied. ``client=None`` builds an
        ``anthropic.Anthropic()``, which takes its key and server from the environment.

        Raises WrongUse before anything is logged or sent; the SDK's own exception when the API failed, unchanged;
        UnusableReply when the server's answer is no message; and whatever ``on_event`` raises. After the run began,
        the exception carries the unfinished Result as ``error.partial``.
        """
        run_id = uuid.uuid4().hex
        with (
            kept() as outcome,
            planned(
                question,
                notes_dir=notes_dir,
                toolset=toolset,
                client=client,
                model=model,
                max_tokens=max_tokens,
                limits=limits,
                approve=approve,
                on_event=on_event,
            ) as plan,
            plan.toolset.opened() as tools,
            closing(Reporter(_log(plan, log_path, log_content, self.name, run_id), on_event)) as reporter,
        ):
            conclude(Run(plan, tools, reporter), self.loop, outcome, agent=self.name, run_id=run_id)
        assert outcome.result is not None
        return outcome.result


def _log(plan: Plan, path: "StrPath | None", content: bool, agent: str, run_id: str) -> Log | None:
    if path is None:
        return None
    return open_log(path, content=content, secrets=secrets(plan.client), run_id=run_id, agent=agent)

"""An agent: a loop inside the guards, on its own thread or on an event loop."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from two_loops import settings
from two_loops.guards.approval import Approve, ApproveAsync
from two_loops.log import Log, open_log
from two_loops.run.clients import opened, opened_async, secrets
from two_loops.run.moments import Moments
from two_loops.run.opening import Plan, StrPath, check_client, planned
from two_loops.run.outcome import Outcome, conclude, conclude_async, kept
from two_loops.run.reporter import OnEvent, Reporter
from two_loops.run.run import AsyncRun, Run
from two_loops.run.waits import require_event_loop
from two_loops.toolsets.toolset import Toolset
from two_loops.values.limits import Limits
from two_loops.values.result import Result

if TYPE_CHECKING:
    from anthropic import Anthropic, AsyncAnthropic

AnyRun = TypeVar("AnyRun", bound=Moments)


@dataclass(frozen=True)
class Agent:
    """name: stands in the log and the result. loop, async_loop: drive a run from its first request to its end."""

    name: str
    loop: Callable[[Run], None]
    async_loop: Callable[[AsyncRun], Awaitable[None]]

    def ask(
        self,
        question: str,
        *,
        notes_dir: StrPath | None = None,
        toolset: Toolset | None = None,
        client: "Anthropic | None" = None,
        model: str = settings.MODEL,
        max_tokens: int | None = None,
        limits: Limits | None = None,
        log_path: StrPath | None = settings.LOG_PATH,
        log_content: bool = True,
        on_event: OnEvent | None = None,
        approve: Approve | None = None,
        stream: bool = False,
    ) -> Result:
        """Answer a question with the tools of a toolset, inside the guards.

        Give exactly one of notes_dir (a folder of notes) and toolset. ``limits`` replaces the toolset's limits as a
        whole, ``max_tokens`` its tokens for one reply. ``log_path=None`` writes no log, ``log_content=False`` one
        without the words of questions, notes and answers; ``on_event`` receives each event either way. ``approve`` is
        asked before each risky call; without it every risky call is denied. ``client=None`` builds an
        ``anthropic.Anthropic()``, which takes its key and server from the environment. With ``stream`` the replies are
        streamed, and ``on_event`` receives their text as it comes, as ``TextDelta``.

        Raises WrongUse before anything is logged or sent; the SDK's own exception when the API failed, unchanged;
        UnusableReply when the server's answer is no whole message; and whatever ``on_event`` raises. After the run
        began, the exception carries the unfinished Result as ``error.partial``.
        """
        plan = planned(
            question,
            notes_dir=notes_dir,
            toolset=toolset,
            model=model,
            max_tokens=max_tokens,
            limits=limits,
            log_path=log_path,
            log_content=log_content,
            on_event=on_event,
            approve=approve,
            stream=stream,
        )
        with (
            kept(self.name) as outcome,
            opened(client, model) as connection,
            self._run(Run, plan, connection, outcome) as run,
        ):
            conclude(run, self.loop, outcome)
        return outcome.whole()

    async def ask_async(
        self,
        question: str,
        *,
        notes_dir: StrPath | None = None,
        toolset: Toolset | None = None,
        client: "AsyncAnthropic | None" = None,
        model: str = settings.MODEL,
        max_tokens: int | None = None,
        limits: Limits | None = None,
        log_path: StrPath | None = settings.LOG_PATH,
        log_content: bool = True,
        on_event: OnEvent | None = None,
        approve: ApproveAsync | None = None,
        stream: bool = False,
    ) -> Result:
        """Answer a question as ``ask`` does, on asyncio's event loop.

        ``approve`` may be a coroutine function. Tools run in worker threads, one call of a run at a time unless
        ``limits`` allow more; ``approve``, ``on_event`` and what a toolset opens run on the loop's own thread. A run
        that is cancelled while a tool works ends when the tool does, as a thread can't be stopped, and the log holds
        that call. asyncio's time-outs raise a TimeoutError of their own, whose ``__cause__`` carries the ``partial``.
        """
        require_event_loop()
        plan = planned(
            question,
            notes_dir=notes_dir,
            toolset=toolset,
            model=model,
            max_tokens=max_tokens,
            limits=limits,
            log_path=log_path,
            log_content=log_content,
            on_event=on_event,
            approve=approve,
            stream=stream,
        )
        with kept(self.name) as outcome:
            async with opened_async(client, model) as connection:
                with self._run(AsyncRun, plan, connection, outcome) as run:
                    await conclude_async(run, self.async_loop, outcome)
        return outcome.whole()

    @contextmanager
    def _run(self, kind: type[AnyRun], plan: Plan, client: Any, outcome: Outcome) -> Iterator[AnyRun]:
        """A run with all that it opens: the toolset and the log."""
        check_client(plan, client)
        with (
            plan.toolset.opened() as tools,
            closing(Reporter(_log(plan, client, outcome), plan.on_event)) as reporter,
        ):
            yield kind(client, plan, tools, reporter)


def _log(plan: Plan, client: Any, outcome: Outcome) -> Log | None:
    if plan.log_path is None:
        return None
    bound = {"run_id": outcome.run_id, "agent": outcome.agent}
    return open_log(plan.log_path, content=plan.log_content, secrets=secrets(client), **bound)

"""One question on its way to an answer: the moments that every loop names, and what the guards do at each."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from time import monotonic
from typing import Any

from two_loops import settings
from two_loops.guards import AT_END, BEFORE_CALLS, BEFORE_REQUEST, steps
from two_loops.replies import receiving
from two_loops.run import telling
from two_loops.run.answering import Answered
from two_loops.run.calls import Calls
from two_loops.run.ending import Ending, Message, closed
from two_loops.run.fingerprint import system_prompt
from two_loops.run.opening import Plan
from two_loops.run.reporter import Reporter
from two_loops.run.streams import Listener
from two_loops.run.tally import Tally
from two_loops.stand_ins import is_offline
from two_loops.stop_reasons import Step, next_step
from two_loops.toolsets.definition import definition
from two_loops.toolsets.tool import Tool
from two_loops.values.call import Call
from two_loops.values.events import GuardActed, ModelRequested, TextDelta
from two_loops.values.evidence import Evidence
from two_loops.values.reply import Reply


class Moments:
    """The state of one run, and its moments in the order in which a loop names them; what waits is in ``Run``.

    client: the SDK's. model, max_tokens, system: of every request. streaming: what one for a streamed reply adds.
    tools, definitions: what the model may call, and how it is told so. messages: the history, which the loop keeps.
    ending: why the run is over; None while it goes on.
    """

    def __init__(self, client: Any, plan: Plan, tools: Sequence[Tool], reporter: Reporter) -> None:
        free = is_offline(client)
        self.client = client
        self.plan = plan
        self.reporter = reporter
        self.model = settings.OFFLINE if free else plan.model
        self.max_tokens = plan.max_tokens
        self.tools: Mapping[str, Tool] = {tool.name: tool for tool in tools}
        self.definitions: list[Any] = [definition(tool) for tool in tools]
        self.system = system_prompt(plan.toolset)
        self.streaming: dict[str, Any] = {"stream": True} if plan.stream else {}
        self.messages: list[Any] = [{"role": "user", "content": plan.question}]
        self.tally = Tally(self.model, free=free)
        self.evidence = Evidence()
        self.ending: Ending | None = None
        self.reply: Reply | None = None
        self._calls = Calls(plan, self.tools, self.tally, self.evidence, reporter)
        self._held_back: Exception | None = None
        self._container: str | None = None  # of the server's own tools, to be named again in each request
        self._answers_now = False
        self._asked_at = 0.0
        self._sent = 0

    def begin(self) -> None:
        """Report the question, before anything is sent."""
        self.reporter.emit(lambda: telling.asked(self.plan, self.model, self.system, self.tools))

    def before_request(self) -> bool:
        """Hold what was spent against the limits. False ends the loop."""
        if self._held_back is not None:
            raise self._held_back
        if self.ending is not None or not self._within(BEFORE_REQUEST):
            return False
        self._answers_now = self.answers_next()
        self._sent = len(self.messages)
        self.reporter.emit(lambda: ModelRequested(step=self.tally.steps + 1, messages=len(self.messages)))
        self.reporter.money_at_stake()
        self._asked_at = monotonic()
        return True

    def this_turn(self) -> dict[str, Any]:
        """What only the next request has to say: no tools in the last one, and the server's container if it has one."""
        parameters: dict[str, Any] = {}
        if self.answers_next():
            parameters["tool_choice"] = steps.NO_TOOLS
        if self._container is not None:
            parameters["container"] = self._container
        return parameters

    def after_reply(self, reply: Reply) -> Step:
        """Count and price the reply, then look up what its stop reason asks for: STOP, RESUME or RUN_TOOLS."""
        seconds = monotonic() - self._asked_at
        self.reply = reply
        self._calls.begin(reply.calls)
        self._container = reply.container or self._container
        price = self.tally.add(reply)
        self.reporter.emit(lambda: telling.replied(self.tally.steps, reply, price, seconds))
        step, status = next_step(reply)
        if step is Step.ANSWERED:
            self._judge(reply)
        elif status is not None:
            self.ending = Ending(status, f"the reply stopped with {reply.stop_reason}")
        return Step.STOP if self.ending is not None else step

    def before_calls(self, calls: Sequence[Call]) -> bool:
        """Hold the calls of a reply against the limits. False ends the loop, and none of them runs."""
        return self._within(BEFORE_CALLS, len(calls))

    def answers_next(self) -> bool:
        """Whether the next request is the last that is allowed, and has to bring an answer."""
        return steps.answers_next(self.plan.limits, self.tally.steps)

    def closing_words(self) -> list[Message]:
        """What to add after the results when the next request is the last: a request to answer now."""
        return [dict(steps.ANSWER_NOW)] if self.answers_next() else []

    def receiving(self) -> AbstractContextManager[None]:
        """Around one request and the reading of its reply: what can't be used as a message raises UnusableReply."""
        return receiving(self.reporter.raised_by_listener)

    def history(self) -> list[Message]:
        """The messages made whole, as they can be sent again."""
        return closed(self.messages, self._calls.results, self._stopped_by(), sent=self._sent)

    def _listener(self) -> Listener:
        """What hears the next streamed reply."""
        step, tell = self.tally.steps + 1, self.reporter.tell
        return Listener(lambda text: tell(TextDelta(step=step, text=text)), self.reporter.raised_by_listener)

    def _is_open(self, place: int) -> bool:
        """Whether the call at that place is still to be answered."""
        return self.ending is None and not self._calls.is_answered(place)

    def _record(self, place: int, made: Sequence[Answered]) -> None:
        if stopped := self._calls.record(place, made):
            self._stop(stopped.guard, stopped.status, stopped.why)

    def _stopped_by(self) -> str | None:
        return self.ending.status if self.ending else None

    def _within(self, guards: Mapping[str, Callable[..., str | None]], *asked: int) -> bool:
        spent = self.tally.spent()
        for name, guard in guards.items():
            if why := guard(self.plan.limits, spent, *asked):
                self._stop(name, name, why)
                return False
        return True

    def _stop(self, guard: str, status: str, why: str) -> None:
        self.ending = Ending(status, why)
        self._tell_stop(guard, why)

    def _judge(self, reply: Reply) -> None:
        status, citations = self.plan.toolset.judge(reply.text, self.evidence)
        answer = reply.text if reply.text.strip() else None
        self.ending = Ending(status, "the model ended its turn", answer, citations, at_limit=self._answers_now)
        for guard in AT_END.values():
            if stopped := guard(status, citations, self.evidence):
                self._tell_stop(stopped.guard, stopped.why, stopped.detail)

    def _tell_stop(self, guard: str, why: str, detail: str | None = None) -> None:
        self.reporter.emit(lambda: GuardActed(guard=guard, outcome="stopped", why=why, detail=detail))

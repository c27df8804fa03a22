"""The loop of ``loop.py`` on an event loop: line for line the same, and it waits where that one blocks."""

from typing import Any

from runner_agent.seams import guarded_tools, hand_over, sdk_carries, serving, set_params
from two_loops.run.run import AsyncRun
from two_loops.stop_reasons import Step


async def loop(run: AsyncRun) -> None:
    """Drive one run to its end. Each ``run.…`` is a moment at which the guards act; the rest is the runner's."""
    messages = run.messages  # our copy of the history: the runner keeps its own to itself
    runner: Any = run.client.beta.messages.tool_runner(
        model=run.model,
        max_tokens=run.max_tokens,
        system=run.system,
        tools=guarded_tools(run),
        messages=list(messages),
        thread=False,  # else the server keeps the history, or silently does not
        **run.streaming,
    )
    async with serving(run, runner):
        while run.before_request():
            set_params(runner, run.this_turn())
            with run.receiving():
                message = await anext(runner)
                reply = await run.read(message)
            messages.append({"role": "assistant", "content": reply.content})

            step = run.after_reply(reply)
            if step is Step.STOP:
                break
            carried = sdk_carries(reply, run.tools)
            if step is Step.RESUME:  # the runner sends a paused reply back by itself
                if not carried:
                    hand_over(runner, message, messages[-1:])
                continue

            if not run.before_calls(reply.calls):
                break
            if carried:
                results = (await runner.generate_tool_call_response())["content"]  # the runner calls each guarded tool
            else:
                results = [await run.answer(call) for call in reply.calls]
            results.extend(run.closing_words())
            messages.append({"role": "user", "content": results})
            if not carried:
                hand_over(runner, message, messages[-2:])

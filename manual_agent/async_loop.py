"""The loop of ``loop.py`` on an event loop: line for line the same, and it waits where that one blocks."""

from two_loops.run.run import AsyncRun
from two_loops.stop_reasons import Step


async def loop(run: AsyncRun) -> None:
    """Drive one run to its end. Each ``run.…`` is a moment at which the guards act; the rest is the loop itself."""
    messages = run.messages  # starts as [{"role": "user", "content": question}]

    while run.before_request():
        with run.receiving():
            message = await run.client.messages.create(
                model=run.model,
                max_tokens=run.max_tokens,
                system=run.system,
                tools=run.definitions,
                messages=messages,
                **run.this_turn(),
                **run.streaming,
            )
            reply = await run.read(message)
        messages.append({"role": "assistant", "content": reply.content})

        step = run.after_reply(reply)
        if step is Step.STOP:
            break
        if step is Step.RESUME:  # the server paused its own work: it goes on once it sees it again
            continue

        if not run.before_calls(reply.calls):
            break
        results = [await run.answer(call) for call in reply.calls]
        messages.append({"role": "user", "content": results + run.closing_words()})

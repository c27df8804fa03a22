"""The loop, written by hand: ask the model, run the calls it asks for, send their results back, until it answers."""

from two_loops.run.run import Run
from two_loops.stop_reasons import Step


def loop(run: Run) -> None:
    """Drive one run to its end. Each ``run.…`` is a moment at which the guards act; the rest is the loop itself."""
    messages = run.messages  # starts as [{"role": "user", "content": question}]

    while run.before_request():
        with run.receiving():
            message = run.client.messages.create(
                model=run.model,
                max_tokens=run.max_tokens,
                system=run.system,
                tools=run.definitions,
                messages=messages,
                **run.this_turn(),
                **run.streaming,
            )
            reply = run.read(message)
        messages.append({"role": "assistant", "content": reply.content})

        step = run.after_reply(reply)
        if step is Step.STOP:
            break
        if step is Step.RESUME:  # the server paused its own work: it goes on once it sees it again
            continue

        if not run.before_calls(reply.calls):
            break
        results = [run.answer(call) for call in reply.calls]
        messages.append({"role": "user", "content": results + run.closing_words()})

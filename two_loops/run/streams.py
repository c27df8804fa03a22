"""The SDK's streams, which add up the events of a reply to a message."""

from typing import Any


def adding_up(answer: Any) -> Any:
    """The stream that adds up: the tool runner's own, or one around the bare stream of ``messages.create``."""
    import anthropic
    from anthropic.lib.streaming import AsyncMessageStream, MessageStream

    if isinstance(answer, anthropic.Stream):
        return MessageStream(answer, output_format=anthropic.NOT_GIVEN)
    if isinstance(answer, anthropic.AsyncStream):
        return AsyncMessageStream(answer, output_format=anthropic.NOT_GIVEN)
    return answer

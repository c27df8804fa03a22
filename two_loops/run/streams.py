"""A streamed reply: its text as it comes, and the message that the SDK adds up from its events."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from two_loops.replies import read, unreadable
from two_loops.text import well_formed
from two_loops.values.reply import Reply


def adding_up(answer: Any) -> Any:
    """The stream that adds up: the tool runner's own, or one around the bare stream of ``messages.create``."""
    import anthropic
    from anthropic.lib.streaming import AsyncMessageStream, MessageStream

    if isinstance(answer, anthropic.Stream):
        return MessageStream(answer, output_format=anthropic.NOT_GIVEN)
    if isinstance(answer, anthropic.AsyncStream):
        return AsyncMessageStream(answer, output_format=anthropic.NOT_GIVEN)
    return answer


class Listener:
    """Hears the events of one stream.

    tell: is told each piece of text. passes: which exceptions are not the server's.
    """

    def __init__(self, tell: Callable[[str], None], passes: Callable[[BaseException], bool]) -> None:
        self._tell = tell
        self._passes = passes
        self._begun = self._whole = False
        self._inputs: dict[int, str] = {}

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Around the reading: what the server does wrong after the end of the message costs nothing."""
        import anthropic

        failures: tuple[type[BaseException], ...] = (anthropic.AnthropicError, *unreadable())
        try:
            yield
        except failures as error:
            if not self._whole or self._passes(error):
                raise

    def hear(self, event: Any) -> None:
        """Take note of one event."""
        self._begun = self._begun or event.type == "message_start"
        self._whole = self._begun and (event.type == "message_stop" or (self._whole and event.type == "ping"))
        if event.type == "content_block_start" and event.content_block.type == "text":
            self._told(event.content_block.text)
        elif event.type == "text":
            self._told(event.text)
        elif event.type == "content_block_delta" and event.delta.type == "input_json_delta":
            self._inputs[event.index] = self._inputs.get(event.index, "") + event.delta.partial_json

    def heard(self, stream: Any) -> Reply:
        """The reply. Raises ValueError for a stream that was cut off, or one whose calls are not whole JSON."""
        if not self._whole:
            raise ValueError("the stream was cut off before the end of the message")
        message = stream.current_message_snapshot
        if message.stop_reason == "tool_use":
            for written in filter(None, self._inputs.values()):
                json.loads(written)  # the SDK makes something of half an input too
        return replace(read(message), request_id=stream.request_id)

    def _told(self, text: Any) -> None:
        if text:
            self._tell(well_formed(text))

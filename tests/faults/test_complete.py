"""The table is whole: no kind of fault, no way for a request to fail and no end of a stream without its row."""

from typing import get_args

import anthropic

from tests.both.guard_cases import ANSWER, find
from tests.faults.acts import Kind
from tests.faults.cases import FAULTS, PASSING, STATUSES, STREAMS, TRIES
from two_loops import UnusableReply
from two_loops.stand_ins import wire


def test_every_kind_of_act_has_a_row() -> None:
    assert {fault.does.kind for fault in FAULTS} == set(get_args(Kind))


def test_every_row_has_a_name_of_its_own() -> None:
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)


def test_every_row_says_what_must_follow() -> None:
    assert [fault.name for fault in FAULTS if not (fault.plain or fault.streamed)] == []


def test_a_failed_request_has_the_exception_of_the_sdk_and_an_answer_that_is_none_has_ours() -> None:
    for fault in FAULTS:
        for error in filter(None, (fault.plain, fault.streamed)):
            assert issubclass(error, UnusableReply | anthropic.APIError)
            assert not (fault in STATUSES and issubclass(error, UnusableReply))


def test_every_stream_is_cut_before_and_within_each_of_its_events() -> None:
    names = {fault.name for fault in STREAMS}
    for what, message in (("an answer", ANSWER), ("a call", find("b"))):
        for place, event in enumerate(wire.events(message), 1):
            cut = f"{what} cut before its {event['type']} (event {place})"
            assert {cut, f"{cut}, in chunks", cut.replace("before", "within")} <= names


def test_every_status_that_the_sdk_tries_again_is_tried_to_its_end_and_mended() -> None:
    tried_again = {fault.name for fault in STATUSES if fault.tries == TRIES}

    assert tried_again < {fault.name for fault in PASSING}

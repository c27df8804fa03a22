"""Questions and scripts from files: what is read, and what is said of the ones that can't be."""

import json
from pathlib import Path
from typing import Any

import pytest

from two_loops import WrongUse
from two_loops.compare.files import questions_in, script_in
from two_loops.files import LONGEST
from two_loops.stand_ins.script import calls, says, tool_use


def test_questions_one_a_line(tmp_path: Path) -> None:
    (tmp_path / "q").write_bytes("\ufeff# mine\r\n\r\n  When? \r\n\u2028Où?\n#Why?\nWho\u2028now?".encode())

    assert questions_in(str(tmp_path / "q")) == ["When?", "Où?", "Who\u2028now?"]


def test_a_script_may_leave_out_what_goes_without_saying(tmp_path: Path) -> None:
    replies = [calls(tool_use("find", query="a")), says("So.", model="x", usage={"input_tokens": 1})]
    short = [{"content": replies[0]["content"], "stop_reason": "tool_use"}, replies[1]]
    (tmp_path / "s").write_text(json.dumps(short))

    assert script_in(str(tmp_path / "s")) == replies


HUGE = (
    "it is no JSON: Exceeds the limit (4300 digits) for integer string conversion: value has 5000 digits; "
    "use sys.set_int_max_str_digits() to increase the limit"
)
UNUSABLE: list[tuple[str, bytes, str]] = [
    ("a huge number", b"[" + b"9" * 5000 + b"]", HUGE),
    ("no JSON", b"[{", "it is no JSON: Expecting property name enclosed in double quotes: line 1 column 3 (char 2)"),
    ("NaN", b"[NaN]", "it is no JSON: NaN is no number there"),
    ("too deep", b"[" * 100_000, "it is nested too deep"),
    ("an object", b"{}", "it is no list of replies"),
    ("an empty list", b"[]", "the list has no reply"),
    ("a text", b'["So."]', "reply 1 is no object"),
    ("no content", b'[{"stop_reason": "end_turn"}]', "reply 1 has no list as its content"),
    ("a text as content", b'[{"content": "So.", "stop_reason": "end_turn"}]', "reply 1 has no list as its content"),
    ("no stop reason", b'[{"content": []}]', "reply 1 has no text as its stop_reason"),
    ("a block that is none", b'[{"content": [7], "stop_reason": ""}]', "reply 1, block 1 has no type"),
    ("a block without a type", b'[{"content": [{}], "stop_reason": ""}]', "reply 1, block 1 has no type"),
    (
        "a text without text",
        b'[{"content": [], "stop_reason": ""}, {"content": [{"type": "text"}], "stop_reason": ""}]',
        "reply 2, block 1 has no text as its text",
    ),
    (
        "a call without a name",
        b'[{"content": [{"type": "tool_use", "id": "t"}], "stop_reason": ""}]',
        "reply 1, block 1 has no text as its name",
    ),
]


@pytest.mark.parametrize(("held", "told"), [row[1:] for row in UNUSABLE], ids=[row[0] for row in UNUSABLE])
def test_a_script_that_can_not_be_used(held: bytes, told: str, tmp_path: Path) -> None:
    path = tmp_path / "s"
    path.write_bytes(held)

    with pytest.raises(WrongUse) as raised:
        script_in(str(path))

    assert str(raised.value) == f"the script {path} can't be used: {told}"


@pytest.mark.parametrize(("read", "what"), [(script_in, "the script"), (questions_in, "the questions")])
def test_a_file_that_can_not_be_read(read: Any, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"\xff\xfe\xfd")
    told = []

    for given in (tmp_path / "no", tmp_path, path, "a\0b"):
        with pytest.raises(WrongUse) as raised:
            read(str(given))
        told.append(str(raised.value))
    path.write_bytes(b" " * (LONGEST + 1))
    with pytest.raises(WrongUse) as raised:
        read(str(path))

    assert told == [
        f"{what} {tmp_path / 'no'} can't be read: no such file or directory",
        f"{what} {tmp_path} can't be read: is a directory",
        f"{what} {str(path)!r} can't be read: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
        f"{what} 'a\\x00b' can't be read: embedded null byte",
    ]
    assert str(raised.value) == f"{what} {path} can't be read: there are more than 16777216 bytes in it"


@pytest.mark.parametrize("held", ["", "\n\n", "# When?\n"])
def test_a_file_without_a_question(held: str, tmp_path: Path) -> None:
    path = tmp_path / "q"
    path.write_text(held)

    with pytest.raises(WrongUse) as raised:
        questions_in(str(path))

    assert str(raised.value) == f"the questions {path} can't be used: there is no question in it"

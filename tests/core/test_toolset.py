"""Declaring tools and toolsets, and what the model is told of them."""

import datetime
import weakref
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Annotated, Any, TextIO

import pytest
from anthropic import beta_tool
from pydantic import Field

from two_loops import Toolset, WrongUse, search_notes, tool
from two_loops.samples import NOTES
from two_loops.toolsets.definition import definition, parsed_arguments, wrong_arguments
from two_loops.toolsets.notes import notes


def page(number: Annotated[int, Field(ge=1)], book: str = "atlas", since: datetime.date | None = None) -> str:
    """Read one page of a book.
    It comes back as text.

    Args:
        number: Which page, from 1.
    """
    return f"{number} of {book}"


def undescribed(number: int) -> int:
    return number


def starred(*numbers: int) -> None:
    """Take any numbers."""


def open_ended(**anything: int) -> None:
    """Take anything."""


def positional(number: int, /) -> None:
    """Take a number by its place."""


async def later(number: int) -> None:
    """Answer later."""


async def pages() -> AsyncIterator[str]:
    """Read page after page."""
    yield ""


def unknown(of: "Nowhere") -> None:  # type: ignore[name-defined]  # noqa: F821
    """Take what nobody has defined."""


def opaque(thing: object, file: TextIO) -> None:
    """Take what JSON can't hold."""


def selfish(self: int) -> int:
    """Take a parameter of an unusual name."""
    return self


@pytest.mark.parametrize(
    ("made", "told"),
    [
        (lambda: tool(undescribed, risky=False), "undescribed has no docstring"),
        (lambda: tool(starred, risky=False), "callable by name"),
        (lambda: tool(open_ended, risky=False), "callable by name"),
        (lambda: tool(positional, risky=False), "callable by name"),
        (lambda: tool(later, risky=False), "a tool is a plain function"),
        (lambda: tool("page", risky=False), "a tool is a plain function"),  # type: ignore[arg-type]
        (lambda: tool(page, risky="no"), "risky must be True or False, not 'no'"),  # type: ignore[arg-type]
        (lambda: tool(lambda n: n, risky=False), "1 to 64 letters"),
        (lambda: tool(partial(page, number=1), risky=False, name="page"), "a tool is a plain function"),
        (lambda: tool(max, risky=False), "a tool is a plain function"),
        (lambda: tool(pages, risky=False), "a tool is a plain function"),
        (lambda: tool(page, risky=False, name="a b"), "1 to 64 letters"),
        (lambda: tool(page, risky=False, name="n" * 65), "1 to 64 letters"),
        (lambda: tool(page, risky=False, bind={"shelf": 1}), "page has no parameter shelf to bind"),
    ],
)
def test_what_can_be_no_tool(made: Callable[[], Any], told: str) -> None:
    with pytest.raises(WrongUse, match=told):
        made()


def test_what_can_be_no_toolset() -> None:
    with pytest.raises(WrongUse, match=r"declare it with tool\(function, risky=...\)"):
        Toolset(name="t", system="s", tools=(page,))  # type: ignore[arg-type]
    with pytest.raises(WrongUse, match="two tools are named page"):
        Toolset(name="t", system="s", tools=(tool(page, risky=False), tool(page, risky=True)))
    with pytest.raises(WrongUse, match="no system prompt"):
        Toolset(name="t", system=" ")
    with pytest.raises(WrongUse, match="tools must be a tuple of tools, not NoneType"):
        Toolset(name="t", system="s", tools=None)  # type: ignore[arg-type]
    with pytest.raises(WrongUse, match="max_tokens must be a whole number of 1 or more, not 0"):
        Toolset(name="t", system="s", max_tokens=0)
    with pytest.raises(WrongUse, match="limits must be a Limits, not dict"):
        Toolset(name="t", system="s", limits={})  # type: ignore[arg-type]


@pytest.mark.parametrize("function", [unknown, opaque])
def test_parameters_that_no_model_can_fill_in(function: Callable[..., None]) -> None:
    toolset = Toolset(name="t", system="s", tools=(tool(function, risky=False),))

    with (
        pytest.raises(WrongUse, match=f"the parameters of the tool {function.__name__} can't be described"),
        toolset.opened(),
    ):
        pass


def test_a_parameter_may_have_any_name() -> None:
    assert tool(selfish, risky=False)(self=3) == 3


def test_a_definition_is_the_sdks_own_in_one_paragraph() -> None:
    told = definition(tool(page, risky=False))
    of_the_sdk = beta_tool(page).to_dict()

    assert told["name"] == of_the_sdk["name"] == "page"
    assert told["description"] == "Read one page of a book. It comes back as text."
    assert told["input_schema"] == of_the_sdk["input_schema"]
    assert told["input_schema"]["additionalProperties"] is False
    assert told["strict"] is True


def test_a_tool_can_do_without_strict() -> None:
    assert "strict" not in definition(tool(page, risky=False, strict=False))


def test_bound_parameters_are_left_out() -> None:
    bound = tool(page, risky=False, bind={"book": "dictionary", "since": None}, name="look_up")

    assert definition(bound)["name"] == "look_up"
    assert list(definition(bound)["input_schema"]["properties"]) == ["number"]
    assert bound(number=3) == "3 of dictionary"
    assert wrong_arguments(bound, {"number": 1, "book": "atlas"}) == ["book: no such argument"]


def test_arguments_are_not_coerced() -> None:
    made = tool(page, risky=False)

    assert wrong_arguments(made, {"number": 1}) == []
    for number in ("1", 1.0, True, None):
        assert wrong_arguments(made, {"number": number}) == ["number: Input should be a valid integer"]
    assert wrong_arguments(made, {"number": 0}) == ["number: Input should be greater than or equal to 1"]
    assert wrong_arguments(made, {"nr": 1, "book": 5}) == [
        "number: missing",
        "book: Input should be a valid string",
        "nr: no such argument",
    ]


def test_arguments_arrive_as_the_types_that_the_function_declares() -> None:
    parsed = parsed_arguments(tool(page, risky=False), {"number": 2, "since": "2026-03-12"})

    assert parsed == {"number": 2, "since": datetime.date(2026, 3, 12)}


def test_the_model_sees_one_search_with_one_argument() -> None:
    (search,) = notes(NOTES).tools
    told = definition(search)

    assert told["name"] == "search_notes"
    assert list(told["input_schema"]["properties"]) == told["input_schema"]["required"] == ["query"]
    assert told["description"].count(". ") >= 3
    assert "\n" not in told["description"]
    assert not search.risky
    assert search.function is search_notes


def test_a_note_that_was_not_read_is_a_warning(tmp_path: Any) -> None:
    (tmp_path / "a.txt").write_bytes(b"\x00\x01water")
    (search,) = notes(tmp_path).tools

    assert list(search.warnings(search(query="water"))) == ["not everything was searched: a.txt: it looks binary"]


class Shelf:
    """Has a method that is a tool."""

    def take(self, title: str, copies: int = 1) -> str:
        """Take a book from the shelf."""
        return f"{copies} of {title}"


def test_the_methods_of_all_instances_are_described_once_and_keep_none_alive() -> None:
    definition(
        tool(Shelf().take, risky=False)
    )  # imports the SDK, and what it imports may keep the frames of its import
    shelf, other = Shelf(), Shelf()
    gone = weakref.ref(shelf)
    first, second = tool(shelf.take, risky=False), tool(other.take, risky=False)

    described = [definition(first), definition(second)]
    wrong = wrong_arguments(first, {"title": 5, "self": 1})
    del shelf, first

    assert described[0] == described[1]
    assert list(described[0]["input_schema"]["properties"]) == ["title", "copies"]
    assert len(wrong) == 2
    assert parsed_arguments(second, {"title": "Emma"}) == {"title": "Emma"}
    assert second(title="Emma") == "1 of Emma"
    assert gone() is None

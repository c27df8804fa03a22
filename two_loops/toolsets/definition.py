"""What the model is told of a tool, and how its arguments are checked: both from the function's own signature."""

import functools
import inspect
import json
import typing
from collections.abc import Callable, Iterable
from typing import Any, NotRequired

from pydantic import ConfigDict, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from two_loops.errors import WrongUse
from two_loops.toolsets.tool import Tool


def definition(tool: Tool) -> dict[str, Any]:
    """The tool as the Messages API takes it: name, description in one paragraph, JSON schema of its free parameters."""
    return dict(_definition(definition_text(tool)))


def definition_text(tool: Tool) -> str:
    """The same as JSON: one text for one definition, which can be hashed and compared."""
    return _definition_text(*_shared(tool), tool.name, tool.strict)


def plain(tool: Tool) -> Callable[..., Any]:
    """The tool as a function of the parameters that are left to the model, with its own name and docstring."""
    function = _free_part(tool.function, frozenset(tool.bound), tool)
    function.__name__ = tool.name
    return function


def check_described(tools: Iterable[Tool]) -> None:
    """Raise WrongUse for a tool whose parameters can't be told to a model or checked."""
    for tool in tools:
        try:
            definition_text(tool)
            _adapter(*_shared(tool))
        except Exception as error:
            raise WrongUse(f"the parameters of the tool {tool.name} can't be described as JSON: {error}") from error


def wrong_arguments(tool: Tool, given: dict[str, Any]) -> list[str]:
    """What is wrong with each argument, in words for the model; empty when they fit. Nothing is coerced."""
    return _checked(tool, given)[1]


def parsed_arguments(tool: Tool, given: dict[str, Any]) -> dict[str, Any]:
    """Arguments that fit, as the types that the function declares (a date for a date's text, say)."""
    return _checked(tool, given)[0]


def _checked(tool: Tool, given: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    adapter = _adapter(*_shared(tool))
    try:
        return dict(adapter.validate_json(json.dumps(given), strict=True)), []
    except ValidationError as error:
        return {}, [_wrong(dict(problem)) for problem in error.errors(include_url=False, include_input=False)]


def _shared(tool: Tool) -> tuple[Callable[..., Any], frozenset[str]]:
    """The tool's function and its bound parameters; a method's are those of its class, so that no instance is kept."""
    bound, function = frozenset(tool.bound), tool.function
    if not inspect.ismethod(function):
        return function, bound
    return function.__func__, bound | {_first_parameter(function.__func__)}


@functools.lru_cache(maxsize=256)
def _first_parameter(function: Callable[..., Any]) -> str:
    return next(iter(inspect.signature(function).parameters))


def _wrong(problem: dict[str, Any]) -> str:
    where = ".".join(str(part) for part in problem["loc"])
    said = {"missing": "missing", "extra_forbidden": "no such argument"}.get(problem["type"], problem["msg"])
    return f"{where}: {said}"


@functools.lru_cache(maxsize=256)
def _definition(text: str) -> dict[str, Any]:
    whole: dict[str, Any] = json.loads(text)
    return whole


@functools.lru_cache(maxsize=256)
def _definition_text(function: Callable[..., Any], bound: frozenset[str], name: str, strict: bool) -> str:
    from anthropic import beta_tool

    made = beta_tool(_free_part(function, bound, function), name=name).to_dict()
    paragraph = " ".join(made.get("description", "").split())
    shown = {"name": name, "description": paragraph, "input_schema": made["input_schema"]}
    return json.dumps(shown | {"strict": True} if strict else shown)


@functools.lru_cache(maxsize=256)
def _adapter(function: Callable[..., Any], bound: frozenset[str]) -> TypeAdapter[dict[str, Any]]:
    fields = {
        name: parameter.annotation if parameter.default is parameter.empty else NotRequired[parameter.annotation]
        for name, parameter in _free_parameters(function, bound).items()
    }
    arguments = TypedDict("arguments", fields)  # type: ignore[misc]  # the names are known only here
    return TypeAdapter(with_config(ConfigDict(strict=True, extra="forbid"))(arguments))  # type: ignore[arg-type]


def _free_part(function: Callable[..., Any], bound: frozenset[str], called: Callable[..., Any]) -> Callable[..., Any]:
    """``called`` with the function's name and docstring, and only the parameters that are left to the model."""

    @functools.wraps(function)
    def free(**arguments: Any) -> Any:
        return called(**arguments)

    del free.__wrapped__
    parameters = [
        parameter.replace(kind=parameter.KEYWORD_ONLY) for parameter in _free_parameters(function, bound).values()
    ]
    free.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    free.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return free


def _free_parameters(function: Callable[..., Any], bound: frozenset[str]) -> dict[str, inspect.Parameter]:
    hints = typing.get_type_hints(function, include_extras=True)
    return {
        name: parameter.replace(annotation=hints.get(name, Any))
        for name, parameter in inspect.signature(function).parameters.items()
        if name not in bound
    }

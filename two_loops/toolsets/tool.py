"""A tool: a plain function, and what an agent has to know of it."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from two_loops.errors import WrongUse
from two_loops.values.evidence import Named, Shown

Function = Callable[..., Any]


def _shows_nothing(_result: Any) -> Iterable[Shown | Named]:
    return ()


def _warns_of_nothing(_result: Any) -> Iterable[str]:
    return ()


@dataclass(frozen=True)
class Tool:
    """A function that a model may call; made by ``tool()``.

    risky: a person has to approve each call. bound: arguments that the toolset fills in and the model never sees.
    evidence: which lines of which files a result shows, and which files it only names. warnings: what the run's result
    should tell its reader.
    strict: ask the API to keep the model's arguments to the schema.
    """

    function: Function
    name: str
    risky: bool
    bound: Mapping[str, Any]
    evidence: Callable[[Any], Iterable[Shown | Named]] = field(default=_shows_nothing)
    warnings: Callable[[Any], Iterable[str]] = field(default=_warns_of_nothing)
    strict: bool = True

    def __call__(self, /, **arguments: Any) -> Any:
        return self.function(**arguments, **self.bound)


def tool(
    function: Function,
    *,
    risky: bool,
    bind: Mapping[str, Any] | None = None,
    evidence: Callable[[Any], Iterable[Shown | Named]] = _shows_nothing,
    warnings: Callable[[Any], Iterable[str]] = _warns_of_nothing,
    name: str | None = None,
    strict: bool = True,
) -> Tool:
    """Declare a plain function as a tool: read-only (``risky=False``) or risky, there is no third kind.

    The model reads the function's docstring and signature; ``bind`` fills in parameters that it must not choose.
    Raises WrongUse where the function can't be called by a model.
    """
    bound = dict(bind or {})
    if not isinstance(risky, bool):
        raise WrongUse(f"risky must be True or False, not {risky!r}")
    if not (inspect.isfunction(function) or inspect.ismethod(function)) or _waits(function):
        raise WrongUse(f"a tool is a plain function, not {function!r}")
    chosen = name or str(getattr(function, "__name__", ""))
    _check_name(chosen)
    _check_parameters(chosen, function, bound)
    return Tool(function, chosen, risky, MappingProxyType(bound), evidence, warnings, strict)


def _waits(function: Function) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)


def _check_name(name: str) -> None:
    plain = name.replace("-", "_").isascii() and name.replace("-", "_").replace("_", "").isalnum()
    if not plain or len(name) > 64:
        raise WrongUse(f"a tool's name has 1 to 64 letters, digits, - and _; give name= in place of {name!r}")


def _check_parameters(name: str, function: Function, bound: Mapping[str, Any]) -> None:
    parameters = inspect.signature(function).parameters
    if not inspect.getdoc(function):
        raise WrongUse(f"{name} has no docstring, and the model needs one to know what the tool does")
    for parameter in parameters.values():
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise WrongUse(f"{name}({parameter}): a tool's parameters must be callable by name, one by one")
    if missing := sorted(bound.keys() - parameters.keys()):
        raise WrongUse(f"{name} has no parameter {', '.join(missing)} to bind")

"""Each asynchronous loop is its blocking twin, word for word, but for what makes it wait."""

import ast
import inspect
from importlib import import_module
from types import ModuleType

import pytest

from two_loops.run import outcome, run

NAMES = {"AsyncRun": "Run", "anext": "next", "conclude_async": "conclude"}


class Blocking(ast.NodeTransformer):
    """Takes out what makes code wait."""

    def visit_Await(self, node: ast.Await) -> ast.AST:
        """``await x`` becomes ``x``."""
        return self.visit(node.value)  # type: ignore[no-any-return]

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        """``async def`` becomes ``def``."""
        fields = {name: value for name, value in ast.iter_fields(node) if name != "name"}
        return self.generic_visit(ast.FunctionDef(name=NAMES.get(node.name, node.name), **fields))

    def visit_AsyncWith(self, node: ast.AsyncWith) -> ast.AST:
        """``async with`` becomes ``with``."""
        return self.generic_visit(ast.With(**dict(ast.iter_fields(node))))

    def visit_AsyncFor(self, node: ast.AsyncFor) -> ast.AST:
        """``async for`` becomes ``for``."""
        return self.generic_visit(ast.For(**dict(ast.iter_fields(node))))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """What is waited for becomes what it brings."""
        waited_for = isinstance(node.value, ast.Name) and node.value.id == "Awaitable"
        return self.generic_visit(node.slice if waited_for else node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A name that waits becomes the one that blocks."""
        return ast.Name(NAMES.get(node.id, node.id), node.ctx)

    def visit_alias(self, node: ast.alias) -> ast.AST:
        """The same in an import."""
        return ast.alias(NAMES.get(node.name, node.name), node.asname)


def tree(source: str) -> ast.Module:
    """The syntax tree of a source, without docstrings and what makes it wait."""
    parsed = ast.parse(source)
    for node in ast.walk(parsed):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)) and ast.get_docstring(node):
            node.body = node.body[1:] or [ast.Pass()]
    Blocking().visit(parsed)
    return ast.fix_missing_locations(parsed)


@pytest.mark.parametrize("agent", ["manual", "runner"])
def test_the_asynchronous_loop_is_the_blocking_one(agent: str) -> None:
    blocking, waiting = (import_module(f"{agent}_agent.{name}") for name in ("loop", "async_loop"))

    assert ast.unparse(tree(inspect.getsource(waiting))) == ast.unparse(tree(inspect.getsource(blocking)))
    assert inspect.iscoroutinefunction(waiting.loop)


@pytest.mark.parametrize(
    ("module", "blocking", "waiting"), [(outcome, "conclude", "conclude_async"), (run, "Run.read", "AsyncRun.read")]
)
def test_what_waits_for_the_model_has_one_wording(module: ModuleType, blocking: str, waiting: str) -> None:
    assert ast.unparse(tree(source(module, waiting))) == ast.unparse(tree(source(module, blocking)))


def source(module: ModuleType, path: str) -> str:
    """The source of a function, at the left margin."""
    found: object = module
    for name in path.split("."):
        found = getattr(found, name)
    return inspect.cleandoc("\n" + inspect.getsource(found))  # type: ignore[arg-type]


def test_a_drift_would_be_found() -> None:
    drifted = "async def loop(run):\n    await run.answer()\n    run.forget()"

    assert ast.unparse(tree(drifted)) != ast.unparse(tree("def loop(run):\n    run.answer()"))
    assert ast.unparse(tree("async def loop(run):\n    await run.answer()")) == ast.unparse(
        tree("def loop(run):\n    run.answer()")
    )

"""The calculator: exact results, what it refuses, and what it says then."""

import ast
import re
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from two_loops.errors import ToolError
from two_loops.tools import calculator
from two_loops.tools.calculating import LARGEST, LONGEST


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("0.1 + 0.2", "0.3"),
        ("2 + 3 * 4", "14"),
        ("(2 + 3) * 4", "20"),
        ("1200 + 450 + 130", "1780"),
        ("1780\n  / 4", "445"),
        ("10 / 4", "2.5"),
        ("1 - 1.0", "0"),
        ("-7 // 2", "-4"),
        ("-7 % 3", "2"),
        ("7.5 % 2", "1.5"),
        ("2 ** 3 ** 2", "512"),
        ("-2 ** 2", "-4"),
        ("2 ** -3", "0.125"),
        ("0 ** 0", "1"),
        ("(-1) ** (10 ** 300)", "1"),
        (".5 + 5.", "5.5"),
        ("1.5e3 + 2E-1", "1500.2"),
        ("2 ** 100", "1267650600228229401496703205376"),
        ("9007199254740993.1 + 0", "9007199254740993.1"),
        ("1 / 10 ** 7", "0.0000001"),
        ("1 / 10 ** 60", "1E-60"),
        ("1 / 3", "0.333333333333333 (rounded to 15 significant digits)"),
        ("2 / 3", "0.666666666666667 (rounded to 15 significant digits)"),
        ("-10 ** 30 / 7", "-1.42857142857143E+29 (rounded to 15 significant digits)"),
        ("1 / 3 * 3", "1"),
        ("(" * 99 + "5" + ")" * 99, "5"),
        ("-" * 198 + "5", "5"),
    ],
)
def test_the_result_is_exact_or_says_that_it_is_not(expression: str, result: str) -> None:
    assert calculator(expression) == result


@pytest.mark.parametrize(
    "expression",
    [
        *(
            "alert(1)",
            "True",
            "True + 1",
            "x",
            "e",
            "1 .e",
            "(1).real",
            "__import__('os')",
            "'a' * 3",
            "[1]",
            "{}",
            "1j",
        ),
        *("0x10", "1_000", "1,200", "1 200", "1;2", "1=1", "1 < 2", "1 if 1 else 2", "lambda: 1", "2(3)", "(1)(2)"),
        *(
            "",
            " ",
            "()",
            "(1,)",
            "1 +",
            "* 2",
            "((1)",
            "1..2",
            "1e",
            "2 ^ 3",
            "~1",
            "1 & 2",
            "1 @ 2",
            "5 €",
            "10%",
            "\u0663",
            "\uff12",
        ),
        *("007", "*(1)", "1 #", "1\\\n2", "\x00", "\ud800", "not 1", "1 or 2", "1or 2", "'\\d'"),
    ],
)
def test_whatever_is_no_arithmetic_is_refused_and_told_what_is_allowed(expression: str) -> None:
    with pytest.raises(ToolError, match=r"\+ - \* / // % \*\*"):
        calculator(expression)


@pytest.mark.parametrize(
    "expression",
    [
        *("9 ** 9 ** 9", "9 ** -9 ** 9", "(9 ** 999) ** 999", "0.1 ** 9999", "1e99999999", "1e-99999999", "2 ** 10000"),
        *("1e3000 * 1e3000", "1e3000 / 1e-3000", "(1 / 3) ** 99999", "((9 ** 99) ** 99) ** 99 % 7", "2 ** 9999 * 3"),
    ],
)
def test_what_would_take_long_is_refused_before_it_is_calculated(expression: str) -> None:
    with pytest.raises(ToolError, match="too large: use smaller numbers"):
        calculator(expression)


@pytest.mark.parametrize("expression", ["1 / 0", "1 // 0", "1 % 0", "0 ** -1", "1 / (2 - 2)", "0.0 ** -3"])
def test_a_division_by_zero_says_so(expression: str) -> None:
    with pytest.raises(ToolError, match="divides by zero"):
        calculator(expression)


def test_a_root_is_refused_with_what_a_power_takes() -> None:
    with pytest.raises(ToolError, match=r"takes a whole number behind \*\*"):
        calculator("2 ** 0.5")


def test_an_expression_may_have_200_characters_and_no_more() -> None:
    longest = "1+" * 99 + "10"
    assert len(longest) == LONGEST

    assert calculator(longest) == "109"
    with pytest.raises(ToolError, match="has 201 characters, more than 200: split it"):
        calculator(longest + "0")


def test_the_largest_number_is_still_written_down() -> None:
    assert calculator(f"2 ** {LARGEST - 1} - 1 + 2 ** {LARGEST - 1}") == str(2**LARGEST - 1)
    with pytest.raises(ToolError, match="too large"):
        calculator(f"2 ** {LARGEST - 1} + 2 ** {LARGEST - 1}")


NUMBERS = st.one_of(
    st.integers(0, 10**12).map(str),
    st.decimals(0, 10**6, places=3, allow_nan=False).map(lambda number: f"{number:f}"),
)


def joined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Longer expressions from shorter ones, with and without parentheses."""
    signs = st.sampled_from(["+", "-", "*", "/", "//", "%", " + ", " - "])
    return st.one_of(
        st.tuples(inner, signs, inner).map("".join),
        inner.map(lambda text: f"({text})"),
        inner.map(lambda text: f"-{text}"),
        st.tuples(inner, st.integers(-6, 6)).map(lambda pair: f"({pair[0]})**{pair[1]}"),
        st.tuples(NUMBERS, st.integers(0, 6)).map(lambda pair: f"{pair[0]}**{pair[1]}"),
    )


EXPRESSIONS = st.recursive(NUMBERS, joined, max_leaves=8).filter(lambda text: len(text) <= LONGEST)


class AsFractions(ast.NodeTransformer):
    """Makes each intermediate value a fraction again: ``//`` of two fractions is an int, whose powers may be floats."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return ast.Call(ast.Name("Fraction", ast.Load()), [node], [])


def with_fractions(expression: str) -> Any:
    """What the expression comes to in Python's own fractions; exponents stay integers."""
    numbers = re.sub(r"(?<!\*\*)(?<!\*\*-)\b[0-9.]+", r"Fraction('\g<0>')", expression)
    tree = ast.fix_missing_locations(AsFractions().visit(ast.parse(numbers, mode="eval")))
    return eval(compile(tree, "expression", "eval"), {"Fraction": Fraction})


@settings(max_examples=400)
@given(EXPRESSIONS)
@example("-((1//0.001)**-1)")
def test_it_agrees_with_fractions(expression: str) -> None:
    try:
        expected = with_fractions(expression)
    except ZeroDivisionError:
        with pytest.raises(ToolError, match="divides by zero"):
            calculator(expression)
        return

    result, _, rounded = calculator(expression).partition(" (")

    if rounded:
        assert rounded == "rounded to 15 significant digits)"
        assert abs(Fraction(result) - expected) <= abs(expected) * Fraction(5, 10**15)
    else:
        assert Fraction(result) == expected


@settings(max_examples=400)
@given(st.text("0123456789.+-*/%()eE ", max_size=LONGEST))
def test_whatever_is_typed_is_calculated_or_refused(expression: str) -> None:
    try:
        result = calculator(expression)
    except ToolError:
        return

    assert re.fullmatch(r"-?[0-9]+(\.[0-9]+)?(E[+-][0-9]+)?( \(rounded to 15 significant digits\))?", result)

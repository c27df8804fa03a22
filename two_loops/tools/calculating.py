"""Exact arithmetic on an expression, which is taken apart and never run as code."""

import ast
import operator
import re
from collections.abc import Callable, Mapping
from decimal import Context, Decimal, Inexact
from fractions import Fraction

from two_loops.errors import ToolError

LONGEST = 200  # characters
LARGEST = 10_000  # bits of a number's numerator and of its denominator
EXACT_DIGITS = 50  # a result that is no whole number is shown exactly when it has no more digits than this
ROUNDED_DIGITS = 15

ALLOWED = (
    "Write plain numbers, such as 1200 or 0.5, parentheses and + - * / // % **, and nothing else: no names, functions, "
    "units or thousands separators. For example: (1200 + 450) * 2"
)

_CHARACTERS = re.compile(r"[0-9.+\-*/%()eE ]*")
_SIGNS: Mapping[type[ast.unaryop], Callable[[Fraction], Fraction]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}
_EXACT = Context(prec=EXACT_DIGITS, traps=[Inexact])
_ROUNDED = Context(prec=ROUNDED_DIGITS)


def calculator(expression: str) -> str:
    """Calculate an arithmetic expression exactly, and return the result as text. It may hold numbers, parentheses and
    the signs + - * / // % ** with their usual order; // divides and rounds down, % is what is left, ** is a power. A
    result that has no short exact form is rounded to 15 digits, and says that it is rounded. Names, functions, units
    and thousands separators are not allowed. Use it for every calculation, even a small one, and give it the numbers as
    the files show them.

    Args:
        expression: Up to 200 characters, such as (1200 + 450 + 130) * 12.

    Raises:
        ToolError: The expression is too long or holds something else, divides by zero, or its result is too large.
    """
    if len(expression) > LONGEST:
        raise ToolError(f"The expression has {len(expression)} characters, more than {LONGEST}: split it into parts.")
    text = " ".join(expression.split())
    try:
        return _worded(_value(_parsed(text), text))
    except ZeroDivisionError:
        raise ToolError("The expression divides by zero, which has no result: check its numbers.") from None


def _parsed(text: str) -> ast.expr:
    if not _CHARACTERS.fullmatch(text):
        raise ToolError(f"The expression holds something else than arithmetic. {ALLOWED}")
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        raise ToolError(f"The expression can't be read. {ALLOWED}") from None


def _value(node: ast.expr, text: str) -> Fraction:
    if isinstance(node, ast.Constant):
        return _within(_number(text[node.col_offset : node.end_col_offset]))
    if isinstance(node, ast.UnaryOp) and type(node.op) in _SIGNS:
        return _SIGNS[type(node.op)](_value(node.operand, text))
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        left, right = _value(node.left, text), _value(node.right, text)
        return _within(Fraction(_OPERATIONS[type(node.op)](left, right)))
    raise ToolError(f"The expression can't be read. {ALLOWED}")


def _number(text: str) -> Fraction:
    exponent = text.lower().partition("e")[2]
    if abs(int(exponent or 0)) > LARGEST:
        raise _too_large()
    return Fraction(text)


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1:
        raise ToolError("A power takes a whole number behind **, such as 2 ** 10 or 2 ** -3.")
    if (_bits(base) - 1) * abs(exponent) > LARGEST:  # the fewest bits that the power can have
        raise _too_large()
    return Fraction(base**exponent.numerator)


_OPERATIONS: Mapping[type[ast.operator], Callable[[Fraction, Fraction], Fraction | int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: _power,
}


def _within(value: Fraction) -> Fraction:
    """The value, when it is small enough to be calculated with: so every step is a short one."""
    if _bits(value) > LARGEST:
        raise _too_large()
    return value


def _bits(value: Fraction) -> int:
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _too_large() -> ToolError:
    return ToolError("A number in this calculation has thousands of digits, which is too large: use smaller numbers.")


def _worded(value: Fraction) -> str:
    if value.denominator == 1:
        return str(value.numerator)
    numerator, denominator = Decimal(value.numerator), Decimal(value.denominator)
    try:
        exact = _EXACT.divide(numerator, denominator)
    except Inexact:
        return f"{_ROUNDED.divide(numerator, denominator)} (rounded to {ROUNDED_DIGITS} significant digits)"
    return f"{exact:f}" if -exact.adjusted() < EXACT_DIGITS else str(exact)

"""Expressions of numbers for test_numbers.py: operators on operands of all types at the edges of their ranges, and on constants."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import qd

TYPES = ("u1", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64")
ARITHMETIC = ("+", "-", "*", "/", "//", "%", "**")
BITS = ("&", "|", "^", "<<", ">>")
CONDITIONS = ("<", "<=", ">", ">=", "==", "!=", "and", "or")
FUNCTIONS = ("min", "max")
CONSTANTS = ("1", "-1", "3", "-7", "200", "0x7FFFFFFF", "2**31", "0xFFFFFFFF", "2**40", "-2**63", "0.5", "-2.5", "0.1", "True")
WHOLE = ("0", "1", "-1", "2", "3", "7", "10", "-13", "255", "65537", "0xFFFFFFFF", "2**31", "-2**31", "2**63", "10**18", "1 << 40", "True")
COMMON = ("+", "-", "*", "//", "%", "min", "max")


def is_float(name: str) -> bool:
    return name[0] == "f"


def edges(name: str) -> list[Any]:
    """Values of a type, those at the ends of its range among them."""
    if name == "u1":
        return [False, True]
    if is_float(name):
        return [0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 7.25, 100.0, -1000.0, 0.1]
    bits = int(name[1:])
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if name[0] == "i" else (0, (1 << bits) - 1)
    return sorted({low, low + 1, high - 1, high, high // 3, 0, 1, 2, 5, 7, *([-1, -2, -7] if low else [])})


def module_of(path: Path, source: str) -> dict[str, Any]:
    """A module with kernels, in a file of its own."""
    path.write_text(f"import qd\n\n\n{source}")
    scope: dict[str, Any] = {"__name__": path.stem}
    exec(compile(path.read_text(), str(path), "exec"), scope)
    return scope


def joined(operator: str, left: str, right: str) -> str:
    return f"{operator}({left}, {right})" if operator in FUNCTIONS else f"({left}) {operator} ({right})"


def operators(left: str, right: str) -> list[str]:
    """The operators that two operands of these types take."""
    floats = is_float(left) or is_float(right)
    return [*ARITHMETIC, *([] if floats else BITS), *CONDITIONS, *FUNCTIONS]


def part_of_operators(left: str, right: str) -> list[str]:
    """Every other operator; those in between are for the same types in the other order. All for operands of one type."""
    if left == right:
        return operators(left, right)
    first, second = TYPES.index(left), TYPES.index(right)
    return operators(left, right)[(first + second + (first < second)) % 2 :: 2]


def defined(operator: str, a: Any, b: Any, name: str, floats: bool) -> bool:
    """Whether a value has this meaning on every device: no division by zero, no shift by more bits than there are, no conversion out of range."""
    if operator in ("/", "//", "%"):
        return bool(b != 0)
    if operator in ("<<", ">>"):
        return 0 <= b < (8 if name == "u1" else int(name[1:]))
    if operator == "**":
        return -8 <= b <= 8 and (a != 0 or b >= 0) and not (floats and a < 0 and b != int(b))
    return True


def kernel_source(name: str, expressions: list[tuple[str, bool]], left: str, right: str) -> str:
    """A kernel that stores the values of expressions of `a` and `b`, a row each: floats as f64, integers as i64."""
    lines = [
        "@qd.kernel",
        f"def {name}(x: qd.types.ndarray(qd.{left}, 1), y: qd.types.ndarray(qd.{right}, 1), whole: qd.types.ndarray(qd.i64, 2), "
        "real: qd.types.ndarray(qd.f64, 2)):",
        "    for i in range(x.shape[0]):",
        "        a = x[i]",
        "        b = y[i]",
    ]
    for row, (expression, float_result) in enumerate(expressions):
        lines.append(f"        {'real' if float_result else 'whole'}[{row}, i] = {expression}")
    return "\n".join(lines) + "\n"


def values_of(kernel: Callable[..., Any], rows: int, x: Any, y: Any) -> tuple[Any, Any]:
    whole, real = np.zeros((rows, len(x)), np.int64), np.zeros((rows, len(x)), np.float64)
    kernel(x, y, whole, real)
    return whole, real


def differences(expressions: list[str], masks: list[Any], x: Any, y: Any, results: list[tuple[Any, Any]]) -> Iterator[str]:
    """Different results of two runs, where a mask says that the value is defined. The last bits of floats are the device's own."""
    (whole, real), (other_whole, other_real) = results
    for row, expression in enumerate(expressions):
        same = (whole[row] == other_whole[row]) & np.isclose(real[row], other_real[row], rtol=1e-6, atol=0, equal_nan=True)
        for i in np.nonzero(~same & masks[row])[0][:2]:
            yield f"{expression} with {x[i]!r} and {y[i]!r}: {whole[row, i]} {real[row, i]!r}, and {other_whole[row, i]} {other_real[row, i]!r}"


def constant_expression(chance: random.Random, depth: int, floats: bool) -> str:
    """A random expression of constants, of integers alone or with floats among them."""
    if depth == 0 or chance.random() < 0.15:
        if floats and chance.random() < 0.4:
            return chance.choice(("0.1", "2.5", "1e10", "0.3", "-0.75", "3.0"))
        return chance.choice(WHOLE)
    left, right = (constant_expression(chance, depth - 1, floats) for _ in range(2))
    operator = chance.choice(("/", *COMMON) if floats else ("&", "|", "^", "abs", "~", "<<", ">>", *COMMON))
    if operator in ("~", "abs"):
        return f"{operator}(0 + ({left}))"
    if operator in ("<<", ">>"):
        return f"({left}) {operator} {chance.randrange(70)}"
    return joined(operator, left, right)


def constants_of_python(count: int, seed: int, floats: bool) -> list[tuple[str, Any]]:
    """Expressions and their values, as Python has them; values that no type has room for are left out."""
    chance = random.Random(seed)
    found: list[tuple[str, Any]] = []
    while len(found) < count:
        text = constant_expression(chance, 3, floats)
        try:
            value = eval(text)
        except (ZeroDivisionError, OverflowError):
            continue
        if isinstance(value, float) == floats and (floats or -(1 << 63) <= value < 1 << 64):
            found.append((text, value))
    return found


def dtype_of(name: str) -> Any:
    return getattr(qd, name).numpy

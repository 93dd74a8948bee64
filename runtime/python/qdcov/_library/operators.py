"""Functions of Python's module `operator`, for kernels that call them with values of the run."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from qdcov._kernels.decorators import func
from qdcov._kernels.members import FUNCS_OF_PYTHON
from qdcov._library.funcs import own

_OPERATORS: dict[Any, Callable[..., Any]] = {
    operator.add: lambda a, b: a + b,
    operator.sub: lambda a, b: a - b,
    operator.mul: lambda a, b: a * b,
    operator.matmul: lambda a, b: a @ b,
    operator.truediv: lambda a, b: a / b,
    operator.floordiv: lambda a, b: a // b,
    operator.mod: lambda a, b: a % b,
    operator.pow: lambda a, b: a**b,
    operator.lshift: lambda a, b: a << b,
    operator.rshift: lambda a, b: a >> b,
    operator.and_: lambda a, b: a & b,
    operator.or_: lambda a, b: a | b,
    operator.xor: lambda a, b: a ^ b,
    operator.eq: lambda a, b: a == b,
    operator.ne: lambda a, b: a != b,
    operator.lt: lambda a, b: a < b,
    operator.le: lambda a, b: a <= b,
    operator.gt: lambda a, b: a > b,
    operator.ge: lambda a, b: a >= b,
    operator.neg: lambda a: -a,
    operator.pos: lambda a: +a,
    operator.invert: lambda a: ~a,
    operator.not_: lambda a: not a,
    operator.getitem: lambda a, b: a[b],
}
FUNCS_OF_PYTHON.update((name, own(func(of))) for name, of in _OPERATORS.items())

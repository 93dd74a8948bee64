"""qd.simt: the operators of reductions and scans, and their neutral elements."""

# mypy: disable-error-code="valid-type, no-untyped-def, no-untyped-call, no-any-return"
from __future__ import annotations

import math

from qdcov._arrays.annotations import template
from qdcov._dtypes import f32
from qdcov._kernels.decorators import func
from qdcov._library.funcs import own
from qdcov._values.functions import cast, max, min, one, static, zero
from qdcov._values.vector import Vector

ADD, MUL, MIN, MAX, AND, OR, XOR = 0, 1, 2, 3, 4, 5, 6
INFINITY = math.inf


@own
@func
def joined(a, b, op: template()):
    """`a`, of lower lanes, and `b`, of higher ones."""
    result = a
    if static(op == ADD):
        result = a + b
    elif static(op == MUL):
        result = a * b
    elif static(op == MIN):
        result = min(a, b)
    elif static(op == MAX):
        result = max(a, b)
    elif static(op == AND):
        result = a & b
    elif static(op == OR):
        result = a | b
    else:
        result = a ^ b
    return result


@own
@func
def neutral(value, op: template()):
    """The neutral element of `op`, in the type of `value`: 0, 1, all bits, or the greatest or the least that there is, of floats infinity."""
    result = zero(value)
    if static(op == MUL):
        result = one(value)
    elif static(op == AND):
        result = ~result
    elif static(op == MIN):
        typed = Vector([value])
        result = cast(cast(INFINITY, f32), typed.dtype)  # of an integer the nearest that there is
    elif static(op == MAX):
        typed = Vector([value])
        result = cast(cast(-INFINITY, f32), typed.dtype)
    return result

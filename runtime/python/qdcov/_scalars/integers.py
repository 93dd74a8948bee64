"""Functions of integers and of their bits. In a compiled kernel they are names only; on arch=qd.python this code runs."""

from __future__ import annotations

from typing import Any

import numpy as np

from qdcov import _dtypes
from qdcov._dtypes import convert
from qdcov._errors import KernelCompilationError, KernelTypeError
from qdcov._scalars import semantics
from qdcov._scalars.semantics import both, dtype_of, value
from qdcov._scalars.value import lifted


@lifted
def bit_cast(obj: Any, dtype: Any) -> Any:
    """The bits of `obj` as the type `dtype` of the same width; KernelCompilationError for another width."""
    x, to = value(obj), _dtypes.require(dtype)
    have = dtype_of(x)
    if have is None or have.bits != to.bits:
        raise KernelCompilationError(f"bit_cast from {have} to {to}: the widths differ")
    return x.view(to.numpy)


@lifted
def raw_div(x1: Any, x2: Any) -> Any:
    """`x1` divided by `x2` as C does it: integers truncate towards zero."""
    x, y = both(x1, x2)
    semantics.check_integers("raw_div", x, y)
    if not isinstance(x, np.integer):
        return x / y
    quotient = abs_int(x) // abs_int(y)
    return convert(quotient if (x < 0) == (y < 0) else -quotient, _dtypes.BY_NUMPY[type(x)])


@lifted
def raw_mod(x1: Any, x2: Any) -> Any:
    """The remainder of `raw_div` of `x1` and `x2`: it has the sign of `x1`."""
    x, y = both(x1, x2)
    semantics.check_integers("raw_mod", x, y)
    return np.fmod(x, y)


def abs_int(x: Any) -> int:
    return -int(x) if x < 0 else int(x)


def _bits(x: Any) -> tuple[int, int]:
    """The bits of an integer as a number, and their number."""
    x = semantics.signed(x)
    dtype = dtype_of(x)
    if dtype is None or dtype.is_float:
        raise KernelTypeError(f"bits are counted of an integer, not of {dtype}")
    return int(x) & ((1 << dtype.bits) - 1), dtype.bits


@lifted
def popcnt(x: Any) -> Any:
    """The number of bits of the integer `x` that are set, as i32."""
    return np.int32(bin(_bits(x)[0]).count("1"))


@lifted
def clz(x: Any) -> Any:
    """The number of leading bits of the integer `x` that are not set, as i32: its width for 0."""
    bits, width = _bits(x)
    return np.int32(width - bits.bit_length())


@lifted
def ffs(x: Any) -> Any:
    """The number of the lowest bit of the integer `x` that is set, from 1, as i32; 0 when none is."""
    bits, _ = _bits(x)
    return np.int32((bits & -bits).bit_length())


@lifted
def fns(mask: Any, base: Any, offset: Any) -> Any:
    """The position of a set bit of a mask of 32, as CUDA's __fns: the `offset`-th from `base` on, 1 being the first; with a negative `offset`
    downwards; with 0 `base` itself. -1 when there is none."""
    bits = [_bits(x)[0] for x in (mask, base, offset)]
    at, count = (int(_dtypes.wrap(x, _dtypes.i32)) for x in bits[1:])
    if not 0 <= at < 32:
        return np.int32(-1)
    places = [at] if count == 0 else range(at, 32) if count > 0 else range(at, -1, -1)
    found = [place for place in places if bits[0] >> place & 1]
    wanted = count if count > 0 else -count if count < 0 else 1
    return np.int32(found[wanted - 1] if wanted <= len(found) else -1)


bit_not = semantics.invert
bit_and = semantics.and_
bit_or = semantics.or_
bit_xor = semantics.xor
bit_shl = semantics.lshift
bit_sar = semantics.rshift
mod = semantics.mod


@lifted
def bit_shr(x1: Any, x2: Any) -> Any:
    """The integer `x1` shifted right by `x2` bits, zeros from the left."""
    x, y = x1, x2
    bits, _ = _bits(x)
    semantics.check_integers("bit_shr", semantics.signed(x), convert(value(y), _dtypes.BY_NUMPY[type(semantics.signed(x))]))
    return convert(bits >> int(y), _dtypes.BY_NUMPY[type(semantics.signed(x))])

"""The functions of the kernel language. In a compiled kernel they are names only; on arch=qd.python this code runs."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from qdcov import _dtypes, _execution
from qdcov._dtypes import convert
from qdcov._errors import KernelCompilationError, KernelRuntimeError, KernelSyntaxError, KernelTypeError
from qdcov._scalars import builtins, callstack, loops, semantics
from qdcov._scalars.semantics import both, float_of, value
from qdcov._scalars.value import Compound, lifted
from qdcov._values.matrix import Matrix


def _math(name: str, compute: Callable[..., Any], about: str) -> Callable[..., Any]:
    def of_one(x: Any) -> Any:
        return compute(float_of(x))

    def of_two(x1: Any, x2: Any) -> Any:
        return compute(*both(float_of(x1), float_of(x2)))

    function = of_two if name == "atan2" else of_one
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{about}, in the type of the operands; integers become the default float. Of vectors and matrices component by component."
    return lifted(function)


sin = _math("sin", np.sin, "The sine of an angle in radians")
cos = _math("cos", np.cos, "The cosine of an angle in radians")
tan = _math("tan", np.tan, "The tangent of an angle in radians")
asin = _math("asin", np.arcsin, "The angle with this sine, in radians from -pi/2 to pi/2; NaN beyond -1 and 1")
acos = _math("acos", np.arccos, "The angle with this cosine, in radians from 0 to pi; NaN beyond -1 and 1")
atan = _math("atan", np.arctan, "The angle with this tangent, in radians from -pi/2 to pi/2")
atan2 = _math("atan2", np.arctan2, "The angle of the point (x2, x1), in radians from -pi to pi")
sinh = _math("sinh", np.sinh, "The hyperbolic sine")
cosh = _math("cosh", np.cosh, "The hyperbolic cosine")
tanh = _math("tanh", np.tanh, "The hyperbolic tangent")
exp = _math("exp", np.exp, "e to the power of a number")
expm1 = _math("expm1", np.expm1, "``exp(x) - 1``, exact near 0")
log = _math("log", np.log, "The natural logarithm; -inf of 0, NaN below")
log1p = _math("log1p", np.log1p, "``log(1 + x)``, exact near 0")
sqrt = _math("sqrt", np.sqrt, "The square root; NaN below 0")
log2 = _math("log2", lambda x: np.log(x) * type(x)(1 / math.log(2)), "The logarithm to the base of 2; -inf of 0, NaN below")
exp2 = _math("exp2", lambda x: type(x)(2) ** x, "2 to the power of a number")
rsqrt = _math("rsqrt", lambda x: type(x)(1) / np.sqrt(x), "1 over the square root; inf of 0, NaN below")


def _rounding(name: str, compute: Callable[[Any], Any], about: str) -> Callable[..., Any]:
    def function(x: Any, dtype: Any = None) -> Any:
        x = value(x)
        rounded = compute(x) if isinstance(x, np.floating) else x
        return rounded if dtype is None else semantics.cast(rounded, dtype)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"The {about}, in the type of `x`, or as `dtype`. Of vectors and matrices component by component."
    return lifted(function)


floor = _rounding("floor", np.floor, "next lower whole number")
ceil = _rounding("ceil", np.ceil, "next higher whole number")
round = _rounding("round", np.rint, "nearest whole number, of two as near the even one")
pow = semantics.power
abs = builtins.absolute
min = builtins.minimum
max = builtins.maximum

MATH = (
    "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "expm1", "log", "log1p", "sqrt", "floor", "ceil", "pow",
    "fabs", "isnan", "isinf", "radians", "degrees", "log2", "exp2",
)  # fmt: skip
"""Functions of Python's math module under the same names."""


@lifted
def select(cond: Any, x1: Any, x2: Any) -> Any:
    """`x1` if the condition `cond` holds, else `x2`, in their common type; both are evaluated. Of vectors and matrices component by component."""
    x1, x2 = both(x1, x2)
    return x1 if cond else x2


def cast(obj: Any, dtype: Any) -> Any:
    """`obj` in the type `dtype`: floats truncate to integers, integers wrap around. Of vectors and matrices component by component."""
    return obj._to(dtype) if isinstance(obj, Compound) else convert(obj if type(obj) in semantics.PLAIN else value(obj), _dtypes.require(dtype))


@lifted
def fabs(x: Any) -> Any:
    """The absolute value of `x`, as a float: of an integer in the default one."""
    return np.abs(float_of(x))


@lifted
def sign(x: Any) -> Any:
    """-1, 0 or 1 in the type of `x`."""
    return np.sign(semantics.signed(x))


@lifted
def isnan(x: Any) -> Any:
    """Whether `x` is not a number."""
    return np.isnan(float_of(x))


@lifted
def isinf(x: Any) -> Any:
    """Whether `x` is infinite."""
    return np.isinf(float_of(x))


@lifted
def logical_not(x: Any) -> Any:
    """Whether `x` is 0."""
    return np.bool_(x == 0)


@lifted
def radians(x: Any) -> Any:
    """`x` degrees, in radians."""
    x = float_of(x)
    return x * type(x)(math.pi / 180)


@lifted
def degrees(x: Any) -> Any:
    """`x` radians, in degrees."""
    x = float_of(x)
    return x * type(x)(180 / math.pi)


def random(dtype: Any = float) -> Any:
    """A random number of the type `dtype`: floats in [0, 1), integers over their full range. `random_seed` of qd.init makes another sequence."""
    to, generator = _dtypes.require(dtype), _execution.generator()
    if to.bits == 16 and to.is_float:
        return to.numpy(generator.integers(1 << 11) / (1 << 11))
    if to.is_float:
        return to.numpy(generator.random(dtype=np.float64 if to.bits == 64 else np.float32))
    return convert(int.from_bytes(generator.bytes(8), "little"), to)


def clock_counter() -> Any:
    """The counter of cycles of the processor that runs the iteration, i64. Differences of two within one iteration are times; the length of a cycle
    depends on the machine. On arch=qd.python a cycle is a nanosecond."""
    return convert(time.perf_counter_ns(), _dtypes.i64)


def clock_freq_hz() -> float:
    """The frequency of `clock_counter` in cycles a second: known for GPUs alone. NotImplementedError on the CPU, whose frequency is unknown."""
    raise NotImplementedError("qd.clock_freq_hz is not known on the CPU; qd.profiler gives times in milliseconds")


def randn(dt: Any = None) -> Any:
    """A random float of the type `dt`, the default float when it is None, of the normal distribution with mean 0 and deviation 1."""
    to = _dtypes.require(float if dt is None else dt)
    if not to.is_float:
        raise KernelTypeError("randn gives floats: its dtype is f16, f32 or f64")
    return to.numpy(_execution.generator().standard_normal())


def frexp(x: Any) -> tuple[Any, Any]:
    """The mantissa, in [0.5, 1), and the exponent of two that make `x`."""
    x = float_of(x)
    if x == 0 or not np.isfinite(x):
        return x, np.int32(0)
    mantissa, exponent = np.frexp(x)
    return type(x)(mantissa), np.int32(exponent)


@lifted
def zero(x: Any) -> Any:
    """0 in the type of `x`."""
    return type(value(x))(0)


@lifted
def one(x: Any) -> Any:
    """1 in the type of `x`."""
    return type(value(x))(1)


def stop_grad(x: Any) -> Any:
    """`x`; derivatives do not go through it."""
    return x


def outer(a: Any, b: Any) -> Any:
    """The outer product by which ``tile += qd.outer(a, b)`` and ``tile -= qd.outer(a, b)`` change a tile (`qd.simt.Tile16x16`). It is no value:
    anywhere else it raises KernelSyntaxError.

    `a` and `b` are a number in each thread, which is converted to the tile's type. In row i and column j it is `a` of thread i times `b` of thread j.
    All threads of the block come to it."""
    raise KernelSyntaxError("qd.outer(a, b) is no value: it stands behind `tile -=` or `tile +=` alone")


def volatile_load(target: Any) -> Any:
    """The element `target` of a field or an ndarray, read from memory each time the program comes there: a loop that waits until another thread
    has written sees its writes. In Quadrants' terms, a load with volatile semantics. TypeError for anything that is not an element."""
    return target


def loop_unique(val: Any, covers: Any = None) -> Any:
    """`val`; a promise that no two iterations have the same. Nothing depends on it here, nor on `covers`."""
    return val


def assume_in_range(val: Any, base: Any, low: Any, high: Any) -> Any:
    """`val`; a promise that it is at least ``base + low`` and below ``base + high``."""
    return val


def static(x: Any, *more: Any) -> Any:
    """`x`, which is known when a kernel is compiled: selects the arm of an if, unrolls a for. Several values, `x` and `more`, are a tuple.
    KernelTypeError for a value of the run."""
    return (x, *more) if more else x


def static_assert(cond: Any, msg: Any = None) -> None:
    """Stops the compilation of a kernel if `cond`, which is known then, does not hold: KernelCompilationError, with the message `msg`."""
    if not cond:
        raise KernelCompilationError("static assertion failed" + (f": {msg}" if msg is not None else ""))


def static_print(*things: Any, **options: Any) -> None:
    """Prints `things` while a kernel is compiled, on standard output; `options` are those of Python's print."""
    print(*things, **options)


def global_thread_idx() -> Any:
    """The number of the iteration of the parallel loop around; 0 outside of one."""
    return np.int32(_execution.iteration())


def block_idx() -> Any:
    """The number of the block of the iteration of the parallel loop around, i32: `global_thread_idx` divided by the loop's block_dim; 0 outside of a
    loop. The block_dim is that of `qd.loop_config`, else the option default_gpu_block_dim. KernelSyntaxError in a qd.real_func."""
    if _execution.local.routine:
        raise KernelSyntaxError(f"{callstack.place()}qd.block_idx() cannot be used in a @qd.real_func")
    return np.int32(_execution.iteration() // _execution.local.width)


MOST_CONSTANT_INDICES = 1 << 16
"""Largest number of indices of an ndrange that is made outside of a kernel."""


class ndrange:
    """All index tuples of several axes; each axis is a length or a pair (begin, end). `axes` is the order of the loops, the outermost axis first."""

    def __init__(self, *axes: Any, **order: Any) -> None:
        self.order = tuple(order.pop("axes", None) or range(len(axes)))
        if order or sorted(self.order) != list(range(len(axes))):
            raise KernelSyntaxError(f"`axes` names each of the {len(axes)} axes once, the outermost first")
        bounds = [a if isinstance(a, (tuple, list)) else (0, a) for a in axes]
        self.axes = [loops.Axis.between(*pair[:2]) for pair in bounds]

    def _constant(self) -> list[Any] | None:
        """The index tuples, for a kernel that goes over them while it is compiled; None: there are too many."""
        return list(self) if math.prod(len(axis.numbers) for axis in self.axes) <= MOST_CONSTANT_INDICES else None

    def __iter__(self) -> Iterator[Any]:
        if not self.axes:
            return iter([()])
        if self.order == tuple(range(len(self.axes))):
            return iter(loops.indices(self.axes))
        places = [self.order.index(axis) for axis in range(len(self.axes))]
        return (tuple(index[place] for place in places) for index in loops.indices([self.axes[axis] for axis in self.order]))


def grouped(x: Any) -> Iterator[Any]:
    """The indices of `x`, a field, an array or an ndrange, as one vector each: ``for I in qd.grouped(x): x[I] = 0``."""
    for index in loops.iterate(x):
        numbers = index if isinstance(index, tuple) else (index,)
        counts = functools.reduce(loops.common_count, (_dtypes.BY_NUMPY[type(number)] for number in numbers or (np.int32(0),)))
        yield Matrix._of(np.array(numbers, counts.numpy))


def loop_config(
    *,
    block_dim: int | None = None,
    serialize: bool = False,
    parallelize: int | None = None,
    block_dim_adaptive: bool = True,
    bit_vectorize: bool = False,
    vectorize: bool | None = None,
    name: str | None = None,
) -> None:
    """Options of the next for loop of a kernel, which is one at its top level.

    ``serialize=True``, or ``parallelize=1``, runs it on one thread, in order. `block_dim` is the number of iterations of a block: on GPUs the
    threads of a block, and with `qd.simt` those that work together. ``vectorize=False`` keeps the CPU from running several iterations in one
    instruction, True makes it. `name` is the loop's name in profiles. `block_dim_adaptive` and `bit_vectorize` have no effect; Taichi has them.
    KernelTypeError for a `block_dim` that is no positive integer. On arch=qd.python they decide the numbers of threads in messages, too."""
    if block_dim is not None and (type(block_dim) is not int or not 0 < block_dim <= 1 << 20):
        raise KernelTypeError("`block_dim` is a positive integer")
    _execution.local.serial, _execution.local.block_dim = serialize, block_dim


def _atomic(name: str, what: str) -> Callable[..., Any]:
    def function(place: Any, *operands: Any) -> Any:
        raise KernelRuntimeError(f"qd.{name} works in kernels only")

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{what} As one step that no other thread divides; gives the old value. For kernels: on the host a KernelRuntimeError."
    return function


atomic_add = _atomic("atomic_add", "Adds to `place`, an element of an array or a variable.")
atomic_sub = _atomic("atomic_sub", "Subtracts from `place`, an element of an array or a variable.")
atomic_mul = _atomic("atomic_mul", "Multiplies `place`, an element of an array or a variable.")
atomic_min = _atomic("atomic_min", "Keeps the smaller of `place`, an element or a variable, and a number.")
atomic_max = _atomic("atomic_max", "Keeps the larger of `place`, an element or a variable, and a number.")
atomic_and = _atomic("atomic_and", "Bitwise and of `place`, an element or a variable of integers, with a number.")
atomic_or = _atomic("atomic_or", "Bitwise or of `place`, an element or a variable of integers, with a number.")
atomic_xor = _atomic("atomic_xor", "Bitwise exclusive or of `place`, an element or a variable of integers, with a number.")
atomic_exchange = _atomic("atomic_exchange", "Stores a number in `place`, an element or a variable.")
atomic_cas = _atomic("atomic_cas", "``atomic_cas(place, expected, new)`` stores `new` in `place`, an element or a variable, if it equals `expected`.")

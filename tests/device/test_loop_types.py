"""Loops count in the type of their bounds, those of u32 bounds in i64, and nothing wraps. Python's range is the oracle."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import qd

I64s = qd.types.ndarray(dtype=qd.i64, ndim=1)
U64s = qd.types.ndarray(dtype=qd.u64, ndim=1)
F64s = qd.types.ndarray(dtype=qd.f64, ndim=1)

LIMITS = {f"{kind}{bits}": (-(1 << bits - 1) if kind == "i" else 0, (1 << bits - (kind == "i")) - 1) for kind in "iu" for bits in (8, 16, 32, 64)}
COUNTS = {"i8": "i32", "i16": "i32", "u8": "i32", "u16": "i32", "u32": "i64"}
"""The type of a loop's counter, by the type of its bounds, where the two differ."""
MANY = 12
"""More iterations than any of these loops has."""


@functools.cache
def kernels(begin: str, end: str) -> tuple[Any, Any, Any]:
    """Loops from a bound of one type to one of another: a parallel one, a serial one, and one whose bounds are loaded."""
    a_type, b_type = getattr(qd, begin), getattr(qd, end)

    @qd.kernel
    def parallel(a: a_type, b: b_type, out: U64s) -> qd.i64:
        n = qd.i64(0)
        for i in range(a, b):
            place = qd.cast(qd.cast(i, qd.u64) - qd.cast(a, qd.u64), qd.i32)
            if place < out.shape[0]:
                out[place] = qd.cast(i, qd.u64)
            n += 1
        return n

    @qd.kernel
    def serial(a: a_type, b: b_type, out: U64s) -> qd.i64:
        n = qd.i64(0)
        for _ in range(1):
            m = 0
            for i in range(a, b):
                if m >= out.shape[0]:
                    break
                out[m] = qd.cast(i, qd.u64)
                m += 1
            n += m
        return n

    @qd.kernel
    def loaded(x: qd.types.ndarray(dtype=a_type, ndim=1), y: qd.types.ndarray(dtype=b_type, ndim=1), out: U64s) -> qd.i64:
        n = qd.i64(0)
        begin = x[0]
        end = y[0]
        for i in range(begin, end):
            place = qd.cast(qd.cast(i, qd.u64) - qd.cast(begin, qd.u64), qd.i32)
            if place < out.shape[0]:
                out[place] = qd.cast(i, qd.u64)
            n += 1
        return n

    return parallel, serial, loaded


def ranges(begin: str, end: str) -> Iterator[range]:
    """Short ranges about the places where a narrower type, or one of another sign, would wrap."""
    (low_a, high_a), (low_b, high_b) = LIMITS[begin], LIMITS[end]
    for middle in (0, 1 << 7, 1 << 8, 1 << 15, 1 << 16, 1 << 31, 1 << 32, 1 << 63, 1 << 64, -(1 << 31), -(1 << 63), -(1 << 32)):
        for a, b in ((middle - 3, middle + 2), (middle - 5, middle - 1), (middle + 1, middle + 4), (middle + 3, middle - 2), (middle, middle)):
            if low_a <= a <= high_a and low_b <= b <= high_b:
                yield range(a, b)
    yield range(high_a, low_b)  # as empty as can be


def check(kernel: Any, bounds: tuple[Any, Any], numbers: range) -> None:
    out = np.zeros(MANY, np.uint64)
    count = kernel(*bounds, out)
    assert (count, out[: len(numbers)].tolist()) == (len(numbers), [i % 2**64 for i in numbers]), numbers


@pytest.mark.parametrize("name", LIMITS)
def test_bounds_of_a_type(arch: str, name: str) -> None:
    of = getattr(qd, name).numpy
    parallel, serial, loaded = kernels(name, name)
    for numbers in ranges(name, name):
        check(parallel, (numbers.start, numbers.stop), numbers)
        check(serial, (numbers.start, numbers.stop), numbers)
        check(loaded, (np.array([numbers.start], of), np.array([numbers.stop], of)), numbers)


@pytest.mark.parametrize(
    ("begin", "end"), [("i32", "i64"), ("u32", "i32"), ("i32", "u32"), ("i64", "u64"), ("u64", "i32"), ("u32", "u64"), ("u8", "i64"), ("i8", "u32")]
)
def test_bounds_of_two_types(arch: str, begin: str, end: str) -> None:
    for kernel in kernels(begin, end)[:2]:
        for numbers in ranges(begin, end):
            if numbers and numbers.stop > LIMITS["i64"][1] and begin[0] == "i":
                continue  # an i64, in which such bounds meet, does not get there
            check(kernel, (numbers.start, numbers.stop), numbers)


@functools.cache
def told(begin: str, end: str) -> Any:
    a_type, b_type = getattr(qd, begin), getattr(qd, end)

    @qd.kernel
    def tell(a: a_type, b: b_type, out: F64s):
        for i in range(a, b):
            out[0] = i + 2147483647
            out[1] = i - 2 < 0

    return tell


@pytest.mark.parametrize("end", LIMITS)
@pytest.mark.parametrize("begin", ["i8", "i32", "u32", "i64", "u64"])
def test_type_of_the_loop_variable(arch: str, begin: str, end: str) -> None:
    types = {COUNTS.get(name, name) for name in (begin, end)}
    mixed = {name[0] for name in types} == {"i", "u"}
    counts = "i64" if mixed else max(types, key=lambda name: int(name[1:]))
    out = np.zeros(2)
    told(begin, end)(1, 2, out)
    assert out.tolist() == [-(2.0**31) if counts == "i32" else 2.0**31, float(counts[0] == "i")]


@qd.kernel
def constants(out: I64s, large: U64s):
    for i in range(2**40, 2**40 + 3):
        out[qd.cast(i - 2**40, qd.i32)] = i
    for i in range(2**31 - 2, 2**31 + 1):
        out[qd.cast(i - 2**31 + 5, qd.i32)] = i
    for i in range(-(2**63), -(2**63) + 2):
        out[qd.cast(i + 2**63 - 1, qd.i32) + 7] = i
    for i in range(2**63, 2**63 + 2):
        large[qd.cast(i - 2**63, qd.i32)] = i


def test_constants(arch: str) -> None:
    out, large = np.zeros(8, np.int64), np.zeros(2, np.uint64)
    constants(out, large)
    assert out.tolist() == [2**40, 2**40 + 1, 2**40 + 2, 2**31 - 2, 2**31 - 1, 2**31, -(2**63), -(2**63) + 1]
    assert large.tolist() == [2**63, 2**63 + 1]


@qd.kernel
def types_of_constants(n: qd.u32, m: qd.i32, out: F64s):
    qd.loop_config(serialize=True)
    for i in range(1, n):
        out[0] = i - 2 < 0
    qd.loop_config(serialize=True)
    for i in range(-1, n - 1):
        out[1] = i
    qd.loop_config(serialize=True)
    for i in range(m, 2147483649):
        out[2] = i
    qd.loop_config(serialize=True)
    for i in range(4294967293, n - 4):
        out[3] = i
    qd.loop_config(serialize=True)
    for i in range(1, 2):
        out[4] = i + 2147483647


def test_constants_take_the_type_of_the_other_bound(arch: str) -> None:
    for n, wanted in ((2, [1, 0, 2147483648, 4294967293, -2147483648]),):
        out = np.zeros(5)
        types_of_constants(n, 2147483648 - 1, out)
        assert out.tolist() == wanted


@qd.kernel
def sort(n: qd.u32, x: I64s):
    for _ in range(1):
        for i in range(1, n):
            v = x[i]
            j = i - 1
            while j >= 0 and x[j] > v:
                x[j + 1] = x[j]
                j -= 1
            x[j + 1] = v


def test_numbers_below_zero_beside_an_unsigned_bound(arch: str) -> None:
    """Numbers below zero are right, as in the peers, where such loops count in i32."""
    x = np.arange(6, 0, -1)
    sort(6, x)
    assert x.tolist() == [1, 2, 3, 4, 5, 6]


@qd.kernel
def axes(n: qd.i64, m: qd.u32, out: I64s):
    for i, j in qd.ndrange((n, n + 2), (m, m + 2)):
        place = qd.cast(2 * (i - n), qd.i32) + qd.cast(j - m, qd.i32)
        out[place] = i * 3 + qd.cast(j, qd.i64)
    for i, j in qd.ndrange((n, n + 2), (m, m + 2), axes=(1, 0)):
        place = qd.cast(2 * (i - n), qd.i32) + qd.cast(j - m, qd.i32)
        out[4 + place] = i * 3 + qd.cast(j, qd.i64)
    for k in qd.grouped(qd.ndrange((n, n + 2), (m, m + 2))):
        place = qd.cast(2 * (k[0] - n), qd.i32) + qd.cast(k[1] - m, qd.i32)
        out[8 + place] = k[0] * 3 + k[1]
    for _ in range(1):
        for k in qd.grouped(qd.ndrange((n, n + 2), (m, m + 2))):
            place = qd.cast(2 * (k[0] - n), qd.i32) + qd.cast(k[1] - m, qd.i32)
            out[12 + place] = k[0] * 3 + k[1]
        for i, j in qd.ndrange((n, n + 2), (m, m + 2)):
            place = qd.cast(2 * (i - n), qd.i32) + qd.cast(j - m, qd.i32)
            out[16 + place] = i * 3 + qd.cast(j, qd.i64)


def test_axes(arch: str) -> None:
    for n, m in ((2**40, 2**32 - 3), (-(2**40), 2**31 - 1), (5, 0), (2**31 - 1, 7)):
        out = np.zeros(20, np.int64)
        axes(n, m, out)
        wanted = [i * 3 + j for i in range(n, n + 2) for j in range(m, m + 2)]
        assert out.tolist() == wanted * 5


@qd.kernel
def changed(n: qd.i64, out: I64s):
    for i in range(n, n + 2):
        place = qd.cast(i - n, qd.i32)
        i += 2**40
        out[place] = i


def test_loop_variable_that_is_changed(arch: str) -> None:
    out = np.zeros(2, np.int64)
    changed(2**33, out)
    assert out.tolist() == [2**33 + 2**40, 2**33 + 1 + 2**40]


@qd.kernel
def elements(n: qd.i64, u: qd.u32, x: I64s, f: qd.template()):
    for i in range(n):
        x[i] += i
        f[i] += 1
    for i in range(u):
        x[i] += 10 * qd.cast(i, qd.i64)


def test_indices_of_elements(arch: str) -> None:
    x, f = np.arange(6, dtype=np.int64), qd.field(qd.i32, shape=6)
    elements(5, 4, x, f)
    assert x.tolist() == [0, 12, 24, 36, 8, 5] and f.to_numpy().tolist() == [1, 1, 1, 1, 1, 0]


@qd.func
def last_of(n):
    last = n - n
    for i in range(n, n + 3):
        if i % 4 == 3:
            break
        last = i
    return last


@qd.kernel
def called(a: qd.i64, b: qd.u32, out: I64s):
    for k in range(2):
        out[k] = last_of(a) if k == 0 else qd.cast(last_of(b), qd.i64)


def test_bounds_in_funcs(arch: str) -> None:
    out = np.zeros(2, np.int64)
    called(2**40, 2**31, out)
    assert out.tolist() == [2**40 + 2, 2**31 + 2]


@qd.kernel
def offset_loop(f: qd.template()) -> qd.i64:
    total = qd.i64(0)
    for i in f:
        f[i] += 1
        total += i
    return total


def test_field_whose_indices_go_beyond_32_bits(arch: str) -> None:
    first = 2**31 - 3
    try:
        f = qd.field(qd.i32, shape=6, offset=first)
    except ValueError:
        return  # refused where it is made
    assert offset_loop(f) == sum(range(first, first + 6))
    assert f.to_numpy().tolist() == [1] * 6


@qd.kernel
def wide_block(n: qd.i64, x: I64s):
    shared = qd.simt.block.SharedArray((32,), qd.i64)
    qd.loop_config(block_dim=32)
    for i in range(n - 64, n):
        t = qd.simt.block.thread_idx()
        shared[t] = i
        qd.simt.block.sync()
        x[qd.cast(i - (n - 64), qd.i32)] = shared[31 - t]


def test_loop_of_blocks(arch: str) -> None:
    for n in (64, 2**40, -(2**50)):
        x = np.zeros(64, np.int64)
        wide_block(n, x)
        wanted = [n - 64 + 31 - i for i in range(32)] + [n - 32 + 31 - i for i in range(32)]
        assert x.tolist() == wanted


@qd.kernel
def endless_product(n: qd.i32, x: I64s):
    for i, _j, _k in qd.ndrange(n, n, n):
        x[0] = i


@qd.kernel
def endless_range(a: qd.i64, b: qd.i64, x: I64s):
    for i in range(a, b):
        x[0] = i


def test_more_iterations_than_can_be(back_end: str) -> None:
    x = np.zeros(1, np.int64)
    for call in (lambda: endless_range(-(2**63), 2**63 - 1, x), lambda: endless_range(0, 2**62 + 1, x), lambda: endless_product(2**31 - 1, x)):
        with pytest.raises(qd.KernelRuntimeError, match="more than 2\\^62 iterations"):
            call()
            qd.sync()
    endless_range(2**62, -(2**62), x)
    endless_range(2**62 - 1, 2**62, x)
    assert x[0] == 2**62 - 1


@qd.kernel
def too_large():
    for _ in range(2**64):
        pass


def test_constant_that_fits_no_type(arch: str) -> None:
    with pytest.raises(qd.KernelTypeError, match="the integer 18446744073709551616 does not fit any type"):
        too_large()


@qd.kernel
def weights(out: qd.types.ndarray(dtype=qd.i32, ndim=4), a: qd.template(), b: qd.template(), c: qd.template(), d: qd.template()):
    for i, j, k, m in qd.ndrange((2, 2 + a), b, (1, 1 + c), d):
        out[i, j, k, m] += 1000 * i + 100 * j + 10 * k + m + 1
        out[0, 0, 0, 0] += 1


@pytest.mark.parametrize("sizes", list(itertools.product((1, 3), repeat=4)))
def test_axes_with_one_index(arch: str, sizes: tuple[int, ...]) -> None:
    a, b, c, d = sizes
    out = np.zeros((6, 4, 5, 4), np.int32)
    weights(out, *sizes)
    expected = np.zeros_like(out)
    for i, j, k, m in itertools.product(range(2, 2 + a), range(b), range(1, 1 + c), range(d)):
        expected[i, j, k, m] = 1000 * i + 100 * j + 10 * k + m + 1
    expected[0, 0, 0, 0] = a * b * c * d
    assert (out == expected).all()

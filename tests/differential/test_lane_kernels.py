"""Generated kernels in lanes against the same ones one iteration after the other, the reference device and arch=qd.python: the same numbers, bit by
bit but for NaN. Accesses beyond an array's end or before its begin end the process.

QD_LANE_KERNELS=1000 runs more kernels than the default; QD_FIRST_SEED=400 others."""

from __future__ import annotations

import ctypes
import importlib.util
import mmap
import os
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import qd
from lane_generator import EXTENTS, FLOATS, UNSIGNED, LaneGenerator, Shape

FIRST = int(os.environ.get("QD_FIRST_SEED", "0"))
SEEDS = range(FIRST, FIRST + int(os.environ.get("QD_LANE_KERNELS", "8")))
LAUNCHES = 4


def guarded(array: Any, at_end: bool) -> Any:
    """A copy between two pages that nothing may touch, right in front of the second one or right behind the first."""
    page = mmap.PAGESIZE
    inside = -(-array.nbytes // page) * page
    memory = mmap.mmap(-1, inside + 2 * page)
    begin = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    for foreign in (begin, begin + page + inside):
        assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(foreign), ctypes.c_size_t(page), 0) == 0
    offset = page + (inside - array.nbytes if at_end else 0)
    copy = np.frombuffer(memory, array.dtype, array.size, offset).reshape(array.shape)
    copy[...] = array
    return copy


def numbers(random: np.random.Generator, t: str, shape: tuple[int, ...]) -> Any:
    dtype = np.dtype({"f": "f", "i": "i", "u": "u"}[t[0]] + str(int(t[1:]) // 8))
    if t in FLOATS:
        return (random.standard_normal(shape) * 4).astype(dtype)
    return random.integers(0 if t in UNSIGNED else -100, 100, shape).astype(dtype)


def arguments(seed: int, shape: Shape, extents: tuple[int, int]) -> list[Any]:
    random = np.random.default_rng(seed)
    axes = extents[2 - shape.axes :]
    low = int(random.integers(0, min(extents) + 1)) if shape.axes == 1 else 0
    shapes = {
        "a": axes,
        "r": (*axes, shape.components),
        "p": (shape.stride * int(np.prod(axes)),),
        "g": (int(random.integers(3, 40)),),
        "h": (int(random.integers(3, 9)), 3),
        "bins": (5,),
        "best": (5,),
        "w": (3,),
    }
    arrays = [guarded(numbers(random, shape.types[name], shapes[name]), seed % 2 == 0) for name in shapes]
    return [*arrays, int(random.integers(0, 50)), low, max(low, extents[1] - int(random.integers(0, 3)))]


def module_of(path: Path, source: str, lanes: bool, extents: tuple[int, int]) -> ModuleType:
    path.write_text(f"import qd\n\nLANES, (ROWS, COLUMNS) = {lanes}, {extents}\n{source}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Runs:
    """Runs of one kernel, each in a file of its own, because sources are kept by file."""

    def __init__(self, folder: Path, seed: int, draws: bool) -> None:
        generator = LaneGenerator(seed, draws)
        self.source = generator.source()
        self.shape = generator.shape
        self.seed = seed
        self.extents = ([1, 2, 5][seed % 3], EXTENTS[seed % len(EXTENTS)] or 1)
        self.folder = folder
        self.files = 0
        self.forms: list[str] = []

    def results(self, arch: str, lanes: bool, threads: int = 2) -> list[Any]:
        qd.init(arch=arch, fast_math=False, random_seed=3, cpu_max_num_threads=threads, log_level="error")
        self.files += 1
        module = module_of(self.folder / f"kernel{self.files}.py", self.source, lanes, self.extents)
        found: list[Any] = []
        for launch in range(LAUNCHES):
            # Parameters may have other extents in each launch; fields have those of the first.
            columns = EXTENTS[(self.seed + launch) % len(EXTENTS)]
            extents = self.extents if "ROWS" in self.source else (self.extents[0], columns)
            given = arguments(self.seed * LAUNCHES + launch, self.shape, extents)
            found += [module.kernel(*given), *(argument for argument in given if isinstance(argument, np.ndarray))]
        if "ROWS" in self.source:
            found += [*module.s.to_numpy().values(), module.m.to_numpy()]
        self.forms = [form.partition(": ")[2] for form in module.kernel.launch_observations.loop_forms]
        return found

    def compare(self, expected: list[Any], found: list[Any], what: str) -> None:
        for i, (one, other) in enumerate(zip(expected, found, strict=True)):
            np.testing.assert_array_equal(other, one, err_msg=f"{what}, seed {self.seed}, result {i}\n{self.source}")


@pytest.mark.parametrize("seed", SEEDS)
def test_lanes_do_what_iterations_do_alone(tmp_path: Path, seed: int) -> None:
    runs = Runs(tmp_path, seed, draws=False)
    together = runs.results("cpu", True)
    assert [form for form in runs.forms if "as lanes of vectors" not in form] == []
    runs.compare(runs.results("cpu", False), together, "alone")
    other = ("python", "reference")[seed % 2]
    runs.compare(runs.results(other, False), together, other)


@pytest.mark.parametrize("seed", SEEDS)
def test_lanes_draw_what_iterations_draw_alone(tmp_path: Path, seed: int) -> None:
    runs = Runs(tmp_path, seed, draws=True)
    together = runs.results("cpu", True)
    runs.compare(runs.results("cpu", False), together, "alone")
    runs.compare(runs.results("cpu", True, threads=1), together, "one thread")


@pytest.mark.parametrize("order", ["ij", "ji"])
def test_lanes_at_constant_distances_and_at_one_place(order: str) -> None:
    qd.init(arch="cpu", fast_math=False, cpu_max_num_threads=1, log_level="error")
    rows, columns, n = 9, 11, 53
    x = qd.field(qd.f32, shape=(rows, columns), order=order)
    v = qd.Vector.field(2, qd.f32, shape=(rows, columns), order=order)
    last = qd.field(qd.i32, shape=(rows, columns), order=order)
    indices: Any = qd.types.ndarray(dtype=qd.i32, ndim=1)
    results: Any = qd.types.ndarray(dtype=qd.f32, ndim=1)

    @qd.kernel
    def kernel(at: indices, along: indices, out: results):  # type: ignore[no-untyped-def]
        qd.loop_config(vectorize=True)
        for i in out:
            a, b = at[i], along[i]
            if b % 3 > 0:
                out[i] = x[a, b] + 2.0 * x[a - 1, b + 1] - v[1 + a, b - 1].y + v[a - 1 + 2, b - 1].x * v[a, b].y
                if i % 5 != 4:
                    last[a - 1, 1 + b] = i + 1

    random = np.random.default_rng(1)
    at, along = random.integers(1, 3, n).astype("i4"), random.integers(1, 4, n).astype("i4")  # few places: lanes meet
    numbers, vectors = random.integers(0, 9, (rows, columns)).astype("f4"), random.integers(0, 9, (rows, columns, 2)).astype("f4")
    x.from_numpy(numbers)
    v.from_numpy(vectors)
    out = np.zeros(n, "f4")
    kernel(at, along, out)
    expected, stored = np.zeros(n, "f4"), np.zeros((rows, columns), "i4")
    for i, (a, b) in enumerate(zip(at.tolist(), along.tolist(), strict=True)):
        if b % 3 > 0:
            more = -vectors[a + 1, b - 1, 1] + vectors[a + 1, b - 1, 0] * vectors[a, b, 1]
            expected[i] = numbers[a, b] + 2 * numbers[a - 1, b + 1] + more
            if i % 5 != 4:
                stored[a - 1, b + 1] = i + 1
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(last.to_numpy(), stored)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("kind", ["one kind of change", "two kinds of change", "other elements"])
def test_extrema_of_nan_alone_leave_memory_as_it_is(dtype: str, kind: str) -> None:
    qd.init(arch="cpu", fast_math=False, cpu_max_num_threads=1, log_level="error")
    array: Any = qd.types.ndarray(dtype=getattr(qd, dtype), ndim=1)

    @qd.kernel
    def kernel(x: array, extrema: array):  # type: ignore[no-untyped-def]
        qd.loop_config(vectorize=True)
        for i in x:
            qd.atomic_min(extrema[0], x[i])
            qd.atomic_max(extrema[1], x[i])
            if qd.static(kind == "two kinds of change"):
                if i < 0:
                    extrema[0] = extrema[1] = x[i]
            if qd.static(kind == "other elements"):
                qd.atomic_min(extrema[2 + i % 3], x[i])

    real = np.dtype(f"f{int(dtype[1:]) // 8}")
    for number in (np.nan, 1.5):  # of the memory
        for numbers in (np.full(53, np.nan, real), np.where(np.arange(53) % 20 == 19, -np.arange(53), np.nan).astype(real)):
            extrema = np.full(5, number, real)
            kernel(numbers, extrema)
            expected = np.full(5, number, real)
            expected[:2] = np.fmin.reduce([number, *numbers]), np.fmax.reduce([number, *numbers])
            if kind == "other elements":
                expected[2:] = [np.fmin.reduce([number, *numbers[first::3]]) for first in range(3)]
            np.testing.assert_array_equal(extrema, expected)


@pytest.mark.parametrize("dtype", FLOATS)
def test_mathematical_functions_of_lanes(dtype: str) -> None:
    qd.init(arch="cpu", fast_math=False, cpu_max_num_threads=1, log_level="error")
    array: Any = qd.types.ndarray(dtype=getattr(qd, dtype), ndim=1)

    @qd.kernel
    def kernel(x: array):  # type: ignore[no-untyped-def]
        qd.loop_config(vectorize=True)
        for i in x:
            while x[i] > 1.0:
                x[i] = (qd.sin(x[i]) + qd.exp(-x[i]) + qd.log(x[i]) + qd.pow(x[i], 0.3) + qd.atan2(x[i], 4.0)) * 0.3

    real = np.dtype(f"f{int(dtype[1:]) // 8}")
    numbers = np.linspace(0.5, 6, 53).astype(real)
    expected = numbers.astype(float)
    while (above := expected > 1).any():
        x = expected[above]
        expected[above] = (0.3 * (np.sin(x) + np.exp(-x) + np.log(x) + x**0.3 + np.arctan2(x, 4))).astype(real)
    kernel(numbers)
    np.testing.assert_allclose(numbers, expected, rtol=100 * np.finfo(real).eps)


def test_the_last_lane_stores_to_one_place() -> None:
    qd.init(arch="cpu", cpu_max_num_threads=1, log_level="error")
    integers: Any = qd.types.ndarray(dtype=qd.i32, ndim=1)

    @qd.kernel
    def kernel(x: integers, last: integers, k: qd.i32):  # type: ignore[no-untyped-def]
        qd.loop_config(vectorize=True)
        for i in x:
            last[0] = x[i]
            if x[i] % 4 == 3:
                continue
            last[k] = i
            n = x[i]
            while n > 3:
                n -= 3
            if n == 2:
                last[k + 1] = n * i

    for length in (1, 7, 16, 53):
        x = np.random.default_rng(length).integers(1, 20, length).astype("i4")
        last, expected = np.zeros(4, "i4"), np.zeros(4, "i4")
        kernel(x, last, 2)
        for i, number in enumerate(x.tolist()):
            expected[0] = number
            if number % 4 != 3:
                expected[2] = i
                if number % 3 == 2:
                    expected[3] = 2 * i
        np.testing.assert_array_equal(last, expected)


def test_lanes_see_what_they_store_by_another_argument() -> None:
    """Arguments that are the same memory, as numbers and as vectors: stores and atomic operations that wait, loads in front of the body."""
    qd.init(arch="cpu", cpu_max_num_threads=1, log_level="error")
    vectors: Any = qd.types.ndarray(dtype=qd.types.vector(3, qd.i32), ndim=1)
    integers: Any = qd.types.ndarray(dtype=qd.i32, ndim=1)

    @qd.kernel
    def kernel(a: vectors, b: vectors, c: integers, x: integers, y: integers, out: integers):  # type: ignore[no-untyped-def]
        qd.loop_config(vectorize=True)
        for i in x:
            a[i].x = 7
            k = b[i].x + c[3 * i + 1]
            b[i].y = 3
            a[i].z += c[3 * i + 1]
            while k > 0:
                c[3 * i] += a[i].y
                b[i].z += a[i].x
                if c[3 * i + 2] % 3 == 0:
                    a[i].y += 1
                    break
                a[i] += b[i].zxy
                k -= 2
            b[i].x += k
            x[i] += 1
            y[i] += x[i]
            out[i] = x[i] * 100 + y[i] + c[3 * i]
            y[i] = y[i] % 8
            out[i] += x[i]

    for length in (1, 7, 16, 53):
        random = np.random.default_rng(length)
        whole, x = random.integers(0, 9, (length, 3)).astype("i4"), random.integers(0, 9, length).astype("i4")
        expected, expected_x, out = whole.copy(), x.copy(), np.zeros(length, "i4")
        for v in expected:
            v[0] = 7
            k = v[0] + v[1]
            v[1] = 3
            v[2] += v[1]
            while k > 0:
                v[0] += v[1]
                v[2] += v[0]
                if v[2] % 3 == 0:
                    v[1] += 1
                    break
                v += v[[2, 0, 1]]
                k -= 2
            v[0] += k
        expected_out = ((expected_x + 1) * 2) * 101 + expected[:, 0]
        expected_x = (expected_x + 1) * 2 % 8
        expected_out += expected_x
        kernel(whole, whole, whole.reshape(-1), x, x, out)
        np.testing.assert_array_equal(whole, expected)
        np.testing.assert_array_equal(x, expected_x)
        np.testing.assert_array_equal(out, expected_out)


def test_lanes_tell_similar_places_apart() -> None:
    """The indices of the iteration in another order or of shorter arrays, those of arrays of other shapes, a component at the iteration's index."""
    qd.init(arch="cpu", cpu_max_num_threads=1, log_level="error")
    x = qd.field(qd.i32, shape=(9, 11))
    wide = qd.field(qd.i32, shape=(9, 17))
    square = qd.Vector.field(20, qd.i32, shape=(20,))
    table: Any = qd.types.ndarray(dtype=qd.i32, ndim=2)
    integers: Any = qd.types.ndarray(dtype=qd.i32, ndim=1)

    @qd.real_func
    def number(k: qd.i32) -> qd.i32:
        return qd.global_thread_idx() * 10 + k  # type: ignore[no-any-return]

    @qd.kernel
    def gather(at: integers, along: integers, short: integers, out: integers):  # type: ignore[no-untyped-def]
        qd.loop_config(vectorize=True)
        for i in at:
            a, b = at[i], along[i]
            number_of_short = 0
            if i < short.shape[0]:
                number_of_short = short[i] - 7
                if b > 1:
                    number_of_short *= short[i]
            out[i] = number_of_short
            if b > 2:
                out[i] += x[a, b] + wide[a, b] * 1000
            if i < 20:
                square[i][i] += square[0][i] + number(b)

    @qd.kernel
    def transpose(x: table):  # type: ignore[no-untyped-def]
        qd.loop_config(vectorize=True)
        for i, j in x:
            x[j, i] += 10 * i + j
            if x[j, i] % 2 == 0:
                x[j, i] += x[j, i]

    random = np.random.default_rng(1)
    numbers, more = random.integers(0, 9, (9, 11)).astype("i4"), random.integers(0, 9, (9, 17)).astype("i4")
    x.from_numpy(numbers)
    wide.from_numpy(more)
    components = random.integers(0, 9, (20, 20)).astype("i4")
    square.from_numpy(components)
    at, along = random.integers(0, 9, 53).astype("i4"), random.integers(0, 11, 53).astype("i4")
    short, out = guarded(random.integers(1, 9, 21).astype("i4"), at_end=True), np.zeros(53, "i4")
    gather(at, along, short, out)
    expected = np.where(along > 2, numbers[at, along] + more[at, along] * 1000, 0)
    expected[:21] += (short - 7) * np.where(along[:21] > 1, short, 1)
    np.testing.assert_array_equal(out, expected)
    diagonal = np.arange(20)
    components[diagonal, diagonal] += components[0] + diagonal * 10 + along[:20]
    np.testing.assert_array_equal(square.to_numpy(), components)
    given = random.integers(0, 9, (17, 17)).astype("i4")
    transposed = given.copy()
    transpose(transposed)
    i, j = np.indices((17, 17))
    given += 10 * j + i
    np.testing.assert_array_equal(transposed, np.where(given % 2 == 0, 2 * given, given))


@pytest.mark.parametrize("dtype", ["i32", "u64", "f32"])
def test_lanes_that_are_not_active_change_no_reduction(dtype: str) -> None:
    qd.init(arch="cpu", fast_math=False, cpu_max_num_threads=1, log_level="error")
    array: Any = qd.types.ndarray(dtype=getattr(qd, dtype), ndim=1)
    integers: Any = qd.types.ndarray(dtype=qd.i32, ndim=1)

    @qd.kernel
    def kernel(x: array, out: array, bits: integers, k: qd.i32):  # type: ignore[no-untyped-def]
        qd.loop_config(vectorize=True)
        for i in x:
            n = i % 7
            while n > 3:
                qd.atomic_min(out[0], x[i])
                qd.atomic_max(out[k], x[i])
                qd.atomic_and(bits[0], 64 | i)
                qd.atomic_and(bits[k], 32 | i)
                n -= 2

    values = {"i32": "i4", "u64": "u8", "f32": "f4"}[dtype]
    for length in (5, 16, 53):
        x = np.random.default_rng(length).integers(10, 50, length).astype(values)
        out, bits = np.array([60, 3], values), np.array([127, 255], "i4")
        kernel(x, out, bits, 1)
        taken = np.arange(length) % 7 > 3
        assert out.tolist() == [min([60, *x[taken]]), max([3, *x[taken]])]
        each = np.arange(length, dtype="i4")[taken]
        assert bits.tolist() == [np.bitwise_and.reduce([127, *(64 | each)]), np.bitwise_and.reduce([255, *(32 | each)])]


def test_lanes_that_left_a_loop_keep_their_variables() -> None:
    """Variables that are read in the loop alone, but by lanes that come back to it: after a `continue`, or in the next turn of a loop around."""
    qd.init(arch="cpu", cpu_max_num_threads=1, log_level="error")
    integers: Any = qd.types.ndarray(dtype=qd.i32, ndim=1)

    @qd.kernel
    def kernel(x: integers, out: integers):  # type: ignore[no-untyped-def]
        qd.loop_config(vectorize=True)
        for i in x:
            last = 100
            for turn in range(3):
                out[i] += last
                n = x[i] + turn
                while n > 4:
                    last = n
                    n -= 3
            before = 7
            n = x[i]
            while n > 0:
                out[i] = out[i] * 3 + before
                n -= 1
                if n % 3 == i % 3:
                    continue
                before = n

    for length in (1, 16, 53):
        x = np.random.default_rng(length).integers(0, 12, length).astype("i4")
        out, expected = np.zeros(length, "i4"), []
        kernel(x, out)
        for i, number in enumerate(x.tolist()):
            total, last, before = 0, 100, 7
            for turn in range(3):
                total += last
                n = number + turn
                while n > 4:
                    last = n
                    n -= 3
            for n in range(number - 1, -1, -1):
                total = total * 3 + before
                if n % 3 != i % 3:
                    before = n
            expected.append(total)
        assert out.tolist() == expected


def test_lanes_have_arrays_and_sums_of_their_own() -> None:
    """Stores of one number to elements that differ from lane to lane. Sums have the numbers of lanes that the last strip does not need."""
    qd.init(arch="cpu", cpu_max_num_threads=1, log_level="error")
    integers: Any = qd.types.ndarray(dtype=qd.i32, ndim=1)

    @qd.kernel
    def kernel(x: integers, out: integers) -> qd.i32:
        total = 0
        qd.loop_config(vectorize=True)
        for i in x:
            marks, places = qd.Vector([0, 0, 0, 0]), qd.Vector([0, 0, 0, 0])
            marks[i % 4] = 1
            places[i % 4] = 3
            n = x[i]
            while n > 3:
                marks[n % 4] = 2
                n -= 5
            total += x[i]
            out[i] = marks[0] + 10 * marks[1] + 100 * marks[2] + 1000 * marks[3] + 10000 * places[x[i] % 4]
        return total

    for length in (1, 16, 35, 53):
        x = np.random.default_rng(length).integers(0, 20, length).astype("i4")
        out, expected = np.zeros(length, "i4"), []
        assert kernel(x, out) == x.sum()
        for i, number in enumerate(x.tolist()):
            marks = [int(k == i % 4) for k in range(4)]
            for n in range(number, 3, -5):
                marks[n % 4] = 2
            expected.append(sum(mark * 10**k for k, mark in enumerate(marks)) + (30000 if number % 4 == i % 4 else 0))
        assert out.tolist() == expected


@pytest.mark.parametrize("lanes", [True, False])
@pytest.mark.parametrize("arguments_of_sums", [1, 2])
def test_atomic_operations_of_threads_meet(lanes: bool, arguments_of_sums: int) -> None:
    """Iterations add to their own elements, and to those of others: by the same argument, or by another one of the same memory."""
    qd.init(arch="cpu", cpu_max_num_threads=2, log_level="error")
    integers: Any = qd.types.ndarray(dtype=qd.i32, ndim=1)

    @qd.kernel
    def kernel(x: integers, y: integers, turns: qd.i32):  # type: ignore[no-untyped-def]
        qd.loop_config(vectorize=lanes)
        for i in x:
            for k in range(turns + i % 2):
                x[i] += 1
                if qd.static(arguments_of_sums == 1):
                    x[(i + k) % x.shape[0]] += 1
                else:
                    y[(i + k) % y.shape[0]] += 1

    x = np.zeros(1024, "i4")
    for _ in range(4):
        kernel(x, x, 10000)
    assert x.sum() == 2 * 4 * (1024 * 10000 + 512)

"""Texts about how parallel loops run: several iterations at a time or one, and why, with the lines of this file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import qd

F1 = qd.types.ndarray(dtype=qd.f32, ndim=1)
F2 = qd.types.ndarray(dtype=qd.f32, ndim=2)
I1 = qd.types.ndarray(dtype=qd.i32, ndim=1)
PLAIN = "one iteration at a time, for straight code, of which LLVM makes vectors where they help"
ORDER = "an atomic operation, of which results depend on the order of iterations"
LANES = "16 iterations at a time, as lanes of vectors"


@qd.func
def shown(x):
    print("x", x)
    return x


@qd.kernel
def halved(x: F1):
    for i in x:
        while x[i] > 1.0:
            x[i] = qd.sin(x[i]) * 0.5


@qd.kernel
def several(x: F1, n: I1, wide: qd.types.ndarray(dtype=qd.f64, ndim=1)):
    for i in x:
        x[i] += 1.0
    qd.loop_config(vectorize=False)
    for i in x:
        while x[i] > 1.0:
            x[i] = qd.sin(x[i]) * 0.5
    for i in x:
        while x[i] > 1.0:
            x[i] = shown(x[i] * 0.5)
    for i in range(5):
        while x[i] > 1.0:
            x[i] = qd.sin(x[i]) * 0.5
    for i in x:
        place = qd.atomic_add(n[0], 1)
        while n[i] > place:
            n[i] //= 2
    qd.loop_config(vectorize=True)
    for i in wide:
        while wide[i] > 1.0:
            wide[i] *= 0.5


def test_forms_of_loops() -> None:
    qd.init(arch=qd.cpu)
    assert halved.launch_observations.loop_forms == ()  # nothing was launched
    x = np.zeros(20, np.float32)
    halved(x)
    first = halved._function.__code__.co_firstlineno  # type: ignore[attr-defined]
    assert halved.launch_observations.loop_forms == (f"line {first + 2}: {LANES}",)
    several(x, np.zeros(20, np.int32), np.zeros(20))
    first = several._function.__code__.co_firstlineno  # type: ignore[attr-defined]
    print_line = shown._function.__code__.co_firstlineno + 2  # type: ignore[attr-defined]
    assert several.launch_observations.loop_forms == (
        f"line {first + 2}: {PLAIN}",
        f"line {first + 5}: one iteration at a time, for vectorize=False",
        f"line {first + 8}: one iteration at a time, for a print (line {print_line} of shown)",
        f"line {first + 11}: one iteration at a time, for fewer iterations than a vector has numbers",
        f"line {first + 14}: one iteration at a time, for {ORDER} (line {first + 15})",
        # A short loop, whose turns wait for each other: two of the longest vectors.
        f"line {first + 19}: {16 if 'avx512vl' in Path('/proc/cpuinfo').read_text() else 8} iterations at a time, as lanes of vectors",
    )


@qd.kernel
def inner_loops(x: F2, y: F1, n: I1):
    for i in y:  # sums and the like, of which LLVM makes vectors
        total, least, place, kept = 0.0, 0.0, 0, 0.0
        for k in range(x.shape[1]):
            kept = x[i, k] * 2.0
            total += kept + 1.0
            total -= x[i, k]
            least = qd.min(least, kept + place)
            place += 2
        y[i] = total + least
    for i in n:  # the next number is made of the one before
        h = i
        for k in range(64):
            h = (h ^ k) * 16777619
        n[i] = h
    for i in y:  # so is a factor that doubles
        total, factor = 0.0, 1.0
        for k in range(64):
            total += factor * k
            factor *= 2.0
        y[i] = total
    for i in y:  # and a difference whose sign changes
        total = 0.0
        for k in range(64):
            total = k - total
        y[i] = total
    for i in y:  # and a sum that is read
        total, other = 0.0, 0.0
        for k in range(64):
            total += k
            other += total * total
        y[i] = other


def test_inner_loops_of_which_vectors_are_made() -> None:
    qd.init(arch=qd.cpu)
    x = np.random.default_rng(1).random((32, 50), np.float32)
    y, n = np.zeros(32, np.float32), np.zeros(32, np.int32)
    inner_loops(x, y, n)
    ends = [form.split(": ", 1)[1] for form in inner_loops.launch_observations.loop_forms]
    assert ends[0].startswith("one iteration at a time, for an estimate of")
    assert ends[1:] == [LANES] * 4
    expected = np.arange(32, dtype=np.int32)
    for k in range(64):
        expected = (expected ^ k) * np.int32(16777619)
    np.testing.assert_array_equal(n, expected)
    np.testing.assert_allclose(y, sum(float(k * (k + 1) // 2) ** 2 for k in range(64)), rtol=1e-5)


def test_other_devices_tell_nothing() -> None:
    qd.init(arch="reference")
    halved(np.zeros(20, np.float32))
    assert halved.launch_observations.loop_forms == ()


@qd.kernel
def near(x: F1, cells: I1, starts: I1, y: F1):
    for i in x:
        c = cells[i]
        total = 0.0
        for a in qd.static(range(5)):
            for k in range(starts[c + a], starts[c + a + 1]):
                if qd.abs(x[i] - x[k]) < 0.5:
                    total += x[k]
        y[i] = total


def test_loops_side_by_side_are_short() -> None:
    """Vectors of short loops are mostly empty. Lanes pay where gathers are fast, and the other way round."""
    qd.init(arch=qd.cpu)
    random = np.random.default_rng(1)
    n, cells = 200, 60
    counts = random.integers(0, 6, cells)
    starts = np.concatenate([[0], np.minimum(np.cumsum(counts), n)]).astype("i4")
    x, y, cell = random.random(n, np.float32), np.zeros(n, np.float32), random.integers(0, cells - 4, n).astype("i4")
    near(x, cell, starts, y)
    processor = Path("/proc/cpuinfo").read_text()
    form = near.launch_observations.loop_forms[0].split(": ", 1)[1]
    if "avx512vl" in processor and "AuthenticAMD" not in processor:
        assert form == LANES
    else:
        assert form.startswith("one iteration at a time, for an estimate of")
    expected = [sum(e for e in x[starts[c] : starts[c + 5]] if abs(x[i] - e) < 0.5) for i, c in enumerate(cell)]
    np.testing.assert_allclose(y, expected, rtol=1e-5)

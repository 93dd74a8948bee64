"""Loops of which both forms are timed: each launch gives the same bits, whichever form it runs."""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

SIDE = 200
HAS_FMA = platform.machine() != "x86_64" or (
    " fma" in Path("/proc/cpuinfo").read_text() and "fma" not in os.environ.get("QD_WITHOUT_CPU_FEATURES", "")
)
Reals = qd.types.NDArray[qd.f32, 2]
Planes = qd.types.NDArray[qd.f32, 3]
Integers = qd.types.NDArray[qd.i32, 2]
Rows = qd.types.NDArray[qd.i32, 1]

WEIGHTS = [4 / 9, *[1 / 9] * 4, *[1 / 36] * 4]
ALONG = [0, 1, 0, -1, 0, 1, -1, -1, 1]
ACROSS = [0, 0, 1, 0, -1, 1, 1, -1, -1]


@qd.kernel
def lattice_boltzmann(f: Planes, g: Planes):  # type: ignore[no-untyped-def]
    for i, j in qd.ndrange(g.shape[1], g.shape[2]):
        rows, columns = g.shape[1], g.shape[2]
        density, x, y = 0.0, 0.0, 0.0
        here = qd.Vector([0.0] * 9)
        for k in qd.static(range(9)):
            here[k] = f[k, (i - ACROSS[k] + rows) % rows, (j - ALONG[k] + columns) % columns]
            density += here[k]
            x += here[k] * ALONG[k]
            y += here[k] * ACROSS[k]
        x /= density
        y /= density
        for k in qd.static(range(9)):
            along = ALONG[k] * x + ACROSS[k] * y
            even = WEIGHTS[k] * density * (1.0 + 3.0 * along + 4.5 * along * along - 1.5 * (x * x + y * y))
            g[k, i, j] = here[k] + 0.6 * (even - here[k])


@qd.kernel
def turn(x: Reals, y: Reals, cosine: qd.f32, sine: qd.f32):  # type: ignore[no-untyped-def]
    for i, j in y:
        u = qd.max(0.0, qd.min(cosine * i - sine * j + 3.3, x.shape[0] - 2.0))
        v = qd.max(0.0, qd.min(sine * i + cosine * j + 1.7, x.shape[1] - 2.0))
        a, b = qd.cast(qd.floor(u), qd.i32), qd.cast(qd.floor(v), qd.i32)
        du, dv = u - a, v - b
        y[i, j] = (x[a, b] * (1 - dv) + x[a, b + 1] * dv) * (1 - du) + (x[a + 1, b] * (1 - dv) + x[a + 1, b + 1] * dv) * du


@qd.kernel
def upwind(x: Reals, u: Reals, v: Reals, y: Reals, h: qd.f32):  # type: ignore[no-untyped-def]
    for i, j in qd.ndrange((1, x.shape[0] - 1), (1, x.shape[1] - 1)):
        change = 0.0
        if u[i, j] > 0:
            change += u[i, j] * (x[i, j] - x[i - 1, j]) / h
        else:
            change += u[i, j] * (x[i + 1, j] - x[i, j]) / h
        if v[i, j] > 0:
            change += v[i, j] * (x[i, j] - x[i, j - 1]) / h
        else:
            change += v[i, j] * (x[i, j + 1] - x[i, j]) / h
        y[i, j] = x[i, j] - 0.1 * change


@qd.kernel
def relax(x: Reals, b: Reals, y: Reals):  # type: ignore[no-untyped-def]
    for i, j in qd.ndrange((1, x.shape[0] - 1), (1, x.shape[1] - 1)):
        if (i + j) % 2 == 1:
            y[i, j] = 0.25 * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1] - b[i, j]) / 3.0


@qd.kernel
def life(x: Integers, y: Integers):  # type: ignore[no-untyped-def]
    for i, j in y:
        near = 0
        for a, b in qd.static(qd.ndrange((-1, 2), (-1, 2))):
            near += x[(i + a + x.shape[0]) % x.shape[0], (j + b + x.shape[1]) % x.shape[1]]
        y[i, j] = 1 if near == 3 or (near == 4 and x[i, j] == 1) else 0


@qd.kernel
def rows_of(x: Reals, at: Rows, y: Reals):  # type: ignore[no-untyped-def]
    for i, j in y:
        y[i, j] = x[at[i], j] * 2.0 + x[i, j]


@qd.kernel
def functions(x: Reals, at: Rows, y: Reals):  # type: ignore[no-untyped-def]
    for i, j in y:
        y[i, j] = qd.exp(-x[at[i], at[j]]) * qd.sin(x[i, j]) + qd.atan2(x[j, i], x[i, j])


def numbers(*shape: int) -> Any:
    return np.random.default_rng(1).random(shape).astype("f4") + np.float32(0.1)


def bits(shape: tuple[int, int]) -> Any:
    return (numbers(*shape) < 0.5).astype("i4")


CASES: dict[str, tuple[Any, Any]] = {
    "lattice_boltzmann": (lattice_boltzmann, lambda: [numbers(9, SIDE, SIDE), numbers(9, SIDE, SIDE) * 0]),
    "turn": (turn, lambda: [numbers(SIDE, SIDE), numbers(SIDE, SIDE), 0.9, 0.3]),
    "upwind": (upwind, lambda: [*(numbers(3, SIDE, SIDE) - np.float32(0.5)), numbers(SIDE, SIDE), 0.3]),
    "relax": (relax, lambda: [*numbers(2, SIDE, SIDE), numbers(SIDE, SIDE)]),
    "life": (life, lambda: [bits((SIDE, SIDE)), bits((SIDE, SIDE))]),
    "rows_of": (rows_of, lambda: [numbers(SIDE, SIDE), np.arange(SIDE, dtype="i4")[::-1].copy(), numbers(SIDE, SIDE)]),
    "functions": (functions, lambda: [numbers(SIDE, SIDE), np.arange(SIDE, dtype="i4")[::-1].copy(), numbers(SIDE, SIDE)]),
}


def form(kernel: Any) -> str:
    return str(kernel.launch_observations.loop_forms[0])


@pytest.mark.parametrize("fast_math", [True, False])
@pytest.mark.parametrize("case", CASES)
def test_launches_of_both_forms_give_the_same_bits(case: str, fast_math: bool) -> None:
    qd.init(arch=qd.cpu, fast_math=fast_math, cpu_max_num_threads=2, log_level="error")
    if case == "functions" and not HAS_FMA:
        pytest.skip("mathematical functions are others in vectors, without the instructions of FMA")
    kernel, make = CASES[case]
    arguments = make()
    kernel(*arguments)
    expected = [argument.tobytes() for argument in arguments if isinstance(argument, np.ndarray)]
    assert form(kernel).endswith(", until both forms are timed")
    launches, end = 0, time.monotonic() + 60
    while "which took" not in form(kernel):
        assert time.monotonic() < end, form(kernel)
        kernel(*arguments)
        assert [argument.tobytes() for argument in arguments if isinstance(argument, np.ndarray)] == expected
        launches += 1
    assert launches > 8

"""Numbers: every operator on operands of every type and on constants gives the same on all architectures; constants are exact."""

from __future__ import annotations

import itertools
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd

sys.path.insert(0, str(Path(__file__).parent))
import number_sweep as sweep

DEFAULTS = [(qd.i32, qd.f32), (qd.i64, qd.f64)]


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("QD_OFFLINE_CACHE", "0")
    return tmp_path


def on_two(back_end: str, defaults: Any, call: Any) -> list[Any]:
    results = []
    for name in (back_end, "python"):
        qd.init(arch=name, log_level="error", fast_math=False, cpu_max_num_threads=1, default_ip=defaults[0], default_fp=defaults[1])
        results.append(call())
    return results


@pytest.mark.parametrize("left", sweep.TYPES)
def test_operators_on_all_types(back_end: str, scratch: Path, left: str) -> None:
    kernels, source = [], ""
    for right in sweep.TYPES:
        floats = sweep.is_float(left) or sweep.is_float(right)
        pairs = list(itertools.product(sweep.edges(left), sweep.edges(right)))
        rows, masks = [], []
        for operator in sweep.part_of_operators(left, right):
            real = (floats or operator == "/") and operator not in sweep.CONDITIONS[:6]
            rows.append((sweep.joined(operator, "a", "b"), real))
            masks.append(np.array([sweep.defined(operator, a, b, left, floats) for a, b in pairs]))
        x, y = (np.array(values, sweep.dtype_of(name)) for values, name in zip(zip(*pairs), (left, right)))
        source += sweep.kernel_source(f"with_{right}", rows, left, right) + "\n\n"
        kernels.append((f"with_{right}", rows, masks, x, y))
    module = sweep.module_of(scratch / f"operators_{left}.py", source)

    def run() -> list[Any]:
        return [sweep.values_of(module[name], len(rows), x, y) for name, rows, _, x, y in kernels]

    wrong = []
    for (name, rows, masks, x, y), *results in zip(kernels, *on_two(back_end, DEFAULTS[0], run)):
        wrong += [f"{left} {name}: {text}" for text in sweep.differences([text for text, _ in rows], masks, x, y, results)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("defaults", DEFAULTS, ids=["i32 f32", "i64 f64"])
@pytest.mark.parametrize("name", sweep.TYPES)
def test_operators_on_constants(back_end: str, scratch: Path, name: str, defaults: Any) -> None:
    values = sweep.edges(name)
    rows, masks = [], []
    other_half = (list(sweep.TYPES).index(name) + DEFAULTS.index(defaults)) % 2  # a type has each constant with one of the defaults
    for constant in sweep.CONSTANTS[::3] if "QD_TEST_BACK_ENDS" in os.environ else sweep.CONSTANTS[other_half::2]:
        known = eval(constant)
        float_constant = isinstance(known, float)
        floats = sweep.is_float(name) or float_constant
        for number, operator in enumerate(sweep.operators("f64" if float_constant else "i64", name)):
            # Each constant is on both sides of each operator, on the left for every other type.
            swapped = (number + list(sweep.TYPES).index(name)) % 2 == 1 and operator not in ("<<", ">>")
            if operator in ("<<", ">>") and not 0 <= known < 8:
                continue
            if operator == "**" and not (-3 <= known <= 3):
                continue
            real = (floats or operator == "/") and operator not in sweep.CONDITIONS[:6]
            operands = (constant, "a") if swapped else ("a", constant)
            rows.append((sweep.joined(operator, *operands), real))
            masks.append(np.array([sweep.defined(operator, *((known, a) if swapped else (a, known)), name, floats) for a in values]))
        for function in ("-{}", "~{}", "abs({})", "not {}", "{} if {} else 2**40", "int({})", "float({})", "round({})"):
            if not (function == "~{}" and sweep.is_float(name)) and constant in ("1", "-1"):
                rows.append((function.format("a", "a"), sweep.is_float(name) or function.startswith("float")))
                masks.append(np.ones(len(values), bool))
    source = sweep.kernel_source("of_constants", rows, name, name)
    module = sweep.module_of(scratch / f"constants_{name}_{defaults[0].name}.py", source)
    x = np.array(values, sweep.dtype_of(name))
    results = on_two(back_end, defaults, lambda: sweep.values_of(module["of_constants"], len(rows), x, x))
    wrong = list(sweep.differences([text for text, _ in rows], masks, x, x, results))
    assert not wrong, "\n".join(wrong)


def test_constants_are_exact(arch: str, scratch: Path) -> None:
    whole = sweep.constants_of_python(150, 1, floats=False)
    real = sweep.constants_of_python(150, 2, floats=True)
    lines = ["@qd.kernel", "def exact(i: qd.types.ndarray(qd.i64, 2), u: qd.types.ndarray(qd.u64, 2), f: qd.types.ndarray(qd.f64, 2)):"]
    for row, (text, value) in enumerate(whole):
        array, dtype = ("u", "qd.u64") if value >= 1 << 63 else ("i", "qd.i64")
        lines += [f"    {array}[{row}, 0] = {dtype}({text})", f"    {array}[{row}, 1] = qd.static({text})"]
    for row, (text, _) in enumerate(real):
        lines += [f"    f[{row}, 0] = qd.f64({text})", f"    f[{row}, 1] = qd.static({text})"]
    module = sweep.module_of(scratch / "exact.py", "\n".join(lines) + "\n")
    i, u, f = (np.zeros((150, 2), dtype) for dtype in (np.int64, np.uint64, np.float64))
    module["exact"](i, u, f)
    wrong = [text for (text, value), got, large in zip(whole, i, u) if any(int(n) != value for n in (large if value >= 1 << 63 else got))]
    wrong += [text for (text, value), got in zip(real, f) if any(float(n) != value for n in got)]
    assert not wrong, "\n".join(wrong)


EXTREMA = """import qd

@qd.kernel
def extrema(x: qd.types.ndarray({type}, 1), y: qd.types.ndarray({type}, 1), out: qd.types.ndarray({type}, 2)):
    for i in x:
        a, b = x[i], y[i]
        out[i, 0] = min(a, b)
        out[i, 1] = max(a, b)
        out[i, 2] = min(b, 3.0, a)
        out[i, 3] = qd.max(float("nan"), a)
        v = qd.Vector([a, b, a])
        out[i, 4] = v.min()
        out[i, 5] = v.max()
        out[i, 6] = qd.min(v, b)[0]
        out[i, 7] = a
        out[i, 8] = a
        qd.atomic_min(out[i, 7], b)
        qd.atomic_max(out[i, 8], b)
"""


@pytest.mark.parametrize("name", ["f32", "f64"])
def test_extrema_leave_out_nan(back_end: str, scratch: Path, name: str) -> None:
    module = sweep.module_of(scratch / f"extrema_{name}.py", EXTREMA.format(type=f"qd.{name}"))
    numbers = [np.nan, 1.0, -2.0, np.inf, -np.inf]
    x, y = (np.array(values, sweep.dtype_of(name)) for values in zip(*itertools.product(numbers, numbers)))

    def run() -> Any:
        out = np.zeros((len(x), 9), x.dtype)
        module["extrema"](x, y, out)
        return out

    least, most = np.fmin(x, y), np.fmax(x, y)
    expected = np.stack([least, most, np.fmin(least, 3.0), x, least, most, least, least, most], 1)
    for result in on_two(back_end, DEFAULTS[0], run):
        np.testing.assert_array_equal(result, expected)

"""Reverse mode and forward mode of automatic differentiation, on every kernel of the files kernels_for_gradients*.py."""

from __future__ import annotations

import inspect
from typing import Any

import gradient_fields as f
import kernels_for_derivatives as others
import numpy as np
import pytest
import qd
from gradient_cases import CASES, Case
from gradient_checks import Launch, agree, start


def start_program(back_end: str, real: Any = qd.f64) -> None:
    """A fresh program with fields of this type."""
    qd.init(arch=back_end, log_level="error", fast_math=False, default_fp=qd.f64 if real == qd.f64 else qd.f32)
    f.place(real)


@pytest.fixture
def runtime(back_end: str) -> None:
    start_program(back_end)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_gradients_are_derivatives(runtime: None, case: Case) -> None:
    launch = Launch(case.kernel, case.arguments)
    for seed in range(3):
        x, v, w = start(seed)
        duals, gradients = launch.forward(x, v), launch.reverse(x, w)
        if case.name != "stopped":
            expected = launch.quotient(x, v)
            for name in x:
                np.testing.assert_allclose(duals[name], expected[name], rtol=1e-6, atol=1e-6, err_msg=name)
        assert agree(duals, w, gradients, v), launch.wrong_elements(x, w, gradients)


def test_narrow_floats(back_end: str) -> None:
    cases = CASES[::6]
    found = []
    for kind in (qd.f64, qd.f32, qd.f16):
        start_program(back_end, kind)
        x, _, w = start(5)
        found.append({case.name: Launch(case.kernel, case.arguments).reverse(x, w) for case in cases})
    wide, *narrow = found
    for gradients, tolerance in zip(narrow, (1e-4, 2e-2), strict=True):
        for case in cases:
            for name in x:
                got, want = gradients[case.name][name], wide[case.name][name]
                np.testing.assert_allclose(got, want, rtol=tolerance, atol=tolerance, err_msg=f"{case.name}: {name}, to {tolerance}")


@pytest.mark.parametrize(
    ("kernel", "text", "what"),
    [
        (others.largest, "atomic_max", "`atomic_max`"),
        (others.calls_itself, "recursive(", "the func calls itself"),
    ],
    ids=lambda case: getattr(case, "__name__", None),
)
def test_an_operation_without_a_gradient_is_an_error(back_end: str, kernel: Any, text: str, what: str) -> None:
    others.place(qd.f64)
    kernel(1)
    with pytest.raises(qd.KernelCompilationError) as raised:
        kernel._in_mode("reverse", (1,), {})
    lines, first = inspect.getsourcelines(kernel._function)
    line = first + next(i for i, each in enumerate(lines) if text in each)
    assert what in str(raised.value)
    assert f":{line}:" in str(raised.value)
    kernel(1)  # the primal goes on

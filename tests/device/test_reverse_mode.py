"""Reverse mode and forward mode of automatic differentiation, on every kernel of the files kernels_for_gradients*.py."""

from __future__ import annotations

import gradient_fields as f
import numpy as np
import pytest
import qd
from gradient_cases import CASES, Case
from gradient_checks import Launch, agree, start


@pytest.fixture
def runtime(back_end: str) -> None:
    qd.init(arch=back_end, log_level="error", fast_math=False, default_fp=qd.f64)
    f.place(qd.f64)


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

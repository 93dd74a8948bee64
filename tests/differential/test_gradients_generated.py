"""Gradients of generated kernels against forward mode, exactly, and against finite differences.

QD_GRADIENT_KERNELS=5000 runs more kernels than the default; QD_FIRST_SEED=400 others. A difference quotient says nothing where two of them, with
different steps, disagree: there is a branch, or another kink, nearby."""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import qd
from gradient_generator import GradientGenerator

sys.path.insert(0, str(Path(__file__).parents[1] / "device"))
import gradient_fields as f
from gradient_checks import Launch, agree, start

KERNELS_A_FILE = 10
FIRST = int(os.environ.get("QD_FIRST_SEED", "0"))
SEEDS = range(FIRST, FIRST + -(-int(os.environ.get("QD_GRADIENT_KERNELS", "30")) // KERNELS_A_FILE))


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def text_of(name: str, source: str) -> str:
    """The kernel, and the funcs before it."""
    return "\n\n".join(part for part in re.split(r"\n\n+", source) if f"def {name}()" in part or "@qd.func" in part)


def problem(launch: Launch, seed: int) -> str:
    """What is wrong with the derivatives; empty: nothing. "?" if finite differences say nothing."""
    x, v, w = start(seed)
    duals, gradients = launch.forward(x, v), launch.reverse(x, w)
    if not agree(duals, w, gradients, v):
        return launch.wrong_elements(x, w, gradients) or "gradients and duals differ"
    coarse, fine = (launch.quotient(x, v, step) for step in (1e-5, 1e-6))
    if not all(np.allclose(coarse[name], fine[name], rtol=1e-5, atol=1e-6) for name in x):
        return "?"
    return "\n".join(f"dual of {name}" for name in x if not np.allclose(duals[name], fine[name], rtol=1e-5, atol=1e-6))


@pytest.mark.parametrize("seed", SEEDS)
def test_gradients_are_derivatives(back_end: str, tmp_path: Path, seed: int) -> None:
    path = tmp_path / f"generated_{seed}.py"
    path.write_text(GradientGenerator(seed).source(KERNELS_A_FILE))
    qd.init(arch=back_end, log_level="error", fast_math=False, default_fp=qd.f64)
    f.place(qd.f64)
    module = load(path)
    found = {name: problem(Launch(getattr(module, name)), seed) for name in (f"k{number}" for number in range(KERNELS_A_FILE))}
    wrong = [f"{what}\n{text_of(name, path.read_text())}" for name, what in found.items() if what.strip("?")]
    assert wrong == [], "\n\n".join(wrong)
    assert [*found.values()].count("") >= KERNELS_A_FILE // 2

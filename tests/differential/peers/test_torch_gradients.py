"""Gradients of functions are those of torch. Needs torch, which `ci/setup --peers` installs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from implementations import PEERS_PYTHON

HEAD = """import qd
import torch

qd.init(arch=qd.{arch}, log_level="error", default_fp=qd.f64, fast_math=False)
Array = qd.types.ndarray(dtype=qd.f64, ndim=1)
N = 6


def compare(name, kernel, function):
    x, y = ((torch.arange(N, dtype=torch.float64) * step + start).requires_grad_() for step, start in ((0.13, 0.13), (-0.017, 0.11)))
    weights = torch.arange(N, dtype=torch.float64) - 2.5
    z = torch.zeros(N, dtype=torch.float64, requires_grad=True)
    kernel(x, y, z)
    z.grad = weights.clone()
    kernel.grad(x, y, z)
    expected = function(x, y)
    wanted = torch.autograd.grad(expected, (x, y), weights, allow_unused=True)
    pairs = [(z, expected), *((tensor.grad, torch.zeros(N) if want is None else want) for tensor, want in zip((x, y), wanted))]
    for got, want in pairs:
        if not torch.allclose(got, want.to(torch.float64), rtol=1e-12, atol=1e-13):
            print(f"{{name}}: {{got.tolist()}} instead of {{want.tolist()}}")
"""

KERNEL = """

@qd.kernel
def k{number}(x: Array, y: Array, z: Array):
    for i in x:
        z[i] = {ours}


compare({name!r}, k{number}, lambda x, y: {theirs})
"""

SAME = (
    "x / y - y / x", "x * x * y", "x ** 3 + y ** -1.5", "x ** y", "2.0 ** x", "abs(x - 0.4) * y", "x % y",
    "T.sqrt(x * y)", "T.rsqrt(x)", "T.exp(x * y)", "T.log(x)", "T.sin(x) * T.cos(y)", "T.tan(x)", "T.asin(x)", "T.acos(y)", "T.atan2(x, y)",
    "T.sinh(x)", "T.cosh(y)", "T.tanh(x * 3.0)", "T.floor(x * 3.0) * x + T.ceil(y * 9.0)", "T.tanh(T.exp(T.sin(x)) / T.sqrt(y))",
)  # fmt: skip
"""Functions that both write alike, with T for qd and for torch."""

FUNCTIONS = {text: (re.sub(r"\b[xy]\b", r"\g<0>[i]", text).replace("T.", "qd."), text.replace("T.", "torch.")) for text in SAME} | {
    "min, max": ("qd.min(x[i], 0.4) * qd.max(x[i], y[i])", "torch.clamp(x, max=0.4) * torch.maximum(x, y)"),
    "select": ("qd.select(x[i] > 0.4, x[i] * y[i], y[i])", "torch.where(x > 0.4, x * y, y)"),
    "clamp": ("qd.math.clamp(x[i], 0.2, 0.6)", "torch.clamp(x, 0.2, 0.6)"),
    "norm": ("qd.Vector([x[i], y[i], 1.0]).norm()", "torch.stack([x, y, torch.ones_like(x)]).norm(dim=0)"),
    "inverse": (
        "qd.Matrix([[x[i] + 1.0, y[i]], [0.5, 2.0]]).inverse().sum()",
        "torch.stack([x + 1, y, torch.full_like(x, 0.5), torch.full_like(x, 2)], 1).reshape(N, 2, 2).inverse().sum((1, 2))",
    ),
}


@pytest.mark.skipif(not os.environ.get("QD_PEERS"), reason="needs torch: QD_PEERS=1, after ci/setup --peers")
def test_gradients_are_those_of_torch(back_end_name: str, tmp_path: Path) -> None:
    kernels = [KERNEL.format(number=number, name=name, ours=ours, theirs=theirs) for number, (name, (ours, theirs)) in enumerate(FUNCTIONS.items())]
    (tmp_path / "program.py").write_text(HEAD.format(arch=back_end_name) + "".join(kernels))
    result = subprocess.run([str(PEERS_PYTHON), "program.py"], cwd=tmp_path, check=False, capture_output=True, text=True, timeout=300)
    assert (result.returncode, result.stdout) == (0, ""), result.stderr[-2000:]

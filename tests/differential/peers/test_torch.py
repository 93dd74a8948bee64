"""torch tensors: kernels work in their memory, and arrays go to and fro. Needs torch, which `ci/setup --peers` installs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from implementations import PEERS_PYTHON

PROGRAM = """
import numpy as np
import qd
import torch

qd.init(arch=qd.{arch}, log_level="error")


@qd.kernel
def add(x: qd.types.ndarray(dtype=qd.f32, ndim=2), n: qd.f32):
    for I in qd.grouped(x):
        x[I] += n


@qd.kernel
def add_vectors(x: qd.types.ndarray(dtype=qd.math.vec3, ndim=1)):
    for i in x:
        x[i] += qd.math.vec3(1, 2, 3)


plain, turned, trained, vectors = torch.zeros(2, 3), torch.zeros(3, 2).T, torch.zeros(2, 3, requires_grad=True), torch.zeros(2, 3)
for tensor in (plain, turned, trained):
    add(tensor, 2.0)
    assert (tensor == 2).all(), tensor
add_vectors(vectors)
assert vectors.tolist() == [[1, 2, 3], [1, 2, 3]]

for array in (qd.field(qd.f32, (2, 3)), qd.ndarray(qd.f32, (2, 3)), qd.Vector.field(3, qd.f32, 2), qd.Vector.ndarray(3, qd.f32, 2)):
    array.from_torch(plain + 1)
    assert (array.to_torch() == 3).all() and array.to_torch().shape == (2, 3)
    same = torch.from_dlpack(array)
    same[0, 0] = 7
    assert array.to_numpy()[0, 0] == 7
    assert torch.utils.dlpack.from_dlpack(array.to_dlpack())[0, 0] == 7

for wrong, text in (
    (torch.zeros(2, 3, dtype=torch.int32), "got i32 ndarray"),
    (torch.zeros(2, 6)[:, ::2], "not contiguous"),
    (torch.zeros(2, 3, dtype=torch.bfloat16), "BFloat16"),
    (torch.zeros(2, 3, device="meta"), "meta"),
):
    try:
        add(wrong, 1.0)
    except (ValueError, TypeError) as error:
        assert text in str(error), error
    else:
        raise AssertionError(text)
print("done")
"""


GRADIENTS = """
import qd
import torch

qd.init(arch=qd.cpu, log_level="error")


@qd.kernel
def square(x: qd.types.ndarray(dtype=qd.f64, ndim=1), y: qd.types.ndarray(dtype=qd.f64, ndim=1)):
    for i in x:
        y[i] = x[i] * x[i]


@qd.kernel
def add_up(x: qd.types.ndarray(dtype=qd.f64, ndim=1), loss: qd.types.ndarray(dtype=qd.f64, ndim=1)):
    for i in x:
        loss[0] += x[i]


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.empty_like(x)
        square(x, y)
        ctx.save_for_backward(x)
        return y

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        x, y = x.detach().requires_grad_(), torch.empty_like(x).requires_grad_()
        y.grad = gradient.contiguous()
        square.grad(x, y)
        return x.grad


x = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64, requires_grad=True)
assert torch.autograd.gradcheck(Square.apply, (x,))
(3 * Square.apply(2 * x)).sum().backward()
assert x.grad.tolist() == [24, 48, 72], x.grad

x.grad = None
y, loss = torch.zeros(3, dtype=torch.float64, requires_grad=True), torch.zeros(1, dtype=torch.float64, requires_grad=True)
for turn in (1, 2):
    loss.data.fill_(100)
    y.grad = None
    with qd.ad.Tape(loss=loss):
        square(x, y)
        add_up(y, loss)
    assert loss.item() == 14 and x.grad.tolist() == [2 * turn, 4 * turn, 6 * turn], x.grad
constant = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
with qd.ad.Tape(loss=loss):
    square(constant, y)
    add_up(y, loss)
assert constant.grad is None
for wrong, text in (
    (torch.zeros(2, requires_grad=True), "only contains one element"),
    (torch.zeros(1), "Gradients of loss are not allocated, please set requires_grad=True"),
):
    try:
        with qd.ad.Tape(loss=wrong):
            raise AssertionError("entered")
    except RuntimeError as error:
        assert text in str(error), error
print("done")
"""


@pytest.mark.skipif(not os.environ.get("QD_PEERS"), reason="needs torch: QD_PEERS=1, after ci/setup --peers")
def test_gradients_of_torch_tensors(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(GRADIENTS)
    result = subprocess.run([str(PEERS_PYTHON), "program.py"], cwd=tmp_path, check=False, capture_output=True, text=True, timeout=300)
    assert (result.returncode, result.stdout) == (0, "done\n"), result.stderr[-2000:]


@pytest.mark.skipif(not os.environ.get("QD_PEERS"), reason="needs torch: QD_PEERS=1, after ci/setup --peers")
@pytest.mark.parametrize("arch", ["cpu", "python"])
def test_torch_tensors(tmp_path: Path, arch: str) -> None:
    (tmp_path / "program.py").write_text(PROGRAM.replace("{arch}", arch))
    result = subprocess.run([str(PEERS_PYTHON), "program.py"], cwd=tmp_path, check=False, capture_output=True, text=True, timeout=300)
    assert (result.returncode, result.stdout) == (0, "done\n"), result.stderr[-2000:]

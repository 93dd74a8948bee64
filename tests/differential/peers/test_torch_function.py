"""Kernels as functions of torch's autograd, checked by torch's finite differences. Needs torch, which `ci/setup --peers` installs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from implementations import PEERS_PYTHON

PROGRAM = """
import qd
import torch

qd.init(arch=qd.{arch}, log_level="error", default_fp=qd.f64, fast_math=False)
Array = qd.types.ndarray(dtype=qd.f64, ndim=1)
loss, scale = (qd.field(qd.f64, (), needs_grad=True) for _ in range(2))
scale.fill(3)
Integers = qd.types.ndarray(dtype=qd.i32, ndim=1)


@qd.kernel
def mix(x: Array, y: Array, by: qd.f64, p: Array, q: Array):
    for i in x:
        p[i] = qd.sin(x[i]) * y[i] * by
        q[0] += x[i] * y[i] ** 2


@qd.kernel
def chain(x: Array, square: Array, cube: Array):
    for i in x:
        square[i] = x[i] * x[i]
    for i in x:
        cube[i] = square[i] * x[i]


@qd.kernel
def shift(x: Array, n: Integers, y: Array, next: Integers):
    for i in x:
        y[i] = x[i] * n[i]
        next[i] = n[i] + 1


@qd.kernel
def add_loss(x: Array, y: Array):
    for i in x:
        y[i] = x[i] * x[i]
        loss[None] += scale[None]


@qd.kernel
def with_result(x: Array, y: Array) -> qd.i32:
    return 3


def raises(kind, text, call):
    try:
        call()
    except kind as error:
        assert text in str(error), error
    else:
        raise AssertionError(text)


gradcheck = torch.autograd.gradcheck
numbers = torch.linspace(0.1, 1.5, 8, dtype=torch.float64)
x, y = numbers[:4].clone().requires_grad_(), numbers[::2].requires_grad_()
assert not y.is_contiguous()
mixed = qd.ad.torch_function(mix, outputs=lambda x, y, by: (torch.empty_like(x), x.new_zeros(1)))
assert gradcheck(mixed, (x, y, 2.0))
assert gradcheck(lambda x: mixed(x, y.detach(), 2.0), x)
assert gradcheck(lambda x: mixed(x, x, 2.0), x)
assert mixed.__name__ == "mix" and not mixed(x.detach(), y.detach(), 2.0)[0].requires_grad

# An output that the kernel reads again, of which the program uses one or both.
chained = qd.ad.torch_function(chain, outputs=lambda x: (torch.empty_like(x), torch.empty_like(x)))
assert gradcheck(chained, x) and gradcheck(lambda x: chained(x)[0], x) and gradcheck(lambda x: chained(x)[1], x)

# The gradient that torch gives is the program's, and stays as it is.
given = torch.ones_like(x)
torch.autograd.grad(chained(x)[1], x, given)
assert (given == 1).all()

# A layer of a model, with a gradient of sum(), which has no memory of its own.
weights = torch.nn.Parameter(numbers[:4].clone())
chained(weights * x.detach())[1].sum().backward()
assert torch.allclose(weights.grad, 3 * weights.detach() ** 2 * x.detach() ** 3, rtol=1e-13)

# Integers are constants, and results without a gradient.
shifted = qd.ad.torch_function(shift, outputs=lambda x, n: (torch.empty_like(x), torch.empty_like(n)))
value, following = shifted(x, torch.arange(4, dtype=torch.int32))
assert following.tolist() == [1, 2, 3, 4] and not following.requires_grad
assert torch.autograd.grad(value.sum(), x)[0].tolist() == [0, 1, 2, 3]

# A tape does not take part.
with qd.ad.Tape(loss):
    result = qd.ad.torch_function(add_loss, torch.empty_like)(x)
assert loss[None] == 4 * scale[None] and scale.grad[None] == 0
assert torch.allclose(torch.autograd.grad(result.sum(), x)[0], 2 * x.detach())

first = torch.autograd.grad(chained(x)[1].sum(), x, create_graph=True)[0]
assert torch.allclose(first, 3 * x.detach() ** 2)
raises(qd.KernelRuntimeError, "kernel chain: the gradient of a kernel has no gradient itself", lambda: first.sum().backward())
result = chained(x)[1].sum()
with torch.no_grad():
    x += 0
raises(RuntimeError, "modified by an inplace operation", result.backward)

for text, kernel, outputs in (
    ("outputs returned the memory of an input", chain, lambda x: (x, x)),
    ("outputs returned the memory of an input", chain, lambda x: (torch.empty_like(x), x[:])),
    ("outputs returned int, and not a tensor or a tuple of tensors", chain, lambda x: 3),
    ("outputs returned a tensor that requires a gradient", chain, lambda x: (torch.empty_like(x, requires_grad=True), torch.empty_like(x))),
    ("kernel with_result returns a value", with_result, torch.empty_like),
    ("print is no kernel", print, torch.empty_like),
    ("outputs is 3, and not a function", chain, 3),
):
    raises(qd.KernelRuntimeError, text, lambda: qd.ad.torch_function(kernel, outputs)(x))
"""


@pytest.mark.skipif(not os.environ.get("QD_PEERS"), reason="needs torch: QD_PEERS=1, after ci/setup --peers")
def test_kernels_are_functions_of_torch(back_end_name: str, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM.replace("{arch}", back_end_name))
    result = subprocess.run([str(PEERS_PYTHON), "program.py"], cwd=tmp_path, check=False, capture_output=True, text=True, timeout=300)
    assert (result.returncode, result.stdout) == (0, ""), result.stderr[-2000:]

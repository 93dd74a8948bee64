"""Gradients of functions are those of torch and of JAX, which `ci/setup --peers` installs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from gradient_functions import JAX, OURS, TORCH
from implementations import PEERS_PYTHON

pytestmark = pytest.mark.skipif(not os.environ.get("QD_PEERS"), reason="needs torch and JAX: QD_PEERS=1, after ci/setup --peers")

HEAD = """import numpy as np
import qd

qd.init(arch=qd.{arch}, log_level="error", default_fp=qd.f64, fast_math=False)
Array = qd.types.ndarray(dtype=qd.f64, ndim=1)


def compare(name, kernel, function):
    N = len(X)
    numbers = dict(x=X, y=Y, z=np.zeros(N))
    arrays = {{key: qd.ndarray(qd.f64, N, needs_grad=True) for key in numbers}}
    for key, values in numbers.items():
        arrays[key].from_numpy(values)
    kernel(**arrays)
    value = arrays["z"].to_numpy()
    weights = np.arange(N) - 2.5
    arrays["z"].grad.from_numpy(weights)
    kernel.grad(**arrays)
    got = value, arrays["x"].grad.to_numpy(), arrays["y"].grad.to_numpy()
    for part, a, b in zip(("value", "derivative by x", "derivative by y"), got, derivatives(function, X, Y, weights)):
        if not np.allclose(a, b, rtol=1e-12, atol=1e-13, equal_nan=True):
            print(f"{{name}}, {{part}}: {{a.tolist()}} instead of {{np.asarray(b).tolist()}}")
"""

LIBRARIES = {
    "torch": """import torch


def derivatives(function, x, y, weights):
    x, y = (torch.tensor(numbers, requires_grad=True) for numbers in (x, y))
    value = function(x, y)
    found = torch.autograd.grad(value, (x, y), torch.tensor(weights), allow_unused=True)
    return value.detach().numpy(), *(np.zeros(len(x)) if one is None else one.numpy() for one in found)
""",
    "jax": """import jax
import jax.numpy as jnp

jax.config.update("jax_platforms", "cpu")
jax.config.update("jax_enable_x64", True)


def derivatives(function, x, y, weights):
    value, products = jax.vjp(function, jnp.asarray(x), jnp.asarray(y))
    return value, *products(jnp.asarray(weights))
""",
}

POINTS = "X, Y = 0.13 + 0.13 * np.arange(6), 0.11 - 0.017 * np.arange(6)\n"

EDGES = "X, Y = np.array([0.0, 0.0, 0.0, 2.0, 0.0, 1.0, -2.0, -2.0]), np.array([2.0, 1.0, 0.0, 0.0, 0.5, 0.0, 3.0, 0.0])\n"
"""Points of x ** y where logarithms and quotients in a formula of its derivatives have no number."""

KERNEL = """

@qd.kernel
def k{number}(x: Array, y: Array, z: Array):
    for i in x:
        z[i] = {ours}


compare({name!r}, k{number}, lambda x, y: {theirs})
"""


def differences(folder: Path, arch: str, library: str, points: str, functions: dict[str, str]) -> str:
    """The lines that the comparison prints, one for each difference."""
    kernels = [KERNEL.format(number=number, name=name, ours=OURS[name], theirs=theirs) for number, (name, theirs) in enumerate(functions.items())]
    (folder / "program.py").write_text(HEAD.format(arch=arch) + LIBRARIES[library] + points + "N = len(X)\n" + "".join(kernels))
    result = subprocess.run([str(PEERS_PYTHON), "program.py"], cwd=folder, check=False, capture_output=True, text=True, timeout=300)
    assert result.returncode == 0, result.stderr[-2000:]
    return result.stdout


@pytest.mark.parametrize(("library", "functions"), [("torch", TORCH), ("jax", JAX)], ids=["torch", "jax"])
def test_gradients_are_those_of_a_library(back_end_name: str, tmp_path: Path, library: str, functions: dict[str, str]) -> None:
    assert functions.keys() == OURS.keys()
    assert differences(tmp_path, back_end_name, library, POINTS, functions) == ""


def test_powers_without_a_formula_are_those_of_torch(back_end_name: str, tmp_path: Path) -> None:
    assert differences(tmp_path, back_end_name, "torch", EDGES, {"x ** y": TORCH["x ** y"]}) == ""

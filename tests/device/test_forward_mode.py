"""Forward mode of automatic differentiation: the duals are the derivatives that finite differences find, and values are those of the primal."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path
from typing import Any

import kernels_for_derivatives as kernels
import kernels_for_gradients
import numpy as np
import numpy.typing as npt
import pytest
import qd

N = kernels.N
ROOT = Path(__file__).resolve().parents[2]
OPERATOR = re.compile(r'^QD_(?:UNARY|BINARY|FUNCTION)\(\w+, "?(\w+)"?, (?!.*, zero(?:, zero)?\)$)', re.MULTILINE)
Numbers = npt.NDArray[np.float64]


@pytest.fixture(autouse=True)
def runtime(back_end: str) -> None:
    qd.init(arch=back_end, log_level="error", fast_math=False, default_fp=qd.f64)
    kernels.place(qd.f64)


def fields() -> dict[str, Any]:
    return {name: getattr(kernels, name) for name in ("a", "b", "out")}


def start(seed: int) -> tuple[dict[str, Numbers], dict[str, Numbers]]:
    """Values of the fields between 0.1 and 0.9, and the direction of the derivative."""
    random = np.random.default_rng(seed)
    shapes = {name: field.to_numpy().shape for name, field in fields().items()}
    return tuple({name: low + random.random(shape) * 0.8 for name, shape in shapes.items()} for low in (0.1, -0.4))  # type: ignore[return-value]


def run(kernel: Any, values: dict[str, Numbers], *args: Any) -> dict[str, Numbers]:
    for name, field in fields().items():
        field.from_numpy(values[name])
    kernel(*args)
    return {name: field.to_numpy() for name, field in fields().items()}


def forward(kernel: Any, *args: Any) -> None:
    kernel._in_mode("forward", args, {})


def run_forward(kernel: Any, values: dict[str, Numbers], direction: dict[str, Numbers], *args: Any) -> tuple[dict[str, Numbers], dict[str, Numbers]]:
    for name, field in fields().items():
        field.from_numpy(values[name])
        field.dual.from_numpy(direction[name])
    forward(kernel, *args)
    return ({name: field.to_numpy() for name, field in fields().items()}, {name: field.dual.to_numpy() for name, field in fields().items()})


def differences(kernel: Any, values: dict[str, Numbers], direction: dict[str, Numbers], *args: Any) -> dict[str, Numbers]:
    """Central differences of the primal."""
    step = 1e-6
    below, above = (run(kernel, {name: values[name] + sign * step * direction[name] for name in values}, *args) for sign in (-1, 1))
    return {name: (above[name] - below[name]) / (2 * step) for name in values}


CASES = [
    (kernels.unary_functions, (2,)),
    (kernels.binary_functions, (1,)),
    (kernels.in_place, (N,)),
    (kernels.exchanged, (3,)),
    (kernels.calls, (3,)),
    (kernels.calls_that_store, (3,)),
]


@pytest.mark.parametrize(("kernel", "args"), CASES, ids=lambda case: getattr(case, "__name__", None))
def test_duals_are_what_finite_differences_find(kernel: Any, args: Any) -> None:
    for seed in range(4):
        values, direction = start(seed)
        after, duals = run_forward(kernel, values, direction, *args)
        primal = run(kernel, values, *args)
        wanted = differences(kernel, values, direction, *args)
        for name in values:
            np.testing.assert_allclose(after[name], primal[name], rtol=1e-13, err_msg=name)
            np.testing.assert_allclose(duals[name], wanted[name], rtol=1e-6, atol=1e-7, err_msg=name)


def test_integers_cut_derivatives() -> None:
    values, direction = start(7)
    _, duals = run_forward(kernels.funcs_and_locals, values, direction, N)
    a, b, da, db = values["a"], values["b"], direction["a"], direction["b"]
    total = np.sum(2 * a * da * b + a * a * db)
    np.testing.assert_allclose(duals["out"][:3], [total, 2 * total, 0], rtol=1e-12)


def test_stopped_numbers_and_arrays_without_duals_are_constants() -> None:
    values, direction = start(8)
    _, duals = run_forward(kernels.stopped, values, direction, 1)
    x, dx = values["a"][1], direction["a"][1]
    np.testing.assert_allclose(duals["out"][:6], [x * dx, (x + x * x) * dx, x * dx, 3 * dx, 0, 3 * x * dx], rtol=1e-12)


def test_special_points() -> None:
    """Ties of min and max, and powers of zero: the derivatives of Taichi and PyTorch."""
    values, direction = start(9)
    values["a"][:3], values["b"][:3] = [0.5, 0.0, 0.0], [0.5, 2.0, 0.0]
    direction["a"][:3], direction["b"][:3] = [2.0, 1.0, 1.0], [3.0, 1.0, 0.0]
    _, duals = run_forward(kernels.binary_functions, values, direction, 0)
    assert duals["out"][9] == duals["out"][10] == 3.0
    assert run_forward(kernels.binary_functions, values, direction, 1)[1]["out"][8] == 0.0  # 0 ** 2
    assert run_forward(kernels.binary_functions, values, direction, 2)[1]["out"][8] == 0.0  # 0 ** 0


def line_of(kernel: Any, text: str) -> int:
    lines, first = inspect.getsourcelines(kernel._function)
    return first + next(i for i, line in enumerate(lines) if text in line)


@pytest.mark.parametrize(
    ("kernel", "text", "what"),
    [
        (kernels.largest, "atomic_max", "`atomic_max`"),
        (kernels.bits_of, "bit_cast", "`bit_cast`"),
        (kernels.calls_itself, "recursive(", "the call of `recursive`"),
    ],
    ids=lambda case: getattr(case, "__name__", None),
)
def test_an_operation_without_a_derivative_is_an_error(kernel: Any, text: str, what: str) -> None:
    with pytest.raises(qd.KernelCompilationError) as raised:
        forward(kernel, 1)
    message = str(raised.value)
    if "has no" in message and "derivative" not in message:
        raise raised.value  # the device lacks it
    assert f"{what} has no derivative: qd.stop_grad(x) takes its operand for a constant" in message
    assert f"line {line_of(kernel, text)}" in message or f":{line_of(kernel, text)}" in message
    kernel(1)  # the primal goes on


def test_modes_are_variants_of_one_kernel() -> None:
    """Launches of both modes take turns, each with its own code; none is compiled twice."""
    values, direction = start(3)
    forms = []
    for turn in range(3):
        run(kernels.in_place, values, N)
        forms.append(kernels.in_place.launch_observations.found_kernel_in_materialize_cache)
        _, duals = run_forward(kernels.in_place, values, direction, N)
        forms.append(kernels.in_place.launch_observations.found_kernel_in_materialize_cache)
        assert np.all(duals["b"] == 0), turn
    assert forms == [False, False, True, True, True, True]


@pytest.mark.parametrize("real", [qd.f32, qd.f16], ids=["f32", "f16"])
def test_narrow_floats(back_end: str, real: Any) -> None:
    qd.init(arch=back_end, log_level="error", fast_math=False)
    kernels.place(real)
    values, direction = start(5)
    _, duals = run_forward(kernels.unary_functions, values, direction, 2)
    x, dx = values["a"][2], direction["a"][2]
    wanted = [-dx, dx, dx / 2 / np.sqrt(x), -dx / 2 / x**1.5, dx * np.cos(x), -dx * np.sin(x)]
    np.testing.assert_allclose(duals["out"][:6], wanted, rtol=1e-5 if real == qd.f32 else 1e-2)


def test_every_operator_of_the_table_is_here() -> None:
    """A row with a derivative has a kernel above, and one for test_reverse_mode."""
    table = (ROOT / "runtime/ir/operators.def").read_text()
    operators = {"neg": "USub", "add": "Add", "sub": "Sub", "mul": "Mult", "div": "Div", "floor_div": "FloorDiv", "mod": "Mod", "pow": "Pow"}
    for module in (kernels, kernels_for_gradients):
        nodes = [*ast.walk(ast.parse(inspect.getsource(module)))]
        used = {node.attr for node in nodes if isinstance(node, ast.Attribute)} | {node.id for node in nodes if isinstance(node, ast.Name)}
        used |= {type(node).__name__ for node in nodes}
        assert [name for name in OPERATOR.findall(table) if operators.get(name, name) not in used] == []

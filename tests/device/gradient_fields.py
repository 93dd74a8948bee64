"""Fields of the kernels that tests differentiate. Each has a gradient and a dual; `counts` and `order` are integers, and the same in all tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import qd

Numbers = dict[str, npt.NDArray[np.float64]]

N = 6
STEPS = 4
COUNTS = (3, 0, 1, 4, 2, 5)
ORDER = (4, 2, 0, 5, 1, 3)

many: Any = None
results: Any = None
a: Any = None
b: Any = None
out: Any = None
total: Any = None
grid: Any = None
image: Any = None
steps: Any = None
vectors: Any = None
forces: Any = None
matrices: Any = None
squares: Any = None
counts: Any = None
order: Any = None

SHAPES = {"many": 40, "results": 40, "a": N, "b": N, "out": N, "total": (), "grid": (N, N), "image": (N, N), "steps": (STEPS + 1, N)}
COMPOUNDS = {"vectors": (3,), "forces": (3,), "matrices": (2, 2), "squares": (3, 3)}


def place(real: Any) -> None:
    """Makes the fields anew, for a program that has just been started."""
    for name, shape in SHAPES.items():
        globals()[name] = qd.field(real, shape, needs_grad=True, needs_dual=True)
    for name, element in COMPOUNDS.items():
        make: Any = qd.Vector.field if len(element) == 1 else qd.Matrix.field
        globals()[name] = make(*element, real, N, needs_grad=True, needs_dual=True)
    for name, values in (("counts", COUNTS), ("order", ORDER)):
        made = globals()[name] = qd.field(qd.i32, N)
        made.from_numpy(np.array(values, np.int32))


def fields(kind: str = "") -> dict[str, Any]:
    """The fields of floats by name; kind "grad" or "dual": their gradients or duals."""
    found = {name: globals()[name] for name in (*SHAPES, *COMPOUNDS)}
    return {name: getattr(field, kind) for name, field in found.items()} if kind else found


def random_numbers(seed: int, low: float, high: float) -> Numbers:
    """Numbers for all fields."""
    random = np.random.default_rng(seed)
    return {name: np.asarray(low + (high - low) * random.random(field.to_numpy().shape)) for name, field in fields().items()}


def assign(numbers: Numbers, kind: str = "") -> None:
    for name, field in fields(kind).items():
        field.from_numpy(numbers[name])


def contents(kind: str = "") -> Numbers:
    return {name: np.asarray(field.to_numpy()) for name, field in fields(kind).items()}

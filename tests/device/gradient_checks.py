"""Derivatives of a kernel by each mode, and by finite differences.

A launch maps the fields of `gradient_fields` before it, x, to the fields behind it, y. With J the derivative of this map, forward mode makes J v of
the duals v, reverse mode makes Jᵀ w of the gradients w, and finite differences approximate J v. So <w, J v> = <Jᵀ w, v> for all v and w."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import gradient_fields as f
import numpy as np
import qd
from gradient_fields import Numbers


@dataclass(frozen=True)
class Launch:
    kernel: Any
    arguments: tuple[Any, ...] = ()

    def primal(self, x: Numbers) -> Numbers:
        """y."""
        f.assign(x)
        self.kernel(*self.arguments)
        return f.contents()

    def forward(self, x: Numbers, v: Numbers) -> Numbers:
        """J v."""
        f.assign(x)
        f.assign(v, "dual")
        self.kernel._in_mode("forward", self.arguments, {})
        return f.contents("dual")

    def reverse(self, x: Numbers, w: Numbers) -> Numbers:
        """Jᵀ w, as a tape computes it."""
        f.assign(x)
        tape = qd.ad.Tape(clear_gradients=False)
        with tape:
            self.kernel(*self.arguments)
        f.assign(w, "grad")
        tape.grad()
        return f.contents("grad")

    def quotient(self, x: Numbers, v: Numbers, step: float = 1e-6) -> Numbers:
        """J v by central differences."""
        below, above = self.primal(moved(x, -step, v)), self.primal(moved(x, step, v))
        return {name: np.asarray((above[name] - below[name]) / (2 * step)) for name in x}

    def wrong_elements(self, x: Numbers, w: Numbers, gradients: Numbers) -> str:
        """The elements whose gradient is not what finite differences find, for the message of a failure."""
        found = []
        for name, values in x.items():
            for at in np.ndindex(values.shape):
                unit = {other: np.zeros_like(x[other]) for other in x}
                unit[name][at] = 1.0
                expected = product(w, self.quotient(x, unit))
                if not np.isclose(gradients[name][at], expected, rtol=1e-5, atol=1e-6):
                    found.append(f"{name}{[*at]}: {gradients[name][at]:.9g} instead of {expected:.9g}")
        return "\n".join(found)


def start(seed: int) -> tuple[Numbers, Numbers, Numbers]:
    """x, v and w."""
    return f.random_numbers(seed, 0.1, 0.9), f.random_numbers(seed + 1000, -0.5, 0.5), f.random_numbers(seed + 2000, -0.5, 0.5)


def product(x: Numbers, y: Numbers) -> float:
    return float(sum(np.sum(x[name] * y[name]) for name in x))


def moved(x: Numbers, by: float, direction: Numbers) -> Numbers:
    return {name: np.asarray(x[name] + by * direction[name]) for name in x}


def agree(duals: Numbers, w: Numbers, gradients: Numbers, v: Numbers) -> bool:
    """Whether <w, J v> = <Jᵀ w, v>, to the rounding errors of the sums."""
    size = sum(float(np.sum(abs(w[name] * duals[name])) + np.sum(abs(gradients[name] * v[name]))) for name in v)
    return abs(product(w, duals) - product(gradients, v)) <= 1e-11 * (size + 1)

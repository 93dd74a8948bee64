from __future__ import annotations
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any
import numpy as np
import qd
import kernels_for_results as k
FLOATS = qd.types.ndarray(dtype=qd.f32, ndim=1)
if __name__ == "__main__":
    for debug in (False, True):
        for fast_math in (False, True):
            qd.init(arch=qd.cpu, log_level="error", debug=debug, fast_math=fast_math, cpu_max_num_threads=1)
            print("debug", debug, "fast_math", fast_math, flush=True)
            everything(exact=not fast_math)


@qd.kernel
def prints(n: qd.i32):
    if n > 1:
        print("n is", n)
    else:
        print("small", n * 1.5)


def show(name: str, call: Callable[[], Any]) -> None:
    try:
        result = call()
    except Exception:
        result = traceback.format_exc()
    print(f"{name}: {result.tobytes().hex() if isinstance(result, np.ndarray) else result}", flush=True)


def filled(kernel: Any, size: int, dtype: Any, *before: Any) -> np.ndarray:
    out = np.zeros(size, dtype=dtype)
    kernel(*before, out)
    return out


def sum_text(value: float, exact: bool) -> str:
    return np.float32(value).tobytes().hex() if exact else f"{value:.5g}"


def everything(exact: bool) -> None:
    """Three times, as kernels change to clean code when all of them was seen."""
    for _ in range(3):
        show("integers", lambda: filled(k.integer_operators, 25, np.int32, -7, 3))
        show("floats", lambda: filled(k.float_operators, 17, np.float32, 2.5, -0.75))
        show("mathematics", lambda: filled(k.mathematics, 12, np.float64, 0.75))
        show("types", lambda: filled(k.types, 14, np.float64))
        show("control flow", lambda: filled(k.control_flow, 64, np.int32, 40))
        show("results", k.results)
        for size in (0, 1, 7, 64, 1000):
            x = np.random.default_rng(size).random(size, dtype=np.float32)
            show("sum", lambda: sum_text(sum_with_branches(x), exact))  # noqa: B023
            show("serial sum", lambda: sum_text(serial_sum(x), exact))  # noqa: B023
            show("stencil", lambda: filled(stencil, size, np.float32, x))  # noqa: B023
            show("iterated", lambda: filled(iterated, size, np.float32, x))  # noqa: B023
        show("draws", lambda: filled(draws, 100, np.float32))
        for n in (0, 2, 5):
            y = np.zeros(3, dtype=np.int32)
            show("fails", lambda: fails(n, y))  # noqa: B023
            show("y", lambda: y)  # noqa: B023
            show("prints", lambda: prints(n))  # noqa: B023
        show("wrong", lambda: wrong(1, np.zeros(3, dtype=np.int32)))
        show("not an array", lambda: stencil(1, 2))
        show("too few", lambda: stencil())

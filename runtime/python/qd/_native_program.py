"""The native runtime, as the rest of the package uses it."""

from __future__ import annotations

import os
import types
from collections.abc import Callable
from typing import Any

from qd import _native, _options, _runtime


def start(config: _options.Config) -> Any:
    """A native program with these options."""
    if _coverage_wanted():
        from qd import _coverage

        _coverage.start()
    return _native.program(
        debug=config.debug,
        fast_math=config.fast_math,
        short_circuit=config.short_circuit_operators,
        default_ip=config.default_ip.name,
        default_fp=config.default_fp.name,
        threads=config.cpu_max_num_threads,
        seed=config.random_seed,
        unrolling_limit=config.unrolling_limit,
        print_ir=config.print_ir,
        coverage_switch=config.coverage_switch,
    )


def _coverage_wanted() -> bool:
    return os.environ.get("QD_KERNEL_COVERAGE", "") not in ("", "0")


def kernel(function: types.FunctionType) -> Callable[..., Any]:
    """The native kernel of a function; a callable."""
    compiled: Callable[..., Any] = _runtime.program().kernel(function)
    return compiled

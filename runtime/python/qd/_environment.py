"""What the environment says about kernel coverage: what it says now, else what it said when qd was imported.

A test may take all variables away for a while, and start the runtime meanwhile; it is measured as the others are.
To turn coverage off, a variable says 0."""

from __future__ import annotations

import os

_PREFIX = "QD_KERNEL_COVERAGE"
_at_import = {name: value for name, value in os.environ.items() if name.startswith(_PREFIX)}


def setting(name: str) -> str:
    """The value of QD_KERNEL_COVERAGE_<NAME>; empty when there is none."""
    variable = f"{_PREFIX}_{name}"
    return os.environ.get(variable, _at_import.get(variable, ""))


def is_on() -> bool:
    """Whether kernels are measured."""
    return os.environ.get(_PREFIX, _at_import.get(_PREFIX, "")) not in ("", "0")

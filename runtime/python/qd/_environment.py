"""Environment variables of kernel coverage: their present values, else those at the import of qd.

A test may take all variables away for a while, and start the runtime meanwhile; it is measured as the others are.
For their meaning see `instrument::coverage_settings`. To turn coverage off, a variable is 0."""

from __future__ import annotations

import os

_PREFIX = "QD_KERNEL_COVERAGE"


def _now() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith(_PREFIX)}


_at_import = _now()


def variables() -> dict[str, str]:
    """The variables that ask for kernel coverage, with their values."""
    return {**_at_import, **_now()}

"""What the environment says about kernel coverage: what it says now, else what it said when qd was imported.

A test may take all variables away for a while, and start the runtime meanwhile; it is measured as the others are.
What they mean is for `instrument::coverage_settings` to say. To turn coverage off, a variable says 0."""

from __future__ import annotations

import os

_PREFIX = "QD_KERNEL_COVERAGE"


def _now() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith(_PREFIX)}


_at_import = _now()


def variables() -> dict[str, str]:
    """The variables that ask for kernel coverage, and how."""
    return {**_at_import, **_now()}

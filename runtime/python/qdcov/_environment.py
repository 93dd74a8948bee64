"""Environment variables of the package: their present values, else those at the import of qd.

They are for the parts that other folders add to the native module. A test may take all variables away for a while, and start the runtime meanwhile:
it is measured as the others are."""

from __future__ import annotations

import os

_PREFIX = "QD_"


def _now() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith(_PREFIX)}


_at_import = _now()


def variables() -> dict[str, str]:
    """The variables whose names begin with QD_, with their values. One that is taken away later keeps its value; to turn something off, it is 0."""
    return {**_at_import, **_now()}

"""The native runtime, as the rest of the package uses it."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from qd import _options


def start(config: _options.Config) -> Any:
    """A native program with these options."""
    raise RuntimeError("qd._native is not there: the native runtime was not built; only arch=qd.python works")


def kernel(function: types.FunctionType) -> Callable[..., Any]:
    """The native kernel of a function; a callable."""
    raise RuntimeError("qd._native is not there")

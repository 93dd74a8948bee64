"""The names of the kernel language, by their Python objects."""

from __future__ import annotations

import builtins
import math
from typing import Any

import qdcov as qd
from qdcov.simt import _operations


def language() -> list[tuple[str, Any]]:
    """Each public function and class of qd, Python's builtins and its math module, with its path for the compiler."""
    found: list[tuple[str, Any]] = []
    simt = [(f"simt.{name}.", getattr(qd.simt, name)) for name in qd.simt.__all__]
    for prefix, owner in (("", qd), ("types.", qd.types), ("math.", qd.math), ("graph.", qd.graph), *simt, ("", builtins), ("math.", math)):
        found += [(prefix + name, thing) for name, thing in vars(owner).items() if not name.startswith("_") and callable(thing)]
    return [*found, ("simt.tile_row", _operations.tile_row)]

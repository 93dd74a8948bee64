"""qd.simt.grid: operations of all threads of a loop."""

from __future__ import annotations

from qdcov.simt._operations import grid_mem_fence as mem_fence

__all__ = [
    "mem_fence",
]  # fmt: skip

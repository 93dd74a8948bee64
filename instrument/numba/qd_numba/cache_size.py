"""Size of the cache of compiled functions: the entries that were used least recently are deleted from a full one.

Numba finds entries by an index in their folder, and compiles again where one that is in the index does not exist."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

LIMIT = 100 << 20
"""Bytes, as for the offline cache of kernels."""

_KEPT = 0.75
"""The part of the limit that a cleaned cache still has, so that not each new entry has it cleaned."""


def bound(root: Path, limit: int = LIMIT) -> None:
    """Deletes entries below a folder, whatever version made them, if they are larger than `limit` together."""
    entries = []
    for path in root.glob("numba-*/*/*.nbc"):
        with contextlib.suppress(OSError):  # another process cleans it, too
            state = path.stat()
            entries.append((max(state.st_atime, state.st_mtime), state.st_size, path))
    total = sum(size for _, size, _ in entries)
    if total <= limit:
        return
    for _, size, path in sorted(entries):
        if total <= _KEPT * limit:
            break
        with contextlib.suppress(OSError):
            path.unlink()
        total -= size
    _delete_empty(root)


def _delete_empty(root: Path) -> None:
    """Deletes the folders that have an index alone."""
    for folder in root.glob("numba-*/*"):
        with contextlib.suppress(OSError):
            names = os.listdir(folder)
            if all(name.endswith(".nbi") for name in names):
                for name in names:
                    (folder / name).unlink()
                folder.rmdir()
    for version in root.glob("numba-*"):
        with contextlib.suppress(OSError):  # not empty
            version.rmdir()

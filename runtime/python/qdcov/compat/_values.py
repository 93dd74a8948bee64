"""Vectors and matrices of the host as programs of the peers use them: conditions take them for true, and they have `entries`."""

from __future__ import annotations

from qdcov._values.matrix import Matrix


def install() -> None:
    """For all vectors and matrices of the process. In the peers they have a length and no truth of their own: ``assert x[0] == [1, 2]`` is a
    statement of theirs, and always holds. Kernels go on refusing a vector as a condition."""
    Matrix._has_truth = True
    Matrix.entries = property(lambda self: self._values)  # type: ignore[attr-defined]

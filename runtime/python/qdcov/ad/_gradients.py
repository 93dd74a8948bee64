"""Gradients and duals of the program's fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from qdcov import _runtime
from qdcov._arrays.arrays import Field


def fields() -> list[Field]:
    """The fields that have memory, gradients and duals among them."""
    return [thing for thing in list(_runtime.State.owned) if isinstance(thing, Field) and thing._data is not None]


def companions(kind: str) -> Iterator[Field]:
    """The gradients ("grad") or the duals ("dual") of all fields."""
    for field in fields():
        if field._companion_of is not None and field._companion_of[1] == kind and field._whole is None:
            yield field


def clear_all_gradients(gradient_type: Any = None) -> None:
    """Sets the gradients of all fields to zero. Those of ndarrays stay: ``x.grad.fill(0)``.

    `gradient_type`, of programs for Taichi and Quadrants, is one of their SNodeGradType: DUAL means the duals, ADJOINT the gradients."""
    clear("dual" if getattr(gradient_type, "name", "") == "DUAL" else "grad")


def clear(kind: str) -> None:
    """Sets the gradients ("grad") or the duals ("dual") of all fields to zero."""
    _runtime.running()
    for companion in companions(kind):
        companion.fill(0)

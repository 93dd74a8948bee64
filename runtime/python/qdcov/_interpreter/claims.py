"""Race detection of arch=qd.python in debug mode: elements that blocks use which run side by side on a device.

The compiler does the same in runtime/frontend/statements/section_claims.cpp. Here the blocks run one after the other. Each element has the blocks
that have read, written or atomically changed it. Vectors and matrices are checked when one is written as a whole."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np
import numpy.typing as npt

from qdcov import _execution
from qdcov._arrays import bounds
from qdcov._errors import KernelAssertionError
from qdcov._scalars import callstack, checks

_SAID = {"read": "read", "write": "written", "atomic": "changed"}


class Fork:
    """Blocks that stand next to each other, while they run."""

    def __init__(self) -> None:
        self.section = 0
        self.inside = False
        self.atomic = False  # present reads and writes belong to an atomic
        self.claims: dict[int, list[tuple[int, str, list[tuple[str, int, str]]]]] = {}  # of each address: section, access, and its call stack

    def claim(self, array: Any, data: npt.NDArray[Any], index: tuple[int, ...], access: str) -> None:
        """Claims `data[index]`, the part of the array that is read or written: a number, or the components of a vector or matrix."""
        if not self.inside:
            return
        access = "atomic" if self.atomic else access
        address = data.__array_interface__["data"][0] + sum(int(i) * stride for i, stride in zip(index, data.strides))
        claims = self.claims.setdefault(address, [])
        for section, other, lines in claims:
            if section != self.section and (other != access or access == "write"):
                raise _shared(array, index, access, lines)
        if not any(claim[:2] == (self.section, access) for claim in claims):
            claims.append((self.section, access, callstack.lines()))


def _shared(array: Any, index: tuple[int, ...], access: str, other: list[tuple[str, int, str]]) -> KernelAssertionError:
    name = _name(array)
    shown = ", ".join(map(str, index)) or "None"
    message = f"{name}[{shown}] is {_SAID[access]} here, and another block uses it, too: the blocks run side by side, in any order"
    lines = callstack.lines()
    text = [f"(kernel={lines[0][2] if lines else '?'}) {message}", *checks.frames(lines), "The other block uses it here:", *checks.frames(other)]
    return KernelAssertionError("\n".join(text))


def _name(array: Any) -> str:
    if getattr(array, "_kind", "ndarray") == "field":
        return array.name or "A field's element "
    return bounds.argument(array)[1]


class _Group:
    """`with qd.graph.parallel_context()`: the sections in it are one fork."""

    def __enter__(self) -> None:
        _execution.local.fork = Fork() if _execution.debug() else None

    def __exit__(self, *_: object) -> None:
        _execution.local.fork = None


class _Section:
    """One block. Those of qd.stream_parallel are one fork, which ends with the kernel."""

    def __enter__(self) -> None:
        local = _execution.local
        if local.fork is None and _execution.debug():
            local.fork = Fork()
        if local.fork is not None:
            local.fork.section += 1
            local.fork.inside = True

    def __exit__(self, *_: object) -> None:
        if _execution.local.fork is not None:
            _execution.local.fork.inside = False


together = _Group()
beside = _Section()


def numbers(array: np.ndarray[Any, Any], index: Any, access: str) -> None:
    """Claims an element of a numpy array."""
    fork = _execution.local.fork
    if fork is not None:
        fork.claim(array, array, index if isinstance(index, tuple) else (index,), access)


class _Atomic:
    """Scope in which all reads and writes are one atomic."""

    def __enter__(self) -> None:
        if _execution.local.fork is not None:
            _execution.local.fork.atomic = True

    def __exit__(self, *_: object) -> None:
        if _execution.local.fork is not None:
            _execution.local.fork.atomic = False


at_once = _Atomic()
one_by_one = contextlib.nullcontext()

"""Recording of launches and copies: the tape or the forward mode that is open on a thread, and the calls of kernels meanwhile."""

from __future__ import annotations

import threading
from typing import Any, Protocol

from qdcov._arrays.arrays import Array
from qdcov._arrays.tensor import unwrapped
from qdcov._errors import KernelRuntimeError
from qdcov._kernels.decorators import Kernel, below, replace_calls, restore_calls


class Recorder(Protocol):
    """A tape or a forward mode."""

    def _launch(self, kernel: Kernel, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Launches a kernel, and records the launch as it needs it."""

    def _copied(self, to: Array, source: Array) -> None:
        """Notes that an array was copied to another one."""


class _Local(threading.local):
    recorder: Recorder | None = None  # that is open
    pauses: int = 0  # while functions run whose gradient is replaced


local = _Local()
_lock = threading.Lock()
_open = 0
"""Number of recorders that are open, on all threads."""


def _recorded(kernel: Kernel, *args: Any, **kwargs: Any) -> Any:
    recorder = local.recorder
    if recorder is None or local.pauses:
        return plain(kernel, args, kwargs)
    return recorder._launch(kernel, args, kwargs)


_copy = Array.copy_from


def _recorded_copy(to: Array, other: Array) -> None:
    _copy(to, other)
    if local.recorder is not None and not local.pauses:
        local.recorder._copied(to, unwrapped(other))


_grad = Kernel.grad


def _first_grad(kernel: Kernel, *args: Any, **kwargs: Any) -> None:
    refuse_gradient(f"kernel {kernel._function.__qualname__}: kernel.grad")
    _grad(kernel, *args, **kwargs)


def refuse_gradient(name: str, allowed: Recorder | None = None) -> None:
    """KernelRuntimeError where a gradient would itself be differentiated: while a recorder but `allowed` is open. `name` is that of the gradient."""
    recorder = local.recorder
    if recorder is not None and recorder is not allowed and not local.pauses:
        raise KernelRuntimeError(
            f"{name} in qd.ad.{type(recorder).__name__}: a gradient has no derivative itself. For a second derivative, write the first one as a "
            "kernel; for the gradient alone, call it in a function with @qd.ad.no_grad"
        )


def plain(kernel: Kernel, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Launches a kernel without recording it."""
    return below(_recorded)(kernel, *args, **kwargs)


def open_recorder(recorder: Recorder, name: str) -> None:
    """Records launches of this thread from now on. KernelRuntimeError when another recorder is open on it."""
    global _open
    if local.recorder is not None:
        other = type(local.recorder).__name__
        raise KernelRuntimeError(f"qd.ad.{name} in qd.ad.{other}: on one thread they are entered one after the other, and cannot be nested")
    local.recorder = recorder
    with _lock:
        _open += 1
        if _open == 1:
            replace_calls(_recorded)
            Array.copy_from = _recorded_copy  # type: ignore[method-assign, assignment]
            Kernel.grad = _first_grad  # type: ignore[method-assign, assignment]


def close_recorder() -> None:
    """Ends the recording of this thread's launches."""
    global _open
    local.recorder = None
    with _lock:
        _open -= 1
        if _open == 0:
            restore_calls(_recorded)
            Array.copy_from = _copy  # type: ignore[method-assign]
            Kernel.grad = _grad  # type: ignore[method-assign]


class Paused:
    """A ``with`` statement whose launches are not recorded, nor run in forward mode."""

    def __enter__(self) -> None:
        local.pauses += 1

    def __exit__(self, *error: object) -> None:
        local.pauses -= 1

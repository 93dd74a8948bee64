"""Functions with gradients of their own: `grad_replaced`, `grad_for` and `no_grad`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from qdcov._errors import KernelRuntimeError
from qdcov.ad import _recording


class Replaced:
    """A function of the host whose launches no tape records: it records the call of the function, and calls `grad` in reverse. Forward mode
    differentiates the launches if `forward` says so."""

    def __init__(self, function: Callable[..., Any], grad: Callable[..., Any] | None, forward: bool) -> None:
        functools.update_wrapper(self, function)
        self._function = function
        self.grad = grad
        self._forward = forward

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        grad = None if self.grad is None else functools.partial(self.grad, instance)
        bound = Replaced(functools.partial(self._function, instance), grad, self._forward)
        bound.__name__ = self.__name__
        return bound

    __name__: str

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        recorder = None if _recording.local.pauses else _recording.local.recorder
        note = getattr(recorder, "_note", None)
        if recorder is not None and note is None and self._forward:
            return self._function(*args, **kwargs)
        with _recording.Paused():
            result = self._function(*args, **kwargs)
        if note is not None:
            note(self, args, kwargs)
        return result


def grad_replaced(function: Callable[..., Any]) -> Replaced:
    """Decorates a function of the host that launches kernels: the function with ``@qd.ad.grad_for`` is its gradient in a tape, in place of those of
    the kernels. Forward mode differentiates the kernels."""
    return Replaced(function, None, forward=True)


def grad_for(primal: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorates the gradient of `primal`, a function with ``@qd.ad.grad_replaced``. It gets the arguments of the call whose gradient it is."""
    name = getattr(primal, "__name__", repr(primal))

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        if not isinstance(primal, Replaced):
            raise KernelRuntimeError(f"Primal function `{name}` must be decorated by qd.ad.grad_replaced: it stands above a function of the host")
        if primal.grad is not None:
            raise KernelRuntimeError(f"Primal function `{name}` has a gradient already")
        primal.grad = function
        return function

    return decorate


def no_grad(function: Callable[..., Any]) -> Replaced:
    """Decorates a function of the host that launches kernels: no gradient flows through them."""

    def nothing(*_args: Any, **_kwargs: Any) -> None: ...

    return Replaced(function, nothing, forward=False)

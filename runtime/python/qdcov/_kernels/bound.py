"""Kernels as methods of objects."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any


class BoundKernel:
    """A kernel as a method of an object. `_native.bound_kernel` makes the same, which is called without Python code."""

    __slots__ = ("__func__", "__self__")

    def __init__(self, kernel: Any, instance: Any) -> None:
        self.__func__ = kernel
        self.__self__ = instance

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.__func__(self.__self__, *args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        """An attribute of the kernel. Its methods, such as `grad`, get the object as the first argument of a call."""
        if name == "__signature__":
            return self.__func__._bound_signature
        found = getattr(self.__func__, name)
        is_method = isinstance(found, (types.MethodType, types.BuiltinMethodType)) and found.__self__ is self.__func__
        return functools.partial(found, self.__self__) if is_method else found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BoundKernel) and self.__func__ is other.__func__ and self.__self__ is other.__self__

    def __hash__(self) -> int:
        return hash((id(self.__self__), id(self.__func__)))

    def __reduce__(self) -> Any:
        return getattr, (self.__self__, self.__func__.__name__)

    def __repr__(self) -> str:
        return f"<bound {self.__func__!r} of {self.__self__!r}>"


class Binding:
    """The maker of bound kernels: the native one, once the native module is loaded."""

    make: Callable[[Any, Any], Any] = BoundKernel

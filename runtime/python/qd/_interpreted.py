"""arch=qd.python: runs kernels and funcs as plain Python."""

from __future__ import annotations

import types
import typing
from typing import Any

import numpy as np

from qd import _annotations, _dtypes, _rewrite, _semantics, _source
from qd._arguments import Binder
from qd._arrays import Array
from qd._dtypes import DataType, u1
from qd._errors import KernelAssertionError, KernelCompilationError, KernelRuntimeTypeError, KernelSyntaxError


class InterpretedFunction:
    """A kernel or a func that was rewritten for this run of qd.init."""

    def __init__(self, function: types.FunctionType) -> None:
        self.name = function.__name__
        self.binder = Binder(function)
        self.method = _source.is_method(function)
        annotations = _source.evaluated_annotations(function)
        self.result = annotations.pop("return", None)
        self.kinds = [annotations.get(name, Binder) for name in self.binder.names]
        self.run = _rewrite.rewrite(function, {name: why for name, kind in zip(self.binder.names, self.kinds) if (why := self.fixed(name, kind))})

    def fixed(self, name: str, kind: Any) -> str:
        """Why a parameter cannot be assigned, or nothing."""
        if _annotations.is_template(kind):
            return f"`{name}` is a template: assigning it would change the caller's variable, which is not supported on arch=qd.python"
        return ""

    def typed(self, result: Any) -> Any:
        """The result in the types of the return annotation."""
        if isinstance(result, tuple):
            wanted = typing.get_args(self.result) or self.result
            if isinstance(wanted, tuple) and len(wanted) == len(result):
                return tuple(_semantics.cast(item, dtype) for item, dtype in zip(result, wanted))
        return _semantics.values(result) if self.result is None else _semantics.cast(result, self.result)


class InterpretedFunc(InterpretedFunction):
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        values = self.binder.bind(args, kwargs)
        for i, kind in enumerate(self.kinds):
            dtype = _dtypes.resolve(kind)
            values[i] = _semantics.value(values[i]) if dtype is None else _semantics.cast(values[i], dtype)
        return self.typed(self.run(*values))


class InterpretedKernel(InterpretedFunction):
    def __init__(self, function: types.FunctionType) -> None:
        super().__init__(function)
        self.binder.check_kernel()
        for name, kind in zip(self.binder.names, self.kinds):
            if kind is Binder and not (name == self.binder.names[0] and self.method):
                raise KernelSyntaxError(f"Kernel {self.name}: parameter '{name}' needs a type annotation")

    def fixed(self, name: str, kind: Any) -> str:
        return f'Kernel argument "{name}" is immutable in the kernel'

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if _semantics.inside():
            message = "is called in a kernel: kernels cannot call kernels; what both need belongs into a @qd.func"
            raise KernelCompilationError(f"kernel '{self.name}' {message}")
        values = self.binder.bind(args, kwargs)
        copies: list[tuple[Any, Any]] = []
        for i, kind in enumerate(self.kinds):
            values[i] = self._argument(self.binder.names[i], kind, values[i], copies)
        _semantics.local.depth += 1
        try:
            with np.errstate(all="ignore"):
                result = self.typed(self.run(*values))
        except KernelAssertionError:
            raise
        except AssertionError as error:
            raise KernelAssertionError(f"Assertion failed in kernel {self.name}: {error}") from error
        finally:
            _semantics.local.depth -= 1
            for original, copy in copies:
                original[...] = copy
        if result is None:
            return None
        if self.result is None:
            raise KernelSyntaxError(f"Kernel {self.name} returns a value, but has no return annotation")
        return tuple(item.item() for item in result) if isinstance(result, tuple) else result.item()

    def _argument(self, name: str, kind: Any, given: Any, copies: list[tuple[Any, Any]]) -> Any:
        where = f'Argument "{name}" of kernel {self.name}'
        if _annotations.is_template(kind) or kind is Binder:
            return given
        dtype = _dtypes.resolve(kind)
        if dtype is not None:
            return _scalar(where, dtype, given)
        wanted = _annotations.as_array(kind)
        if wanted is None:
            raise KernelSyntaxError(f"Kernel {self.name}: the annotation {kind!r} of parameter '{name}' is not supported")
        array = given._live() if isinstance(given, Array) else given
        expected = _array_text(wanted.dtype, wanted.ndim)
        if not isinstance(array, np.ndarray):
            raise KernelRuntimeTypeError(f"{where}: expected {expected}, got {_value_text(given)}")
        have = _dtypes.BY_NUMPY.get(array.dtype.type) if array.dtype.isnative else None
        if have is None:
            raise KernelRuntimeTypeError(f"{where}: arrays of {array.dtype.char} are not supported")
        if (wanted.dtype is not None and have is not wanted.dtype) or (wanted.ndim is not None and array.ndim != wanted.ndim):
            raise KernelRuntimeTypeError(f"{where}: expected {expected}, got {_array_text(have, array.ndim)}")
        if not array.flags.writeable:
            raise ValueError(f"{where}: the array is read-only")
        if array.flags.c_contiguous:
            return array
        if array.flags.f_contiguous:
            copies.append((array, array.copy(order="C")))
            return copies[-1][1]
        raise ValueError(f"{where}: the array is not contiguous; pass numpy.ascontiguousarray(...) of it")


def _array_text(dtype: DataType | None, rank: int | None) -> str:
    of = "" if rank is None else f" of {rank} dimension{'' if rank == 1 else 's'}"
    return f"{'' if dtype is None else dtype.name + ' '}ndarray{of}"


def _value_text(given: Any) -> str:
    if given is None:
        return "None"
    if isinstance(given, str):
        return f"str '{given}'"
    if isinstance(given, (bool, int, float)):
        return f"{type(given).__name__} {given}"
    if isinstance(given, (tuple, list)):
        return f"tuple of {len(given)}"
    return f"an object of class '{type(given).__name__}'"


def _scalar(where: str, dtype: DataType, given: Any) -> Any:
    number = given.item() if isinstance(given, np.generic) else given
    if isinstance(number, bool):
        number = int(number)
    if not isinstance(number, (int, float) if dtype.is_float else int):
        raise KernelRuntimeTypeError(f"{where}: expected {dtype.name}, got {_value_text(number)}")
    if not dtype.is_float and dtype is not u1:
        low = -(1 << (dtype.bits - 1)) if dtype.is_signed else 0
        if not low <= number < low + (1 << dtype.bits):
            raise KernelRuntimeTypeError(f"{where}: expected {dtype.name}, got {number}, which is out of its range")
    return _dtypes.convert(number, dtype)

"""Optional parameters of kernels, ``x: qd.types.NDArray[qd.f32, 1] | None``: a call may pass None for the array.

The kernel is compiled apart for each set of arrays that are None, with a template in the place of each: there ``qd.static(x is None)`` is known."""

from __future__ import annotations

import types
import typing
from collections.abc import Callable
from typing import Any

from qdcov import _annotated
from qdcov._arrays.annotations import NDArray, OptionalArray, Template, as_array
from qdcov._arrays.tensor import Tensor
from qdcov._errors import KernelSyntaxError


def of(annotation: Any) -> Any:
    """The annotation of a parameter without its `None`. Raises KernelSyntaxError for unions of other kinds."""
    if isinstance(annotation, OptionalArray):
        return annotation.of
    if typing.get_origin(annotation) not in (typing.Union, types.UnionType):
        return annotation
    members = [member for member in typing.get_args(annotation) if member is not types.NoneType]
    if len(members) != 1 or members[0] not in (Tensor, Template, NDArray):
        raise KernelSyntaxError(f"the annotation {annotation}: a union is `T | None`, only supported for qd.Tensor, qd.Template and qd.types.NDArray")
    return members[0]


def check(function: types.FunctionType) -> None:
    """Raises KernelSyntaxError if a parameter is annotated with a union that no kernel takes, and that is no text."""
    for annotation in _annotated.of_function(function).values():
        of(annotation)


def with_arrays(function: types.FunctionType, annotations: dict[str, Any], make: Callable[[types.FunctionType], Any]) -> Any:
    """The launcher of a kernel. `annotations` are the function's, evaluated, with the unions; `make` makes the launcher of a function."""
    arrays = {name: of(annotation) for name, annotation in annotations.items() if annotation is not of(annotation)}
    arrays = {name: array for name, array in arrays.items() if as_array(array) is not None}
    return Launches(function, arrays, make) if arrays else make(function)


class Launches:
    """The launchers of a kernel with optional arrays, `arrays`, by the names of those that are None."""

    def __init__(self, function: types.FunctionType, arrays: dict[str, Any], make: Callable[[types.FunctionType], Any]) -> None:
        code = function.__code__
        names = code.co_varnames[: code.co_argcount]
        defaults = dict(zip(reversed(names), reversed(function.__defaults__ or ())))
        self._function = function
        self._make = make
        self._places = [(names.index(name) if name in names else len(names), name, defaults.get(name, ...)) for name in arrays]
        self._arrays = arrays
        self._made: dict[frozenset[str], Any] = {}
        self._last: Any = None

    @property
    def observations(self) -> Any:
        """Observations of the last launch."""
        return getattr(self._last, "observations", {})

    def of(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The launcher for these arguments."""
        none = frozenset(name for at, name, usual in self._places if (args[at] if at < len(args) else kwargs.get(name, usual)) is None)
        launch = self._made.get(none)
        if launch is None:
            old = self._function
            function = types.FunctionType(old.__code__, old.__globals__, old.__name__, old.__defaults__, old.__closure__)
            function.__dict__.update(old.__dict__)
            function.__qualname__, function.__module__, function.__kwdefaults__ = old.__qualname__, old.__module__, old.__kwdefaults__
            kinds = {name: Template if name in none else array for name, array in self._arrays.items()}
            function.__annotations__ = {**_annotated.of_function(old), **kinds}
            launch = self._made.setdefault(none, self._make(function))
        self._last = launch
        return launch

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.of(args, kwargs)(*args, **kwargs)

    def resume(self, label: int, state: bytes | None, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return self.of(args, kwargs).resume(label, state, args, kwargs)

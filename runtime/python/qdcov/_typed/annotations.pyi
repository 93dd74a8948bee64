"""Annotations of parameters as type checkers and editors are to see them.

Checkers take only classes for types, but `NDArray[qd.f32, 1]` has a number in its brackets. For pyright, a class with a `__class_getitem__` of its
own may have one; for mypy, a variable of type Any. Only mypy knows the constant MYPY, and only pyright leaves out what stands below ``if 0``."""

from collections.abc import Iterator
from typing import Any, Protocol, TypeAlias

from qdcov._typed.values import Matrix

MYPY = False

Template: TypeAlias = Any
def template(element_type: Any = ..., ndim: int | None = ..., *, tensor: Any = ..., dim: int | None = ...) -> Any: ...
def ref(dtype: Any) -> Any: ...
def struct(**members: Any) -> Any: ...

# mypy sees the variables of these names that stand below, pyright the classes.
if MYPY:
    pass
else:
    class _Members:
        def __getattr__(self, name: str) -> Any: ...

    class NDArray(_Members, Protocol):
        """The annotation of an array parameter, `NDArray[qd.f32, 1]`: the type of an element and the number of indices. A call may pass an ndarray,
        a numpy array, or an array of another library."""

        def __class_getitem__(cls, key: Any) -> Any: ...
        @property
        def shape(self) -> tuple[int, ...]: ...
        def __getitem__(self, index: Any, /) -> Any: ...
        def __setitem__(self, index: Any, value: Any, /) -> None: ...
        def __iter__(self) -> Iterator[Any]: ...

    class ndarray(NDArray, Protocol):
        """The annotation of an array parameter, which `NDArray` is, too. Type checkers take it with brackets only."""

        def __class_getitem__(cls, key: Any) -> Any: ...

    vector: TypeAlias = Matrix
    matrix: TypeAlias = Matrix

if 0:
    NDArray: Any
    ndarray: Any
    vector: Any
    matrix: Any

"""Vectors, matrices, structs and views as type checkers and editors are to see them. `annotations` says what MYPY and ``if 0`` are for."""

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, TypeAlias, TypeVar

from qdcov._values.matrix import Matrix as _Matrix
from typing_extensions import dataclass_transform

MYPY = False

_Class = TypeVar("_Class")

class Matrix(_Matrix):
    """A vector or a matrix, and the type of one: ``qd.math.vec3(1, 0, 2)``, ``qd.types.vector[3, qd.f32]``."""

    def __class_getitem__(cls, key: Any) -> Any: ...
    def __new__(cls, *values: Any, dt: Any = ...) -> Any: ...
    zero: ClassVar[Callable[..., Any]]
    one: ClassVar[Callable[..., Any]]
    unit: ClassVar[Callable[..., Any]]
    identity: ClassVar[Callable[..., Any]]
    diag: ClassVar[Callable[..., Any]]
    rows: ClassVar[Callable[..., Any]]
    cols: ClassVar[Callable[..., Any]]
    field: ClassVar[Callable[..., Any]]
    ndarray: ClassVar[Callable[..., Any]]
    tensor: ClassVar[Callable[..., Any]]

Vector: TypeAlias = Matrix

if MYPY:
    @dataclass_transform()
    def dataclass(cls: type[_Class]) -> type[_Class]: ...
else:
    def dataclass(cls: type) -> Any: ...

    class BufferView:
        """A part of an ndarray with one axis."""

        def __class_getitem__(cls, dtype: Any) -> Any: ...
        def __init__(self, arr: Any, offset: Any, size: Any) -> None: ...
        size: int
        shape: tuple[int]
        def __getitem__(self, index: Any, /) -> Any: ...
        def __setitem__(self, index: Any, value: Any, /) -> None: ...
        def __iter__(self) -> Iterator[Any]: ...
        def subview(self, offset: Any, size: Any) -> BufferView: ...
        def __getattr__(self, name: str) -> Any: ...

if 0:
    BufferView: Any

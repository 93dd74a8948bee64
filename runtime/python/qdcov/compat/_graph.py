"""Taichi's `ti.graph`: a list of kernels with named arguments, recorded once and run by the names."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any

from qdcov import _dtypes
from qdcov._arrays.annotations import as_array
from qdcov._arrays.arrays import Ndarray
from qdcov._declined import DECLINED, Declined
from qdcov._errors import KernelCompilationError
from qdcov._kernels.decorators import Kernel
from qdcov._kernels.source import annotations_with_none
from qdcov._values.matrix import Matrix
from qdcov._values.matrix_type import MatrixType
from qdcov._values.struct import StructType


class ArgKind(enum.Enum):
    """The kinds of arguments that a graph takes."""

    SCALAR = enum.auto()
    MATRIX = enum.auto()
    NDARRAY = enum.auto()
    TEXTURE = enum.auto()
    RWTEXTURE = enum.auto()


class Arg:
    """A named argument of a graph; `Graph.run` gives its value."""

    def __init__(self, tag: ArgKind, name: str, dtype: Any = None, ndim: int | None = None, **_described: Any) -> None:
        if tag in (ArgKind.TEXTURE, ArgKind.RWTEXTURE):
            Declined("taichi.graph.ArgKind.TEXTURE", DECLINED["Texture"])()
        self.tag = tag
        self.name = name
        self.dtype = dtype if isinstance(dtype, (MatrixType, StructType)) or dtype is None else _dtypes.require(dtype)
        self.ndim = ndim if tag is ArgKind.NDARRAY else None

    def check(self, parameter: Any) -> None:
        """Refuses the annotation of a kernel's parameter that asks for something else."""
        asked = as_array(parameter)
        if asked is not None and None not in (asked.ndim, self.ndim) and asked.ndim != self.ndim:
            raise KernelCompilationError(f"{self.ndim} from Arg {self.name} doesn't match kernel's annotated ndim={asked.ndim}")
        wanted = _dtypes.resolve(parameter) if asked is None else asked.dtype if asked.element_shape == () else None
        if wanted is not None and self.dtype is not None and wanted != self.dtype:
            raise KernelCompilationError(f"Arg {self.name}'s dtype {self.dtype} doesn't match kernel's annotated dtype={wanted}")

    def given(self, value: Any) -> Any:
        """The value of a run, as a kernel takes it. RuntimeError for an ndarray of another kind."""
        if self.tag is ArgKind.MATRIX and isinstance(self.dtype, MatrixType) and isinstance(value, Matrix) and value.shape != self.dtype.shape:
            return self.dtype(*value.to_numpy().ravel().tolist())
        if isinstance(value, Ndarray):
            own = f"Dispatch node is compiled for argument {self.name} with"
            if self.ndim is not None and self.ndim != value.ndim:
                raise RuntimeError(f"{own} field_dim={self.ndim} but got an ndarray with field_dim={value.ndim}")
            kind = self.dtype.dtype if isinstance(self.dtype, MatrixType) else self.dtype
            if isinstance(kind, _dtypes.DataType) and kind != value.dtype:
                raise RuntimeError(f"{own} dtype={kind} but got an ndarray with dtype={value.dtype}")
        return value


class Sequential:
    """Kernels and sequences, run in this order."""

    def __init__(self) -> None:
        self.parts: list[tuple[Any, tuple[Any, ...]] | Sequential] = []

    def dispatch(self, kernel_fn: Any, *args: Any) -> None:
        """Adds a kernel. An argument that is no Arg is the same in each run; an Arg that does not fit the kernel's annotation is a
        KernelCompilationError, another kind of Arg of the same name a RuntimeError."""
        known = {arg.name: arg.tag for _, given in self.calls() for arg in given if isinstance(arg, Arg)}
        annotations = [*annotations_with_none(kernel_fn._function).values()] if isinstance(kernel_fn, Kernel) else []
        for arg, annotation in zip(args, annotations):
            if isinstance(arg, Arg):
                if known.get(arg.name, arg.tag) is not arg.tag:
                    raise RuntimeError(f"An arg with name {arg.name} already exists!")
                arg.check(annotation)
        self.parts.append((kernel_fn, args))

    def append(self, node: Sequential) -> None:
        """Adds a sequence, with the kernels that it has when the graph is compiled."""
        self.parts.append(node)

    def calls(self) -> list[tuple[Any, tuple[Any, ...]]]:
        """The kernels with their arguments, those of inner sequences in place of these."""
        return [call for part in self.parts for call in (part.calls() if isinstance(part, Sequential) else [part])]


class GraphBuilder(Sequential):
    """Records a graph."""

    def create_sequential(self) -> Sequential:
        return Sequential()

    def compile(self) -> Graph:
        return Graph(self.calls())


class Graph:
    """Recorded kernels. They are compiled when they run first."""

    def __init__(self, calls: list[tuple[Any, tuple[Any, ...]]]) -> None:
        self._calls = calls

    def run(self, args: Mapping[str, Any]) -> None:
        """Runs all kernels. RuntimeError when an argument is missing."""
        names = {arg.name for _, given in self._calls for arg in given if isinstance(arg, Arg)}
        if missing := sorted(names - set(args)):
            raise RuntimeError(f"Graph.run needs a value for {', '.join(missing)}")
        for kernel, given in self._calls:
            kernel(*(arg.given(args[arg.name]) if isinstance(arg, Arg) else arg for arg in given))

"""Taichi's `ti.graph`: a list of kernels with named arguments, recorded once and run by the names."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from typing import Any

from qdcov._declined import DECLINED, Declined


class ArgKind(enum.Enum):
    """The kinds of arguments that a graph takes."""

    SCALAR = enum.auto()
    MATRIX = enum.auto()
    NDARRAY = enum.auto()
    TEXTURE = enum.auto()
    RWTEXTURE = enum.auto()


class Arg:
    """A named argument of a graph; `Graph.run` gives its value."""

    def __init__(self, tag: ArgKind, name: str, *_type: Any, **_described: Any) -> None:
        if tag in (ArgKind.TEXTURE, ArgKind.RWTEXTURE):
            Declined("taichi.graph.ArgKind.TEXTURE", DECLINED["Texture"])()
        self.tag = tag
        self.name = name


class Sequential:
    """Kernels and sequences, run in this order."""

    def __init__(self) -> None:
        self.parts: list[tuple[Any, tuple[Any, ...]] | Sequential] = []

    def dispatch(self, kernel_fn: Any, *args: Any) -> None:
        """Adds a kernel. An argument that is no Arg is the same in each run."""
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
            kernel(*(args[arg.name] if isinstance(arg, Arg) else arg for arg in given))

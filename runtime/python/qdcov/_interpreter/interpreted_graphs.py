"""arch=qd.python: launches of graph kernels."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from qdcov import _dtypes, _execution
from qdcov._arrays import tensor
from qdcov._arrays.arrays import Ndarray
from qdcov._errors import KernelTypeError
from qdcov._interpreter import gates
from qdcov._interpreter.graph_plan import Flag, Plan
from qdcov._interpreter.interpreted import InterpretedKernel
from qdcov._kernels.argument_texts import array_text, text
from qdcov._kernels.graph_status import Outcome


class GraphKernel(InterpretedKernel):
    """A kernel with graph=True. With checkpoints=True it gives outcomes, of which a `qd.GraphStatus` is made."""

    def __init__(self, function: types.FunctionType, checkpoints: bool) -> None:
        self.plan = Plan(graph=True, checkpoints=checkpoints)
        self.file = function.__code__.co_filename
        super().__init__(function, self.plan)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.launch_from(None, None, args, kwargs)  # of a kernel without checkpoints None

    def resume(self, label: int, state: bytes | None, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Outcome:
        """Launches from a checkpoint on; `state` is from the outcome of an earlier launch."""
        outcome = self.launch_from(label, state, args, kwargs)
        assert outcome is not None
        return outcome

    def launch_from(self, label: int | None, state: bytes | None, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Outcome | None:
        if "qd_stream" in kwargs:
            raise RuntimeError(f"kernel {self.name}: qd_stream= is not compatible with graph=True")
        values = self.bound(args, kwargs)
        for flag in self.plan.flags:
            self.check_flag(flag, values)
        launch = gates.Launch(label, state)
        _execution.local.graph = launch
        try:
            self.launch(values)
        finally:
            _execution.local.graph = None
        if not self.plan.checkpoints:
            return None
        if launch.resume_from is not None:  # the label is one of a branch that was left out
            raise RuntimeError(f"{self.name}.resume: no checkpoint {label} is compiled: it stands under an `if` with qd.static that does not hold")
        return launch.yielded, launch.value, launch.state()

    def check_flag(self, flag: Flag, values: list[Any]) -> None:
        """Refuses a flag that is no i32 ndarray of 0 dimensions."""
        given = values[self.binder.names.index(flag.parameter)]
        for member in flag.members:
            given = getattr(given, member, None)
        given = tensor.unwrapped(given)
        if isinstance(given, Ndarray) and (given.dtype, given.shape, given.element_shape) == (_dtypes.i32, (), ()):
            return
        if isinstance(given, np.ndarray) and (given.dtype, given.shape) == (np.int32, ()):
            return
        got = array_text(_dtypes.BY_NUMPY.get(given.dtype.type), given.ndim) if isinstance(given, np.ndarray) else text(given)
        name = ".".join((flag.parameter, *flag.members))
        expected = array_text(_dtypes.i32, 0)
        raise KernelTypeError(f"{self.file}:{flag.line}: `{name}`, the flag of {flag.of}: expected {expected}, got {got}")


def kernel(function: types.FunctionType, graph: bool, checkpoints: bool) -> Callable[..., Any]:
    """The launcher of a kernel on arch=qd.python."""
    return GraphKernel(function, checkpoints) if graph else InterpretedKernel(function)

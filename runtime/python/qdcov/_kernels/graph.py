"""Names for schedules in kernels: repeated parts, parts side by side, checkpoints. Names only: the compiler and arch=qd.python know them."""

from __future__ import annotations

from typing import Any, NoReturn

from qdcov._errors import KernelRuntimeError


def _in_kernels_only(what: str, how: str) -> NoReturn:
    raise KernelRuntimeError(f"{what} works in kernels only: {how}")


def do_while(flag: Any, /) -> bool:
    """``while qd.graph.do_while(flag):`` at the top level of a graph kernel, or directly in another one, runs its body once, and again as long as the
    flag is not 0 after a pass. The flag is an argument of the kernel: an ndarray of qd.i32 without axes, which the body changes. The loops directly
    in the body are parallel loops."""
    _in_kernels_only("qd.graph.do_while", "write `while qd.graph.do_while(flag):` in a @qd.kernel(graph=True)")


def graph_do_while(flag: Any, /) -> bool:
    """The older name of `qd.graph.do_while`, with its `flag`. A kernel that has it warns that it is."""
    _in_kernels_only("qd.graph_do_while", "write `while qd.graph.do_while(flag):` in a @qd.kernel(graph=True)")


def parallel_context() -> Any:
    """``with qd.graph.parallel_context():`` in a graph kernel holds sections, each a ``with qd.graph.parallel():``, which run side by side, in any
    order. Later code begins when all of them are complete."""
    _in_kernels_only("qd.graph.parallel_context", "write `with qd.graph.parallel_context():` in a @qd.kernel(graph=True)")


def parallel() -> Any:
    """``with qd.graph.parallel():`` is a section of a ``with qd.graph.parallel_context():``. The loops of a section run one after the other."""
    _in_kernels_only("qd.graph.parallel", "write `with qd.graph.parallel():` in a `with qd.graph.parallel_context():`")


def stream_parallel() -> Any:
    """``with qd.stream_parallel():`` at the top level of a kernel holds loops, which run one after the other. The blocks of a kernel run side by
    side, in any order: none may write what another one reads or writes. The kernel is complete when all of them are."""
    _in_kernels_only("qd.stream_parallel", "write `with qd.stream_parallel():` at the top level of a kernel")


def checkpoint(cp_id: int, yield_on: Any = None) -> Any:
    """``with qd.checkpoint(cp_id, yield_on=flag):`` holds loops of a @qd.kernel(graph=True, checkpoints=True). When the flag, an ndarray of qd.i32
    without axes, is not 0 after them, the launch yields: the loops that follow do not run, and the call gives a `qd.GraphStatus` with the label,
    `cp_id`. ``kernel.resume(..., from_checkpoint=status)`` then goes on there; the flag is the program's to set back."""
    _in_kernels_only("qd.checkpoint", "write `with qd.checkpoint(cp_id, yield_on=flag):` in a @qd.kernel(graph=True, checkpoints=True)")


DO_WHILE = {do_while, graph_do_while}
CONTEXTS = {stream_parallel, parallel_context, parallel, checkpoint}
"""Contexts of a `with` in a kernel."""

NAMES = {
    do_while: "qd.graph.do_while", graph_do_while: "qd.graph_do_while", parallel_context: "qd.graph.parallel_context",
    parallel: "qd.graph.parallel", stream_parallel: "qd.stream_parallel", checkpoint: "qd.checkpoint",
}  # fmt: skip
"""Names of the contexts in messages."""

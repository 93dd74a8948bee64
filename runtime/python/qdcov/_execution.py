"""State of a thread on arch=qd.python: the kernel that it is running, and the options of qd.init."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from qdcov._errors import KernelSyntaxError


class _Local(threading.local):
    depth: int = 0
    in_library: bool = False  # the host has called a func of the language
    folds: bool = False  # the host calls a function for a kernel, which takes the result for a constant: see `folded`
    iteration: int | None = None  # of the parallel loop around; None outside of one
    index: Any = None  # of that iteration: the value of its loop variables
    variables: str | tuple[str, ...] | None = None  # the names of these
    routine: bool = False  # in a qd.real_func, which knows its loop as little as a compiled one
    serial: bool = False  # the next loop
    alone: bool = False  # under a serial loop or a condition of the kernel, outside of a parallel loop
    block_dim: int | None = None  # of the next loop, if it has blocks; None: the default
    width: int = 1  # the block_dim of the parallel loop around
    thread: Any = None  # of a block, which is running now: see `simt._block_threads`
    arguments: tuple[tuple[str, Any], ...] = ()  # of the running kernel, in debug mode
    graph: Any = None  # the launch of a graph kernel: see `_interpreter.gates`
    fork: Any = None  # in debug mode, the blocks that run side by side: see `_interpreter.claims`
    random: tuple[object, np.random.Generator] | None = None  # with the run that it is of


local = _Local()


class Options:
    """The options of qd.init that kernels read while they run. `run` is another object after each qd.init."""

    run = object()
    seed = 0
    debug = False
    bounds = False
    block_dim = 128
    subgroup_size = 32


def start(config: Any) -> None:
    """Takes over the options of qd.init."""
    Options.seed, Options.debug, Options.bounds, Options.run = config.random_seed, config.debug, config.check_out_of_bound, object()
    Options.block_dim, Options.subgroup_size = config.default_gpu_block_dim, config.cpu_subgroup_size


def debug() -> bool:
    return Options.debug


def bounds() -> bool:
    """Whether indices are checked."""
    return Options.bounds


def inside() -> bool:
    """Whether this thread is running a kernel."""
    return local.depth > 0


def folded(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of a function of the host with constants, in the code of a kernel. Elements of arrays are no constants: reading one raises
    KernelSyntaxError."""
    before, local.folds = local.folds, True
    try:
        return function(*args, **kwargs)
    finally:
        local.folds = before


def check_element() -> None:
    """Called when the host reads or writes an element of an array."""
    if local.folds:
        raise KernelSyntaxError("an element of an array is used while a kernel is compiled: it is no constant")


def iteration() -> int:
    """The number of the thread in messages: that of the parallel loop's iteration, 0 in serial code."""
    return local.iteration or 0


def place() -> str | None:
    """The iteration of the parallel loop in messages, by its loop variables: "at i=3, j=5". None in serial code."""
    names, index = local.variables, local.index
    if local.routine or local.iteration is not None and names is None:
        return f"tid={iteration()}"
    if local.iteration is None or names is None:
        return None
    if isinstance(names, str) or np.ndim(index) == 0:
        names, index = (names,) if isinstance(names, str) else names, (index,)
    return "at " + ", ".join(f"{name}={[int(x) for x in value] if np.ndim(value) else value}" for name, value in zip(names, index))


def outward(x: Any) -> Any:
    """A scalar for its reader: typed in a kernel and in a func of the language, a Python number on the host."""
    return x if local.depth or local.in_library else x.item()


def generator() -> np.random.Generator:
    """The random numbers of this thread, seeded anew by each qd.init."""
    if local.random is None or local.random[0] is not Options.run:
        local.random = Options.run, np.random.default_rng(Options.seed)
    return local.random[1]


def numbered(things: Iterable[Any], around: list[int]) -> Iterable[Any]:
    """The iterable of a loop; meanwhile the number of its iteration is the last one of `around`."""
    around.append(0)
    try:
        for around[-1], thing in enumerate(things):
            yield thing
    finally:
        around.pop()

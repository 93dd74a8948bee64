"""Observations of the caches for a kernel, for tests and benchmarks."""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass(frozen=True)
class SrcLlCacheObservations:
    """The front end's part, when a variant was compiled last."""

    cache_key_generated: bool = False
    """The kernel may be kept: no argument is an object whose attributes it reads."""
    cache_validated: bool = False
    """One is kept whose reads from outside all give the same now."""
    cache_loaded: bool = False
    """It was taken: the front end did not run."""
    cache_stored: bool = False
    """The front end ran, and its result is kept."""


@dataclasses.dataclass(frozen=True)
class FeLlCacheObservations:
    """The code generator's part, when a variant was compiled last."""

    cache_hit: bool = False
    """The machine code was in the offline cache."""


@dataclasses.dataclass(frozen=True)
class LaunchObservations:
    """The last launch."""

    found_kernel_in_materialize_cache: bool = False
    """It ran a variant that was compiled before."""
    num_offloaded_tasks: int = 0
    """The number of tasks of the variant: its parallel loops, and the serial code between them. Those of a do-while count once."""
    gradient_stack_bytes: int = 0
    """The memory for the stacks of a gradient, in bytes: for the numbers that it keeps from serial loops whose length is known at run time only."""
    loop_forms: tuple[str, ...] = ()
    """Forms of the variant's parallel loops on the CPU: several iterations at a time, or one, and why:
    "line 31: one iteration at a time, for a print (line 33)"."""
    graph_num_nodes: int = 0
    """The number of nodes of its graph on the device; 0 on devices without graphs, the CPU among them."""
    graph_cache_used: bool = False
    """The device's graph of an earlier launch was taken."""
    graph_num_checkpoints: int = 0
    """The number of checkpoints of the device's graph."""


def of(launch: Any, kind: type[Any]) -> Any:
    """The observations of one kind; `launch` is the kernel's launcher, which has seen nothing before it is the native kernel."""
    seen = getattr(launch, "observations", {})
    return kind(**{field.name: seen[field.name] for field in dataclasses.fields(kind) if field.name in seen})

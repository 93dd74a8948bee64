"""What the caches did for a kernel: tests and benchmarks look at it."""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass(frozen=True)
class SrcLlCacheObservations:
    """The front end's part, when a variant was compiled last."""

    cache_key_generated: bool = False
    """The kernel may be kept: no argument is an object that it looks into."""
    cache_validated: bool = False
    """One is kept of which all that it reads from outside is the same now."""
    cache_loaded: bool = False
    """It was taken: the front end did not run."""
    cache_stored: bool = False
    """The front end ran, and what it gave is kept."""


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
    """How many tasks the variant has: its parallel loops, and the serial code between them. Those of a do-while count once."""
    graph_num_nodes: int = 0
    """How many nodes the device's graph of it has; 0 on devices without graphs, the CPU among them."""
    graph_cache_used: bool = False
    """The device's graph of an earlier launch was taken."""
    graph_num_checkpoints: int = 0
    """How many checkpoints the device's graph has."""


def of(launch: Any, kind: type[Any]) -> Any:
    """The observations of one kind; `launch` is what a kernel calls, nothing is seen before that is the native kernel."""
    seen = getattr(launch, "observations", {})
    return kind(**{field.name: seen[field.name] for field in dataclasses.fields(kind) if field.name in seen})

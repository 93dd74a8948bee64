"""Times of kernels: `qd.init(kernel_profiler=True)`, or QD_KERNEL_PROFILER=1, has the device measure each launch.

The time of a launch is that of its tasks, the parallel loops and the serial code between them, on the device. It does not contain the compilation,
nor Python's work to call the kernel. On arch=qd.python it is the time of the whole call. Launches of all threads count. One that ends early, by a
failed assert or by Ctrl-C, counts with the time until then; a call that was refused for its arguments does not."""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any

from qdcov import _profile_tables, _runtime
from qdcov._kernel_times import Profile as _Profile

NOT_YET = frozenset({
    "CuptiMetric", "collect_kernel_profiler_metrics", "get_predefined_cupti_metrics", "set_kernel_profiler_metrics",
    "print_scoped_profiler_info", "clear_scoped_profiler_info", "print_memory_profiler_info",
})  # fmt: skip
"""Names of the profiler that this version does not have."""


@dataclasses.dataclass(frozen=True)
class KernelProfilerQueryResult:
    """The launches of a kernel: their number, and the shortest, the longest and the mean one, in milliseconds."""

    counter: int
    min: float
    max: float
    avg: float


def print_kernel_profiler_info(mode: str = "count") -> None:
    """Prints a table on standard output, after waiting for the launches that were made so far.

    ``"count"``: a row for each kernel, with its share of the time of all, the total in seconds, the number of launches, and the shortest, mean
    and longest one in milliseconds; the longest total first. Below a kernel that has several tasks stands a row for each of them.
    ``"trace"``: a row for each task that ran, with its beginning, counted from that of the first one, and its time in milliseconds. The latest
    1048576 are kept. Raises ValueError for another mode."""
    if mode not in ("count", "trace"):
        raise ValueError(f"mode must be 'count' or 'trace', not {mode!r}")
    profile = _profile()
    if profile is None:
        return
    device = f"{_runtime.config().arch.upper()} on {profile.device_name()}"
    kernels, color = profile.kernel_times(), _profile_tables.colored()
    if mode == "count":
        table = _profile_tables.count_table(kernels, device, color)
    else:
        table = _profile_tables.trace_table(kernels, *profile.kernel_records(), device, color)
    print(table, flush=True)


def query_kernel_profiler_info(name: str) -> KernelProfilerQueryResult | None:
    """The launches of a kernel since the last clear_kernel_profiler_info().

    `name` is that of its function; kernels that have the same name are taken together. A task may be asked for as well, by its name in the table,
    such as ``"fill:12 for"``. All are 0 when there was no launch of that name; None, with a warning, when the profiler is off."""
    profile = _profile()
    if profile is None:
        return None
    found = []
    for kernel, _, _, times, tasks in profile.kernel_times():
        found += [times] if kernel == name else [its for task, its in tasks if task == name]
    found = [times for times in found if times[0] > 0]
    if not found:
        return KernelProfilerQueryResult(0, 0.0, 0.0, 0.0)
    count, total = sum(times[0] for times in found), sum(times[1] for times in found)
    return KernelProfilerQueryResult(count, min(times[2] for times in found) / 1e6, max(times[3] for times in found) / 1e6, total / count / 1e6)


def clear_kernel_profiler_info() -> None:
    """Forgets all times, after waiting for the launches that were made so far."""
    profile = _profile()
    if profile is not None:
        profile.clear_kernel_times()


def get_kernel_profiler_total_time() -> float:
    """The time of all launches since the last clear_kernel_profiler_info(), in seconds; 0.0, with a warning, when the profiler is off."""
    profile = _profile()
    return 0.0 if profile is None else _profile_tables.total(profile.kernel_times()) / 1e9


def set_kernel_profiler_toolkit(toolkit_name: str = "default") -> bool:
    """Whether the times can be measured with the toolkit `toolkit_name`. There is one, ``"default"``: the device's own clock."""
    if _profile() is None:
        return False
    if toolkit_name != "default":
        warnings.warn(f"the kernel profiler has no toolkit {toolkit_name!r}: 'default' measures", stacklevel=2)
    return toolkit_name == "default"


def _profile() -> _Profile | None:
    """The profiler of the launches so far, all of which are over. None, with a warning, when nothing measures. Raises before qd.init."""
    profile = _runtime.running().profile
    if profile is None:
        warnings.warn("the kernel profiler is off: qd.init(kernel_profiler=True), or QD_KERNEL_PROFILER=1, turns it on", stacklevel=3)
        return None
    profile.finish_launches()
    return profile


def __getattr__(name: str) -> Any:
    if name in NOT_YET:
        raise AttributeError(f"qd.profiler.{name} is not supported yet")
    raise AttributeError(f"module 'qd.profiler' has no attribute {name!r}")

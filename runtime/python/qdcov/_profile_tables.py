"""The tables that qd.profiler prints."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence

from qdcov._kernel_times import KernelRow, Record, Times

_MS = 1e6
_S = 1e9
"""Nanoseconds in a millisecond, and in a second."""

_HOT = ((50.0, "31"), (10.0, "33"))
"""Colours of a share from so many percent on: red, yellow."""


def colored() -> bool:
    """Whether standard output is a terminal that wants colour: https://no-color.org."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def names(kernels: Sequence[KernelRow]) -> list[str]:
    """The names of kernels in the tables: by their names, and if several have the same name by their places as well."""
    all_names = [name for name, *_ in kernels]
    return [name if all_names.count(name) == 1 else f"{name} ({os.path.basename(file)}:{line})" for name, file, line, *_ in kernels]


def total(kernels: Sequence[KernelRow]) -> int:
    """The time of all launches, in nanoseconds."""
    return sum(times[1] for _, _, _, times, _ in kernels)


def count_table(kernels: Sequence[KernelRow], device: str, color: bool) -> str:
    """A row for each kernel, the longest first, and below it one for each of its tasks if it has several."""
    everything = total(kernels)
    rows: list[tuple[str, Times, bool]] = []
    for name, (*_, times, tasks) in sorted(zip(names(kernels), kernels), key=lambda row: -row[1][3][1]):
        rows.append((name, times, False))
        ran = [(task, its) for task, its in tasks if its[0] > 0]
        rows += [("  " + task, its, True) for task, its in ran if len(ran) > 1]
    shares = [100.0 * times[1] / everything if everything else 0.0 for _, times, _ in rows]
    columns = [
        _column("%", [f"{share:.2f}%" for share in shares], 7),
        _column("total", [f"{times[1] / _S:.6f} s" for _, times, _ in rows], 11),
        _column("count", [f"{times[0]}x" for _, times, _ in rows], 7),
        _column("|", ["|"] * len(rows), 1),
        _column("min", [f"{times[2] / _MS:.4f}" for _, times, _ in rows], 9),
        _column("avg", [f"{times[1] / times[0] / _MS:.4f}" for _, times, _ in rows], 9),
        _column("max", [f"{times[3] / _MS:.4f}" for _, times, _ in rows], 9),
    ]

    def painted(row: int, text: str) -> str:
        code = "2" if rows[row][2] else next((code for least, code in _HOT if shares[row] >= least), "")
        return f"\x1b[{code}m{text}\x1b[0m" if color and code else text

    head = f"[{' '.join(column[0] for column in columns)}   ] Kernel name"
    body = [painted(i, f"[{' '.join(column[i + 1] for column in columns)} ms] {name}") for i, (name, _, _) in enumerate(rows)]
    summary = f"[100.00%] Total execution time: {everything / _S:.6f} s   number of results: {len(kernels)}"
    return _framed(f"Kernel Profiler(count) @ {device}", head, body, summary, color)


def trace_table(kernels: Sequence[KernelRow], records: Sequence[Record], dropped: int, device: str, color: bool) -> str:
    """A row for each task that ran, in the order in which the launches ended."""
    own = names(kernels)
    columns = [
        _column("start.time", [f"{begin / _MS:.4f} ms" for _, _, begin, _ in records], 13),
        _column("|", ["|"] * len(records), 1),
        _column("kernel.time", [f"{took / _MS:.4f} ms" for _, _, _, took in records], 13),
    ]
    tasks = [[name for name, _ in row[4]] for row in kernels]
    called = [own[kernel] if len(tasks[kernel]) == 1 else f"{own[kernel]}  {tasks[kernel][task]}" for kernel, task, _, _ in records]
    head = f"[{' '.join(column[0] for column in columns)} ] Kernel name"
    body = [f"[{' '.join(column[i + 1] for column in columns)} ] {name}" for i, name in enumerate(called)]
    older = f"   ({dropped} older ones are not kept)" if dropped else ""
    return _framed(f"Kernel Profiler(trace) @ {device}", head, body, f"Number of records:  {len(records)}{older}", color)


def _column(head: str, cells: list[str], least: int) -> list[str]:
    width = max(least, *map(len, [head, *cells]))
    return [cell.rjust(width) for cell in [head, *cells]]


def _framed(title: str, head: str, body: list[str], summary: str, color: bool) -> str:
    outer = "=" * max(len(title), len(head), len(summary))
    bold: Callable[[str], str] = (lambda text: f"\x1b[1m{text}\x1b[0m") if color else str
    return "\n".join([outer, bold(title), outer, head, "-" * len(outer), *body, "-" * len(outer), bold(summary), outer])

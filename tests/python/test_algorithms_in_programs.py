"""Programs that use qd.algorithms: nothing of the package is in their coverage, they have no more probes, every cache knows the algorithms, and
errors name the place where the program calls them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import qd
from cache_programs import program, result, runner
from library_programs import lines_and_branches, measured, probe_rows
from qd import algorithms

SIM = """\
import sys

import numpy as np
import qd

qd.init(arch=sys.argv[1], log_level="error", offline_cache=False, debug="debug" in sys.argv)
Ints = qd.types.ndarray(dtype=qd.i32, ndim=1)
Slots = qd.types.ndarray(dtype=qd.u32, ndim=1)


@qd.kernel
def step(x: Ints, out: Ints, scratch: Slots, n: qd.i32):
    for i in range(n):
        if x[i] > 100:
            x[i] = 100
    qd.algorithms.reduce_max(x, out, scratch, n, qd.i32, 2)
    qd.algorithms.exclusive_scan_add(x, x, scratch, n, qd.i32, 2)
    if out[0] > 50:
        out[0] = qd.algorithms.reduce_scratch_slots(n, 2)


@qd.kernel
def unused(x: Ints, out: Ints, scratch: Slots):
    qd.algorithms.reduce_add(x, out, scratch, 3, qd.i32, 2)


x = np.arange(40, dtype=np.int32)
step(x, np.zeros(1, np.int32), np.zeros(8, np.uint32), 40)
assert x[39] == sum(range(39))
keys = qd.field(qd.f32, shape=9)
keys.from_numpy(np.arange(9, 0, -1).astype(np.float32))
qd.algorithms.parallel_sort(keys)
assert list(keys.to_numpy()) == list(range(1, 10))
sums = qd.field(qd.i32, shape=9)
sums.fill(1)
qd.algorithms.PrefixSumExecutor(9).run(sums)
assert sums[8] == 9
"""


def test_only_the_program_is_measured(tmp_path: Path, back_end_name: str) -> None:
    found = lines_and_branches(tmp_path, SIM, back_end_name)
    assert found[1:] == [[15, 19, 24], [[13, 14], [13, 16], [14, 13], [18, -11]], [[14, 15], [18, 19]]]


def test_no_probe_of_them(tmp_path: Path, back_end_name: str) -> None:
    """A program has as many probes, functions and conditions as with another statement in the place of each call."""
    plain = "".join("    pass\n" if "qd.algorithms.r" in line and "out[0]" not in line or "_scan_" in line else line for line in SIM.splitlines(True))
    plain = plain.replace("qd.algorithms.reduce_scratch_slots(n, 2)", "n").replace("assert x[39]", "assert True or x[39]")
    shown = []
    for text in (SIM, plain):
        measured(tmp_path, text, back_end_name)
        shown.append(probe_rows(tmp_path))
    assert shown[0] == shown[1]
    assert [row[:3] for row in shown[0]] == [["11", "kernel", "step"], ["22", "kernel", "unused"]]


CACHED = """\
import json

import numpy as np
import qd

qd.init(log_level="error")


@qd.kernel(fastcache=True)
def work(
    x: qd.types.ndarray(dtype=qd.f32, ndim=1), t: qd.types.ndarray(dtype=qd.f32, ndim=1), scratch: qd.types.ndarray(dtype=qd.u32, ndim=1),
    n: qd.types.ndarray(dtype=qd.i32, ndim=0),
):
    qd.algorithms.sort(x, t, x, t, scratch, n, qd.f32, False, 32, 2)
    qd.algorithms.reduce_add(x, t, scratch, n[()], qd.f32, 2)


x, t = np.array([3, 1, 2], np.float32), np.zeros(3, np.float32)
work(x, t, np.zeros(qd.algorithms.sort_scratch_slots(3, 2), np.uint32), np.array(3, np.int32))
found = work._primal.src_ll_cache_observations
print(json.dumps([x.tolist(), float(t[0]), [found.cache_key_generated, found.cache_validated, found.cache_loaded, found.cache_stored]]))
"""


def test_fastcache(tmp_path: Path) -> None:
    run = runner(tmp_path)
    path = program(tmp_path, CACHED)
    assert result(run(path)) == [[1, 2, 3], 6, [True, False, False, True]]
    assert result(run(path)) == [[1, 2, 3], 6, [True, True, True, False]]


@qd.kernel
def wrong(x: qd.types.ndarray(dtype=qd.f32, ndim=1), s: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    algorithms.reduce_add(x, x, s, 3, qd.f32, 1)


def test_an_error_is_told_at_the_call(back_end: str) -> None:
    with pytest.raises(qd.KernelCompilationError) as error:
        wrong(np.zeros(3, np.float32), np.zeros(3, np.int32))
    text = str(error.value)
    assert f"{Path(__file__).name}:{wrong._function.__code__.co_firstlineno + 2}" in text
    assert "algorithms.reduce_add(x, x, s, 3, qd.f32, 1)" in text
    assert "algorithms/" not in text
    assert "reduce_add: for qd.f32 the scratch has elements of type qd.u32, not qd.i32" in text


def test_the_profiler_names_the_line_of_the_call(back_end: str, capsys: pytest.CaptureFixture[str]) -> None:
    qd.init(arch=back_end, log_level="error", kernel_profiler=True)

    @qd.kernel
    def work(x: qd.types.ndarray(dtype=qd.f32, ndim=1), s: qd.types.ndarray(dtype=qd.u32, ndim=1)):
        algorithms.reduce_add(x, x, s, 3, qd.f32, 1)

    work(np.zeros(3, np.float32), np.zeros(3, np.uint32))
    qd.profiler.print_kernel_profiler_info()
    line = work._function.__code__.co_firstlineno + 2
    assert f"  work:{line} for\n" in capsys.readouterr().out

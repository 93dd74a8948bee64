"""Loops and branches of a kernel are in graphs of CUDA's driver, so that the device repeats tasks without the host. On the simulated drivers."""

from __future__ import annotations

from pathlib import Path

import pytest
from gpu_graph_programs import LIBRARY, run

pytestmark = pytest.mark.skipif(not LIBRARY.exists(), reason="the simulated drivers are not built")


@pytest.fixture(params=["cuda", "amdgpu"])
def arch(request: pytest.FixtureRequest) -> str:
    return str(request.param)


DO_WHILE = """
left = qd.ndarray(qd.i32, ())
left[()] = 20
before = calls()
repeated(x, left)
expected = 0
for _ in range(20):
    expected = (expected + 1) * 2
assert x.to_numpy().tolist() == [expected] * 1000
assert since(before) == FIRST, since(before)
left[()] = 20
before = calls()
repeated(x, left)
qd.sync()
assert since(before) == AGAIN, "the next launch has the same memory, and the graph of it"
"""
# CUDA: three loops and the task that asks for the condition; a kernel in front of the loop and one at the end of its body set the node's value.
ON_DEVICE = "FIRST, AGAIN = [6, 1, 1], [0, 1, 0]\n"
# Two iterations and the one that is captured are launched task by task: three loops, and the task that reads the condition.
ON_HOST = "FIRST, AGAIN = [12, 18, 1], [0, 20, 0]\n"


def test_the_body_of_a_do_while_is_one_call(tmp_path: Path, arch: str) -> None:
    run(tmp_path, arch, (ON_DEVICE if arch == "cuda" else ON_HOST) + DO_WHILE)


CALLS = ["StreamBeginCaptureToGraph", "StreamGetCaptureInfo_v2", "StreamUpdateCaptureDependencies", "GraphConditionalHandleCreate", "GraphAddNode"]


@pytest.mark.parametrize("function", CALLS)
def test_the_host_asks_for_conditions_where_the_driver_cannot(tmp_path: Path, arch: str, function: str) -> None:
    if arch != "cuda":
        pytest.skip("HIP has no conditions in graphs")
    # Captures in vain have called the driver, too.
    tried = """
tried, calls_of_all = None, calls


def calls():
    return calls_of_all() if tried is None else [a - b for a, b in zip(calls_of_all(), tried)]


warm = qd.ndarray(qd.i32, ())
warm[()] = 1
repeated(qd.ndarray(qd.i32, 10), warm)
qd.sync()
tried = calls_of_all()
"""
    run(tmp_path, arch, tried + ON_HOST + DO_WHILE, QD_SIMULATED_FAIL=f"cu{function}=801@1+")


NESTED = """
@qd.kernel(graph=True, checkpoints=True)
def nested(x: array, outer: number, inner: number, stop: number):
    while qd.graph.do_while(outer):
        for _ in range(1):
            x[0] += 1
            inner[()] = x[0]
        while qd.graph.do_while(inner):
            with qd.checkpoint(1, yield_on=stop):
                for _ in range(1):
                    x[1] += 1
                    stop[()] = qd.i32(x[1] == x[3])
            for _ in range(1):
                inner[()] -= 1
        for _ in range(1):
            outer[()] -= 1
    for _ in range(1):
        x[2] += 1


outer, inner, stop = (qd.ndarray(qd.i32, ()) for _ in range(3))
for run in range(3):
    outer[()] = 4
    x.fill(0)
    before = calls()
    assert not nested(x, outer, inner, stop).yielded
    assert x.to_numpy()[:4].tolist() == [4, 1 + 2 + 3 + 4, 1, 0]
    made = since(before)
assert made == [0, 1, 0], made
outer[()] = 4
x.fill(0)
x[3] = 5
status = nested(x, outer, inner, stop)
assert status.yielded and x.to_numpy()[:3].tolist() == [3, 5, 0]
stop[()] = 0
x[3] = 0
assert not nested.resume(x, outer, inner, stop, from_checkpoint=status).yielded
"""


def test_nested_loops_and_checkpoints_are_one_call(tmp_path: Path, arch: str) -> None:
    if arch != "cuda":
        pytest.skip("HIP has no conditions in graphs")
    run(tmp_path, arch, NESTED)


IN_LOOPS = """
@qd.kernel(graph=True)
def both(x: array, y: array, left: number):
    while qd.graph.do_while(left):
        with qd.graph.parallel_context():
            with qd.graph.parallel():
                for i in x:
                    x[i] = x[i] * 3 + 1
            with qd.graph.parallel():
                for i in y:
                    y[i] += 2
                for i in y:
                    y[i] *= 2
        for _ in range(1):
            left[()] -= 1


left, a, b = qd.ndarray(qd.i32, ()), 0, 0
for run in range(3):
    left[()] = 6
    before = calls()
    both(x, y, left)
    for _ in range(6):
        a, b = a * 3 + 1, (b + 2) * 2
    assert x.to_numpy().tolist() == [a] * 1000 and y.to_numpy().tolist() == [b] * 1000
assert since(before) == [0, 1, 0], since(before)
"""


@pytest.mark.parametrize("seed", ["1", "2"])
def test_sections_of_a_fork_are_in_the_body_of_a_loop(tmp_path: Path, arch: str, seed: str) -> None:
    if arch != "cuda":
        pytest.skip("HIP has no conditions in graphs")
    run(tmp_path, arch, IN_LOOPS, QD_SIMULATED_SEED=seed)


ENDLESS = """
import time

qd.init(arch=sys.argv[1], enable_fallback=False, log_level="error", device_timeout=0.5)
z, left = qd.ndarray(qd.i32, 10), qd.ndarray(qd.i32, ())


@qd.kernel(graph=True)
def endless(x: array, left: number):
    while qd.graph.do_while(left):
        for i in x:
            x[i] += 1


left[()] = 1
begin = time.monotonic()
try:
    endless(z, left)
    qd.sync()
except RuntimeError as error:
    assert "device_timeout" in str(error), error
else:
    raise AssertionError("not told")
assert time.monotonic() - begin < 5
left[()] = 0
endless(z, left)
assert z[0] > 1, "the device goes on"
"""


def test_a_loop_that_does_not_end_is_stopped(tmp_path: Path, arch: str) -> None:
    run(tmp_path, arch, ENDLESS)


FAILS = """
@qd.kernel(graph=True)
def fails(x: array, left: number, most: qd.i32):
    while qd.graph.do_while(left):
        for i in x:
            x[i] += 1
            assert x[i] < most, "too large"
        for _ in range(1):
            left[()] -= 1
    for i in x:
        x[i] = -1


left = qd.ndarray(qd.i32, ())
for _ in range(2):
    x.fill(0)
    left[()] = 5
    try:
        fails(x, left, 3)
        qd.sync()
    except qd.KernelAssertionError as error:
        assert "too large" in str(error)
    else:
        raise AssertionError("not told")
    assert (x[0], left[()]) == (3, 3), "nothing runs behind the iteration that failed"
left[()] = 5
x.fill(0)
fails(x, left, 10)
assert x[0] == -1 and left[()] == 0
"""


def test_a_failed_assert_ends_the_loop(tmp_path: Path, arch: str) -> None:
    run(tmp_path, arch, FAILS, "debug")

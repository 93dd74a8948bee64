"""Tasks that a kernel repeats are graphs of the driver, which one call launches. On the simulated drivers."""

from __future__ import annotations

from pathlib import Path

import pytest
from gpu_graph_programs import LIBRARY, run

pytestmark = pytest.mark.skipif(not LIBRARY.exists(), reason="the simulated drivers are not built")


@pytest.fixture(params=["cuda", "amdgpu"])
def arch(request: pytest.FixtureRequest) -> str:
    return str(request.param)


PARAMETERS = """
expected = np.zeros(1000, np.int64)


def step(n, a):
    steps(x, n, a)
    expected[:n] = (expected[:n] + a) * 2 - a
    assert np.array_equal(x.to_numpy(), expected), (n, a)


for a in range(6):
    step(1000, a)
before = calls()
for a in range(5):
    step(1000, -2 * a)
assert since(before) == [0, 5, 0], "other numbers in the same graph"
step(10, 3)
step(1000, 3)
z = qd.ndarray(qd.i32, 1000)
steps(z, 1000, 1)
assert z[3] == 1 and z[999] == 1, "another array in the same graph"

qd.sync()
del x, y, z
qd.reset()
gc.collect()
assert driver.qd_simulated_live(b"graph") == 0 and driver.qd_simulated_live(b"event") == 0
"""


def test_a_graph_takes_new_parameters(tmp_path: Path, arch: str) -> None:
    run(tmp_path, arch, PARAMETERS)


SECTIONS = """
a = b = 0
before = calls()
for _ in range(12):
    sections(x, y)
    a, b = a * 3 + 1, (b + 2) * 2
assert x.to_numpy().tolist() == [a] * 1000 and y.to_numpy().tolist() == [b] * 1000
assert since(before)[1:] == [10, 1], since(before)
"""


@pytest.mark.parametrize("seed", ["1", "2"])
def test_sections_of_a_fork_are_in_the_graph(tmp_path: Path, arch: str, seed: str) -> None:
    run(tmp_path, arch, SECTIONS, QD_SIMULATED_SEED=seed)


EACH_TIME = """
z = qd.ndarray(qd.f32, 1000)
seen = []
for _ in range(6):
    drawn(z)
    seen.append(z.to_numpy().tobytes())
assert len(set(seen)) == 6, "random numbers are new each time"
for k in range(6):
    assert checked(x, 0) == 1000 * (k + 1)
for k in range(2):
    try:
        checked(x, 10**6)
    except qd.KernelAssertionError as error:
        assert "too small" in str(error)
    else:
        raise AssertionError("not told")
assert checked(x, 0) == 9000
"""


def test_graphs_draw_and_fail_as_launches_do(tmp_path: Path, arch: str) -> None:
    run(tmp_path, arch, EACH_TIME, "debug")


WITHOUT = """
for a in range(6):
    steps(x, 1000, 1)
assert x[0] == 63 and calls()[1] == 0
"""


@pytest.mark.parametrize("function", ["StreamBeginCapture", "StreamEndCapture", "GraphInstantiateWithFlags"])
def test_a_driver_that_makes_no_graph_launches_tasks(tmp_path: Path, arch: str, function: str) -> None:
    prefix = {"cuda": "cu", "amdgpu": "hip"}[arch]
    suffix = "_v2" if (arch, function) == ("cuda", "StreamBeginCapture") else ""
    run(tmp_path, arch, WITHOUT, QD_SIMULATED_FAIL=f"{prefix}{function}{suffix}=801@1+")

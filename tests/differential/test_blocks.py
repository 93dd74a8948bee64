"""Kernels with blocks of threads against their definition: results, lines and arcs of the same launches as plain Python under coverage.py.

QD_BLOCKS=600 runs more kernels than the default; QD_FIRST_SEED=400 others."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import hung_programs
import pytest
import qd
from block_generator import BlockGenerator, block_driver
from test_kernel_coverage import Mode, measured, run, show

KERNELS_A_FILE = 2
FIRST = int(os.environ.get("QD_FIRST_SEED", "0"))
SEEDS = range(FIRST, FIRST + -(-int(os.environ.get("QD_BLOCKS", "8")) // KERNELS_A_FILE))


def mode_of(seed: int) -> Mode:
    return Mode(debug=seed % 3 == 1, branch=seed % 5 != 4, switch=seed % 4)


def lanes_of(arch: str, wanted: int) -> int:
    """The number of threads of a subgroup there: `wanted`, where the hardware does not determine it."""
    qd.init(arch=arch, log_level="error", cpu_subgroup_size=wanted)
    lanes = qd.simt.subgroup.group_size()
    qd.reset()
    return lanes


def launched(folder: Path, source: str, arch: str, mode: Mode, lanes: int) -> tuple[str, Path]:
    folder.mkdir()
    (folder / "generated.py").write_text(source)
    return run(folder, arch, mode, script=block_driver(KERNELS_A_FILE, arch, lanes, debug=mode.debug))


def compare(source: str, expected: tuple[str, Path], actual: tuple[str, Path], branch: bool) -> None:
    for wanted, found in zip(expected[0].split("\n"), actual[0].split("\n")):
        assert found == wanted
    assert len(actual[0]) == len(expected[0])
    (wanted_data, found_data) = (measured(data, data.parent / "generated.py", branch) for _, data in (expected, actual))
    for what in wanted_data:
        different = set(found_data[what]) ^ set(wanted_data[what])
        lines = {place if isinstance(place, int) else place[0] for place in different}
        assert different == set(), f"{what}\n{show(source, lines)}"


@pytest.mark.parametrize("seed", SEEDS)
def test_blocks_do_what_plain_python_does(tmp_path: Path, back_end_name: str, seed: int) -> None:
    lanes, mode = lanes_of(back_end_name, [8, 16, 32, 64][seed % 4]), mode_of(seed)
    source = BlockGenerator(seed).source(KERNELS_A_FILE, lanes)
    expected = launched(tmp_path / "python", source, "python", mode, lanes)
    compare(source, expected, launched(tmp_path / back_end_name, source, back_end_name, mode, lanes), mode.branch)


@pytest.mark.parametrize("seed", SEEDS)
def test_iterations_that_end_early(tmp_path: Path, seed: int) -> None:
    """Threads are waited for until their iteration ends, where one thread runs at a time."""
    lanes, mode = [16, 8, 64, 32][seed % 4], Mode(branch=seed % 5 != 4, switch=seed % 4)
    source = BlockGenerator(seed + 1000, early=True).source(KERNELS_A_FILE, lanes)
    expected = launched(tmp_path / "python", source, "python", mode, lanes)
    for arch in ("cpu", "reference"):
        compare(source, expected, launched(tmp_path / arch, source, arch, mode, lanes), mode.branch)


def test_the_generator_writes_what_it_is_for() -> None:
    source = "".join(BlockGenerator(seed, early=seed % 2 == 1).source(30, 8) for seed in range(10))
    parts = "block.sync()", "subgroup.ballot(", "qd.ndrange(g % 3", "block.reduce_all_add(", "continue", "while k", "turned(row", "sync_any_nonzero"
    assert [part for part in parts if part not in source] == []
    assert source.count("@qd.kernel") == 300


CONDITIONS = """
import numpy as np
import qd

qd.init(arch="{arch}", cpu_subgroup_size=8)
block, subgroup = qd.simt.block, qd.simt.subgroup


@qd.kernel
def decide(x: qd.types.ndarray(dtype=qd.i32, ndim=1), n: qd.i32):
    qd.loop_config(block_dim=16)
    for i in x:
        if subgroup.any_true(x[i] > 25) and n > 1 and x[i] % 2 == 0:
            x[i] += 1
        if block.thread_idx() > 7 or subgroup.all_true(x[i] > 100) or x[i] == 3:
            x[i] += 1


decide(np.arange(32, dtype=np.int32), 3)
"""


@pytest.mark.parametrize("arch", ["cpu", "reference"])
def test_threads_meet_in_a_condition(tmp_path: Path, arch: str) -> None:
    """`n > 1` is never false, and no subgroup has only numbers above 100: 10 of 12 outcomes."""
    (tmp_path / "generated.py").write_text(CONDITIONS.format(arch=arch))
    env = dict(os.environ, QD_KERNEL_COVERAGE="1", QD_KERNEL_COVERAGE_CONDITIONS="1", QD_LOG_LEVEL="error", QD_OFFLINE_CACHE="0")
    hung_programs.run([sys.executable, "generated.py"], check=True, cwd=tmp_path, env=env, timeout=60)
    (data,) = tmp_path.glob("_qd_kcov.*")
    subprocess.run(["qd-cov", "combine", "-q", str(data)], check=True, cwd=tmp_path, timeout=60)
    report = subprocess.run(["qd-cov", "report", "--conditions"], check=True, cwd=tmp_path, capture_output=True, text=True, timeout=60).stdout
    assert "Conditions: 83%, 10 of 12 outcomes seen in 2 decisions." in report

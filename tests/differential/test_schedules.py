"""Kernels with schedules against their definition: results, statuses, lines and arcs of the same launches as plain Python under coverage.py.

QD_SCHEDULES=3000 runs more kernels than the default; QD_FIRST_SEED=400 others."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import hung_programs
import pytest
from schedule_generator import KINDS, ScheduleGenerator, schedule_driver
from test_kernel_coverage import Mode, measured, run, show

KERNELS_A_FILE = 4
FIRST = int(os.environ.get("QD_FIRST_SEED", "0"))
SEEDS = range(FIRST, FIRST + -(-int(os.environ.get("QD_SCHEDULES", "16")) // KERNELS_A_FILE))


def mode_of(seed: int) -> Mode:
    return Mode(debug=seed % 3 == 1, branch=seed % 5 != 4, switch=seed % 4, threads=3 if seed % 4 == 3 else 1)


def launched(folder: Path, source: str, arch: str, mode: Mode, seed: int = 0) -> tuple[str, Path]:
    """Runs the kernels in a folder of their own. Gives the output and the data of lines and arcs."""
    folder.mkdir()
    (folder / "generated.py").write_text(source)
    python = arch == "python"
    repeats = 4 if mode.switch == 1 and not python else 1
    threads = 1 if python else mode.threads
    script = schedule_driver(KERNELS_A_FILE, arch, mode.debug, threads=threads, by_label=mode.threads == 1, repeats=repeats, seed=seed)
    return run(folder, arch, mode, script=script)


def compare(source: str, expected: tuple[str, Path], actual: tuple[str, Path], branch: bool) -> None:
    assert actual[0] == expected[0], first_difference(expected[0], actual[0])
    (wanted, found) = (measured(data, data.parent / "generated.py", branch) for _, data in (expected, actual))
    for what in wanted:
        different = set(found[what]) ^ set(wanted[what])
        lines = {place if isinstance(place, int) else place[0] for place in different}
        assert different == set(), f"{what}\n{show(source, lines)}"


def first_difference(expected: str, actual: str) -> str:
    """The launch whose results differ, and those results."""
    at = ""
    for wanted, found in zip(expected.split("\n"), actual.split("\n")):
        at = wanted if wanted.startswith("('k") else at
        if wanted != found:
            return f"{at}\n  Python: {wanted}\n  kernel: {found}"
    return "one has more launches"


@pytest.mark.parametrize("seed", SEEDS)
def test_schedules_do_what_plain_python_does(tmp_path: Path, back_end_name: str, seed: int) -> None:
    source, mode = ScheduleGenerator(seed).source(KERNELS_A_FILE), mode_of(seed)
    expected = launched(tmp_path / "python", source, "python", mode)
    compiled = tmp_path / back_end_name
    compare(source, expected, launched(compiled, source, back_end_name, mode), mode.branch)
    # The order of blocks and sections is drawn from the seed.
    interpreted = tmp_path / "reference"
    reference = launched(interpreted, source, "reference", replace(mode, threads=1 if mode.threads == 1 else 2), seed + 1)
    compare(source, expected, reference, mode.branch)
    # Checks that may fail need more tasks where a device counts the starts of tasks itself.
    checks = mode.debug or "@qd.real_func" in source
    arches = [arch for arch in (back_end_name, "reference") if arch == "cpu" or not checks]
    if arches:  # they take turns
        arch = arches[seed % len(arches)]
        plain = tasks_without_coverage(tmp_path / "plain", source, arch, mode, expected[0], seed + 1)
        assert plain == (tmp_path / arch / "tasks.txt").read_text(), arch


def tasks_without_coverage(folder: Path, source: str, arch: str, mode: Mode, expected: str, seed: int) -> str:
    """The number of tasks of each kernel, as text."""
    folder.mkdir()
    (folder / "generated.py").write_text(source)
    (folder / "run.py").write_text(schedule_driver(KERNELS_A_FILE, arch, mode.debug, by_label=mode.threads == 1, seed=seed))
    env = {k: v for k, v in os.environ.items() if not k.startswith(("COV", "QD_KERNEL_COVERAGE"))}
    env |= {"QD_LOG_LEVEL": "error", "QD_KERNEL_COVERAGE": "0"}
    result = hung_programs.run([sys.executable, "run.py"], cwd=folder, env=env, timeout=500)
    assert result.returncode == 0, result.stderr[-3000:]
    assert result.stdout == expected, first_difference(expected, result.stdout)
    return (folder / "tasks.txt").read_text()


def test_the_generator_writes_what_it_is_for() -> None:
    source = "".join(ScheduleGenerator(seed).source(30) for seed in range(10))
    parts = "with qd.stream_parallel():", "with qd.graph.parallel():", "do_while(c2)", "qd.checkpoint(Stage.GROW", "yield_on=r1", "add_to_all(x"
    assert [part for part in parts if part not in source] == []
    assert source.count("@qd.kernel(") == 300 and len(KINDS) == 3

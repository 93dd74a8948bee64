"""Coverage has no effect on programs: results, errors with their call stacks, printed compilation, and the number of compilations."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def run(folder: Path, arch: str, **settings: str) -> subprocess.CompletedProcess[str]:
    env = {key: value for key, value in os.environ.items() if key.startswith("QD_OFFLINE") or not key.startswith(("COV", "QD_", "PYTEST"))}
    command = [sys.executable, HERE / "kernels_for_effects.py", arch]
    return subprocess.run(command, cwd=folder, env={**env, **settings}, check=True, capture_output=True, text=True, timeout=300)


def printed_kernels(text: str) -> list[str]:
    """The printed IR of each compilation, pass by pass."""
    return text.split("# lower\n")[1:]


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory, back_end_name: str) -> subprocess.CompletedProcess[str]:
    return run(tmp_path_factory.mktemp("without"), back_end_name, QD_PRINT_IR="1")


@pytest.mark.parametrize("switch", ["0", "1", "2"])
def test_results_errors_and_printed_passes_are_the_same(
    tmp_path: Path, back_end_name: str, without: subprocess.CompletedProcess[str], switch: str
) -> None:
    """The same kernels compile, to the same tasks and layout, and the printed compilation shows no probe.

    Coverage makes no variant and no kernel of its own; as many compile as without."""
    measured = run(tmp_path, back_end_name, QD_PRINT_IR="1", QD_KERNEL_COVERAGE="1", QD_COVERAGE_SWITCH=switch)
    assert list(tmp_path.glob("_qd_kcov.*")) != []
    assert measured.stdout == without.stdout
    if switch == "2":  # with 2, the passes of the code that kernels change to are printed as well
        later = iter(printed_kernels(measured.stderr))
        assert [kernel for kernel in printed_kernels(without.stderr) if kernel not in later] == []
        assert "probe" not in measured.stderr
    else:
        assert measured.stderr == without.stderr
    assert without.stderr.count("# lower\n") > 50
    assert "KernelAssertionError" in without.stdout and "KernelNameError" in without.stdout and "v is 5" in without.stdout


def test_without_coverage_none_of_its_modules_is_loaded(tmp_path: Path, back_end_name: str) -> None:
    code = "import sys, qd; qd.init(arch=sys.argv[1], log_level='error'); print([m for m in sys.modules if 'cover' in m.lower()])"
    env = {key: value for key, value in os.environ.items() if key.startswith("QD_OFFLINE") or not key.startswith(("COV", "QD_", "PYTEST"))}
    done = subprocess.run([sys.executable, "-c", code, back_end_name], cwd=tmp_path, env=env, check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"

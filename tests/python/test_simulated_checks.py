"""The checks of the simulated drivers: kernels that race or use memory that is not theirs are found, with their lines, and others are not."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import hung_programs
import pytest

BUILD = Path(os.environ.get("QD_BUILD") or Path(__file__).resolve().parents[2] / "build/release").resolve()
LIBRARY = BUILD / "tests/simulated_driver/libqd_simulated_gpu.so"
PROGRAM = Path(__file__).with_name("checked_kernels.py")

pytestmark = pytest.mark.skipif(not LIBRARY.exists(), reason="the simulated drivers are not built")

LINES = PROGRAM.read_text().splitlines()


def kernels(begin: str, end: str) -> list[str]:
    """The kernels of a part of the program."""
    text = "\n".join(LINES).split(begin)[1].split(end)[0]
    return re.findall(r"@qd.kernel\ndef (\w+)", text)


def lines_of(kernel: str) -> dict[str, int]:
    """The lines of a kernel, or of the func before it, by their comments."""
    begin = LINES.index(next(line for line in LINES if line.startswith(f"def {'put' if kernel == 'in_func' else kernel}(")))
    lines: dict[str, int] = {}
    for number, line in enumerate(LINES[begin + 1 :], begin + 2):
        if line.startswith("@"):
            break
        _, _, comment = line.partition("  # ")
        for word in comment.split(" and "):
            if word:
                lines[word] = number
    return lines


@dataclass
class Done:
    """The end of a kernel's process."""

    returncode: int
    stderr: str


def run(folder: Path, arch: str, names: list[str], checks: str = "1") -> dict[str, Done]:
    """Each kernel, run in a process of its own."""
    variable = {"cuda": "QD_CUDA_DRIVER", "amdgpu": "QD_HIP_DRIVER"}[arch]
    environment = {**os.environ, variable: str(LIBRARY), "QD_SIMULATED_CHECKS": checks, "QD_OFFLINE_CACHE": "0"}
    environment.pop("QD_ARCH", None)
    done = hung_programs.run([sys.executable, PROGRAM, arch, *names], cwd=folder, env=environment, timeout=300)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    codes = map(int, done.stdout.split())
    return {name: Done(code, (folder / name).read_text()) for name, code in zip(names, codes, strict=True)}


def told(done: Done) -> list[str]:
    return [line for line in done.stderr.splitlines() if line.startswith("simulated device: ")]


RACES = kernels("# Kernels that race.", "# Kernels that do not.")
OTHERS = kernels("# Kernels that do not.", "# Kernels that use memory")
OUTSIDE = kernels("# Kernels that use memory", "def main()")
VERBS = {"load": "loads", "store": "stores", "atomic": "changes atomically"}


@pytest.mark.parametrize("arch", ["cuda", "amdgpu"])
def test_races(tmp_path: Path, arch: str) -> None:
    """Each is reported once, with the lines of both threads, and the launch fails."""
    for kernel, done in run(tmp_path, arch, RACES).items():
        lines = told(done)
        assert lines, (kernel, done.stderr)
        assert done.returncode != 0, kernel
        for line in lines:
            assert line.startswith(f"simulated device: {kernel}_0: a race for byte ")
        for word, number in lines_of(kernel).items():
            assert any(f"{VERBS[word]} at {PROGRAM}:{number}" in line for line in lines), (kernel, word, lines)
        assert len(lines) <= 3, (kernel, lines)


@pytest.mark.parametrize("arch", ["cuda", "amdgpu"])
def test_no_races(tmp_path: Path, arch: str) -> None:
    assert run(tmp_path, arch, OTHERS) == {kernel: Done(0, "") for kernel in OTHERS}


@pytest.mark.parametrize("arch", ["cuda", "amdgpu"])
def test_memory_of_others(tmp_path: Path, arch: str) -> None:
    for kernel, done in run(tmp_path, arch, OUTSIDE).items():
        lines = told(done)
        assert len(lines) == 1, (kernel, done.stderr)
        assert done.returncode != 0, kernel
        assert "illegal" in done.stderr.lower(), (kernel, done.stderr)
        ((word, number),) = lines_of(kernel).items()
        assert f"{VERBS[word]} at {PROGRAM}:{number}: " in lines[0]
        assert " bytes outside of " in lines[0]


def test_only_where_asked_for(tmp_path: Path) -> None:
    names = [*RACES, "behind_bytes"]
    assert run(tmp_path, "cuda", names, "0") == {kernel: Done(0, "") for kernel in names}


def test_same_each_time(tmp_path: Path) -> None:
    """The findings do not depend on chance."""
    first, *others = (told(run(tmp_path, "cuda", ["neighbours"])["neighbours"]) for _ in range(3))
    assert others == [first] * 2

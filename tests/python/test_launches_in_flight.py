"""Lifetime of objects that a launch uses: until it is over, while other threads reset, start again, let go of arrays, end the interpreter."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import hung_programs
import pytest
from coverage import CoverageData

HERE = Path(__file__).resolve().parent

PROGRAM = '''
import gc
import sys
import threading
import time

import numpy as np

import kernels_in_flight as kernels
import qd

how, *names = sys.argv[1:]
n = 100_000

def expected(rounds):
    """The result of so many rounds of the generator, by repeated squaring."""
    factor, summand, a, c = 1, 0, 1664525, 1013904223
    while rounds:
        if rounds & 1:
            factor, summand = factor * a % 2**32, (summand * a + c) % 2**32
        a, c = a * a % 2**32, (c * a + c) % 2**32
        rounds >>= 1
    return summand - 2**32 if summand >> 31 else summand

calls = {
    "busy": lambda owner, rounds: kernels.busy(owner["x"], rounds // 2000),
    "ndarray": lambda owner, rounds: kernels.serial(owner["x"], rounds),
    "numpy": lambda owner, rounds: kernels.serial(owner["numpy"], rounds),
    "view": lambda owner, rounds: kernels.of_view(owner["x"][10:20_000], rounds),
    "list": lambda owner, rounds: kernels.of_template(owner["list"], rounds),
    "method": lambda owner, rounds: owner["holder"].run(rounds),
    "print": lambda owner, rounds: kernels.speaks(owner["x"], rounds // 2000),
}

def check(what):
    qd.init(log_level="error", cpu_max_num_threads=2, offline_cache=False)
    assert kernels.finished(3) == 1
    owner = {"holder": kernels.Holder(n), "x": qd.ndarray(qd.i32, n), "list": [qd.ndarray(qd.i32, n)], "numpy": np.zeros(n, np.int32)}
    results = []
    call = calls[what]
    call(owner, 1000)  # compiled

    def launch():
        results.append(call(owner, 20_000_000 if how != "exit" else 2_000_000_000))

    thread = threading.Thread(target=launch, daemon=True)
    thread.start()
    time.sleep(0.01)
    if how == "reset":
        qd.reset()
    elif how == "init":
        qd.init(log_level="error", cpu_max_num_threads=2)
    elif how == "let-go":
        owner["list"].clear()
        del owner["holder"], owner["x"], owner["numpy"]
        gc.collect()
    elif how == "exit":
        print("at the end")
        sys.exit(0)
    others = [qd.ndarray(qd.i32, n) for _ in range(20)] if how != "reset" else []
    for other in others:
        other.fill(7)
    thread.join(100)
    assert not thread.is_alive() and len(results) == 1, "the launch failed"
    assert what in ("busy", "print") or results == [expected(20_000_000)], results
    assert all((other.to_numpy() == 7).all() for other in others), "a launch wrote to other memory"
    qd.init(log_level="error")
    assert kernels.finished(-3) == 0

for what in names:
    check(what)
'''
WHAT = ("busy", "ndarray", "numpy", "view", "list", "method", "print")


def run(program: str, *arguments: str, cwd: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(HERE), os.environ["PYTHONPATH"]])
    command = [sys.executable, "-c", program, *arguments]
    return hung_programs.run(command, cwd=cwd, timeout=120, env={**os.environ, "PYTHONPATH": paths, **environment})


@pytest.mark.parametrize(
    "end", [("reset", *WHAT), ("init", *WHAT), ("let-go", *WHAT), *(("exit", what) for what in WHAT)], ids=lambda end: "-".join(end[:2])
)
def test_what_a_launch_uses_lives_until_it_is_over(end: tuple[str, ...], tmp_path: Path) -> None:
    done = run(PROGRAM, *end, cwd=tmp_path, QD_KERNEL_COVERAGE="1")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    # Arcs that finished launches reached are there; the journals of processes that are over are gone.
    (data,) = tmp_path.glob("_qd_kcov.*")
    read = CoverageData(basename=str(data))
    read.read()
    source = HERE / "kernels_in_flight.py"
    lines = source.read_text().splitlines()
    assert lines.index("        result = 1") + 1 in (read.lines(str(source)) or [])

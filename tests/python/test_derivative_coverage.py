"""The derivatives of lines in data files: which lines have one, and which of these were ever computed, in which context."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from kernel_project import qd_cov

KERNELS = """\
import numpy as np
import qd

x, y, loss = (qd.field(qd.f32, shape, needs_grad=True, needs_dual=True) for shape in (3, 3, ()))
plain = qd.field(qd.f32, 3)
count = qd.field(qd.i32, ())


@qd.func
def square(v):
    return v * v


@qd.kernel
def measure(top: qd.f32):
    for i in x:
        n = i * 2
        count[None] += n
        if x[i] > top:
            y[i] = x[i] * top
        elif x[i] > 0:
            y[i] = square(x[i])
        else:
            y[i] = qd.sin(
                x[i]
            )
        plain[i] = x[i] * 2.0
        held = qd.stop_grad(x[i] * 3.0)
        loss[None] += y[i] * held


@qd.kernel
def without(v: qd.types.ndarray(dtype=qd.f32, ndim=1)):
    for i in v:
        v[i] = v[i] * 2.0


@qd.kernel
def scale(v: qd.types.ndarray(dtype=qd.f32, ndim=1), w: qd.types.ndarray(dtype=qd.f32, ndim=1), n: qd.i32):
    for i in v:
        s = v[i]
        for j in range(n):
            s = s * v[i] + 1.0
        w[i] = s
"""
PROGRAM = """\
import sys
import numpy as np
import qd

qd.init(log_level="error", random_seed=1)
import kernels as k

for i, value in enumerate((3.0, 0.5, 0.25)):
    k.x[i] = value
for step in sys.argv[1:]:
    if step == "plain":
        k.measure(1.0)
    elif step == "tape":
        with qd.ad.Tape(k.loss):
            k.measure(1.0)
    elif step == "negative":
        k.x[0] = -1.0
    elif step == "forward":
        with qd.ad.FwdMode(k.loss, k.x, seed=[1, 0, 0]):
            k.measure(1.0)
    elif step == "grad":
        k.measure.grad(1.0)
    elif step == "arrays":
        k.without(np.ones(3, np.float32))
        k.scale(np.ones(3, np.float32), np.ones(3, np.float32), 2)
    elif step.startswith("ndarrays"):
        v, w = (qd.ndarray(qd.f32, 3, needs_grad=True) for _ in range(2))
        k.scale(v, w, 2)
        if step != "ndarrays":
            w.grad.fill(1.0)
            k.scale.grad(v, w, int(step[-1]))
    elif step == "kill":
        import os, signal
        os.kill(os.getpid(), signal.SIGKILL)
"""
TESTS = """\
import pytest
import qd

qd.init(log_level="error")
import kernels as k


@pytest.fixture(autouse=True)
def numbers():
    for i, value in enumerate((3.0, 0.5, 0.25)):
        k.x[i] = value


def test_primal():
    k.measure(1.0)


def test_gradient():
    for _ in range(300):
        with qd.ad.Tape(k.loss):
            k.measure(1.0)


def test_primal_again():
    k.measure(1.0)
"""
FIELDS = {11, 20, 22, 24, 25, 29}  # the lines of `measure` and `square` that a derivative passes through
ARRAYS = {41, 43, 44}  # of `scale`


def run(folder: Path, *steps: str, branch: bool = True, append: bool = False, killed: bool = False, **more: str) -> None:
    (folder / "kernels.py").write_text(KERNELS)
    (folder / "program.py").write_text(PROGRAM)
    options = [*(["--branch"] if branch else []), *(["--append"] if append else [])]
    done = qd_cov(folder, "run", "--no-host", *options, "--", "python", "program.py", *steps, **more)
    assert (done.returncode != 0) == killed, done.stdout + done.stderr


def derivatives(folder: Path) -> tuple[set[int], set[int]]:
    """The lines of kernels.py that a derivative passes through, and those whose derivative was computed."""
    with sqlite3.connect(folder / ".coverage") as data:
        if not data.execute("select 1 from sqlite_master where name = 'qd_result'").fetchall():
            return set(), set()
        rows = data.execute("""select line, end_line, col, end_col, first_line, (select max(value) from qd_value where result_id = qd_result.id)
            from qd_result where kind = 'derivative' and width = 1 and merge = 'or'""").fetchall()
    assert all(line == end and (col, end_col) == (0, 0) for line, end, col, end_col, *_ in rows)
    return {row[0] for row in rows}, {row[0] for row in rows if row[5]}


def test_lines_that_a_derivative_passes_through(tmp_path: Path) -> None:
    """No line of integers, conditions, stopped gradients, arrays without a gradient; and nothing is computed by the primal alone."""
    run(tmp_path, "plain", "arrays")
    assert derivatives(tmp_path) == (FIELDS, set())


def test_a_record_that_is_off(tmp_path: Path) -> None:
    run(tmp_path, "tape")
    lines = qd_cov(tmp_path, "report", "-m").stdout
    run(tmp_path, "tape", QD_KERNEL_COVERAGE_GRADIENTS="0")
    assert derivatives(tmp_path) == (set(), set())
    assert qd_cov(tmp_path, "report", "-m").stdout == lines


@pytest.mark.parametrize("steps", [("tape",), ("plain", "forward"), ("grad",)])
def test_a_branch_that_no_iteration_took_is_not_differentiated(tmp_path: Path, steps: tuple[str, ...]) -> None:
    run(tmp_path, *steps)
    assert derivatives(tmp_path) == (FIELDS, {11, 20, 22, 29})
    run(tmp_path, *steps, "negative", *steps)
    assert derivatives(tmp_path) == (FIELDS, FIELDS)


def test_arguments_decide_whether_there_is_a_derivative(tmp_path: Path) -> None:
    """Also where the kernel is first launched with arrays that have no gradient."""
    run(tmp_path, "arrays", "ndarrays")
    assert derivatives(tmp_path) == (ARRAYS, set())


def test_a_loop_without_iterations_is_not_differentiated(tmp_path: Path) -> None:
    run(tmp_path, "ndarrays_0")
    assert derivatives(tmp_path) == (ARRAYS, {41, 44})
    run(tmp_path, "ndarrays_2")
    assert derivatives(tmp_path) == (ARRAYS, ARRAYS)


def test_a_gradient_counts_neither_launches_nor_lines(tmp_path: Path) -> None:
    """A kernel of which only the gradient was launched is not compiled: none of its lines has run."""

    def rows(query: str) -> list[tuple[object, ...]]:
        with sqlite3.connect(tmp_path / ".coverage") as data:
            return data.execute(query).fetchall()

    launches = "select name, arguments, launches from qd_variant join qd_function on qd_function.id = function_id where is_kernel"
    run(tmp_path, "tape", "tape", "grad")
    assert rows(launches) == [("measure", "", 2)]
    assert rows("select * from qd_probe where fromno not between -100 and 100 or tono not between -100 and 100") == []
    run(tmp_path, "grad")
    assert rows("select name from sqlite_master where name in ('qd_function', 'qd_probe')") == []
    assert rows("select * from arc join context on context.id = context_id where context like '%qd:cpu'") == []


def test_line_data(tmp_path: Path) -> None:
    """Without arcs the lines that ran are the same, and a gradient alone adds none."""
    run(tmp_path, "tape", branch=False)
    assert derivatives(tmp_path) == (FIELDS, {11, 20, 22, 29})
    lines = qd_cov(tmp_path, "report", "-m").stdout
    run(tmp_path, "plain", branch=False)
    assert qd_cov(tmp_path, "report", "-m").stdout.split("kernels.py")[1].split("\n")[0] == lines.split("kernels.py")[1].split("\n")[0]


def test_processes_add_up(tmp_path: Path) -> None:
    run(tmp_path, "negative", "tape")
    assert derivatives(tmp_path)[1] == {11, 22, 24, 25, 29}
    run(tmp_path, "tape", append=True)
    assert derivatives(tmp_path) == (FIELDS, FIELDS)


def test_a_killed_process_has_its_derivatives(tmp_path: Path) -> None:
    run(tmp_path, "tape", "kill", killed=True)
    assert derivatives(tmp_path) == (FIELDS, {11, 20, 22, 29})


def test_contexts(tmp_path: Path) -> None:
    (tmp_path / "kernels.py").write_text(KERNELS)
    (tmp_path / "test_it.py").write_text(TESTS)
    done = qd_cov(tmp_path, "run", "--branch", "--source=.", "--context=test", "--", "pytest", "-q", "-p", "no:cacheprovider")
    assert done.returncode == 0, done.stdout + done.stderr
    with sqlite3.connect(tmp_path / ".coverage") as data:
        rows = data.execute("""select line, context from qd_value join qd_result on qd_result.id = result_id
            join context on context.id = context_id where kind = 'derivative' and value = 1""").fetchall()
    tests = {line: {context.split("::")[-1] for of, context in rows if of == line} for line, _ in rows}
    assert tests == {line: {"test_gradient|run|qd:cpu"} for line in (11, 20, 22, 29)}

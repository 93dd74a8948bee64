"""Programs for Taichi and Quadrants on this runtime: qd.compat."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from compat_programs import output, run


@pytest.mark.parametrize("peer", ["quadrants", "taichi"])
def test_a_program_runs_unchanged(tmp_path: Path, peer: str) -> None:
    program = f"""
import numpy as np
import {peer} as ti
import {peer}.math as tm
from {peer}.math import vec3
from {peer}.lang import impl
from {peer}.lang.matrix import Matrix

ti.init(arch=ti.cpu, log_level=ti.ERROR)
x = ti.field(ti.f32, shape=3)

@ti.func
def twice(value):
    return value * 2

@ti.kernel
def fill(y: ti.types.ndarray(dtype=ti.f32, ndim=1)) -> ti.f32:
    ti.block_local(x)
    for i in x:
        x[i] = twice(y[i]) + tm.pi
    return vec3(1, 2, 3).sum()

print(fill(np.ones(3, np.float32)), x.to_numpy().round(3), isinstance(x[0], float), impl.current_cfg().arch, Matrix is ti.Matrix)
"""
    assert output(tmp_path, program, peer) == "6.0 [5.142 5.142 5.142] True cpu True\n"


@pytest.mark.parametrize("peer", ["quadrants", "taichi"])
def test_gradients(tmp_path: Path, peer: str) -> None:
    """As programs for differentiable simulation are written: fields that are placed, and lazy gradients."""
    program = f"""
import {peer} as ti
from {peer}.ad import FwdMode
from {peer}.ad._ad import Tape, clear_all_gradients
from {peer}.lang import impl

ti.init(arch=ti.cpu, log_level=ti.ERROR)
x, loss = ti.field(ti.f32), ti.field(ti.f32)
ti.root.dense(ti.i, 3).place(x)
ti.root.place(loss)
ti.root.lazy_grad()
ti.root.lazy_dual()


@ti.data_oriented
class Model:
    @ti.kernel
    def measure(self, by: ti.f32):
        for i in x:
            loss[None] += by * x[i] ** 2


x.fill(3)
with ti.ad.Tape(loss=loss):
    Model().measure(2.0)
    print(type(impl.get_runtime().target_tape) is Tape)
print(loss[None], x.grad.to_numpy(), impl.get_runtime().target_tape)
clear_all_gradients()
loss.grad[None] = 1
Model().measure.grad(1.0)
with FwdMode(loss=loss, param=x, seed=[1, 0, 0]):
    Model().measure(1.0)
print(x.grad.to_numpy(), loss.dual[None])
"""
    assert output(tmp_path, program, peer) == "True\n54.0 [12. 12. 12.] None\n[6. 6. 6.] 6.0\n"


def test_both_names_are_the_same_objects(tmp_path: Path) -> None:
    program = """
from qd import compat
compat.install("taichi")
compat.install("taichi")
import qd
import quadrants
import quadrants.types
import taichi as ti
from taichi.lang.kernel_impl import kernel
print(ti.kernel is qd.kernel is quadrants.kernel is kernel, quadrants.types.ndarray is qd.types.ndarray, ti.lang.ops.sin is qd.sin)
print(ti.TaichiTypeError is qd.KernelTypeError, quadrants.QuadrantsTypeError is ti.lang.exception.TaichiTypeError)
print(ti.__version__, quadrants.__version__, quadrants.__version_str__)
"""
    assert output(tmp_path, program) == "True True True\nTrue True\n(1, 7, 4) (1, 3, 3) 1.3.3\n"


def test_an_installed_package_is_not_imported(tmp_path: Path) -> None:
    (tmp_path / "quadrants.py").write_text("raise SystemExit('the real one')")
    assert output(tmp_path, "import quadrants as qd\nprint(qd.f32)") == "qd.f32\n"


def test_options_without_an_effect_are_told_once(tmp_path: Path) -> None:
    program = "import taichi as ti\nfor _ in range(2):\n    ti.init(packed=True, flatten_if=True)\nti.init(nothing=1)\n"
    done = run(tmp_path, program, "taichi")
    assert done.stderr.count("options of taichi without an effect here: flatten_if, packed") == 1
    assert "KeyError: 'Unrecognized keyword argument(s) for qd.init: nothing'" in done.stderr


def test_versions_that_a_program_requires(tmp_path: Path) -> None:
    assert output(tmp_path, "import quadrants as qd\nqd.init(require_version='1.2.0', log_level='error')\nprint(qd.cfg.arch)") == "cpu\n"
    done = run(tmp_path, "import quadrants as qd\nqd.init(require_version='1.4')", "quadrants")
    assert "RuntimeError: quadrants 1.4 is required, but qd.compat stands for quadrants 1.3.3" in done.stderr


def test_architectures_that_no_version_has_are_the_cpu(tmp_path: Path) -> None:
    done = run(
        tmp_path, "import taichi as ti\nti.init(arch=ti.opengl)\nprint(ti.cfg.arch, ti.cfg.arch.name, ti._lib.core.Arch(int(ti.cfg.arch)))", "taichi"
    )
    assert done.stdout.endswith("cpu cpu cpu\n") and "Arch=opengl is not supported: falling back to cpu" in done.stderr


def test_environment_variables_of_the_peer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TI_DEBUG", "1")
    monkeypatch.delenv("QD_DEBUG", raising=False)
    assert output(tmp_path, "import taichi as ti\nti.init(log_level='error')\nprint(ti.cfg.debug)", "taichi") == "True\n"


def test_what_waits_for_fields_runs_before_their_first_use(tmp_path: Path) -> None:
    program = """
import quadrants as qd
from quadrants.lang import impl
waiting = []
place = impl.PyQuadrants.materialize
def place_and_fill(self):
    place(self)
    for field, value in waiting:
        field.fill(value)
    waiting.clear()
    self.prog.synchronize()
impl.PyQuadrants.materialize = place_and_fill
qd.init(log_level="error")
x, y = qd.field(qd.f32, 2), qd.field(qd.f32, 2)
waiting.append((x, 3))
@qd.kernel
def first() -> qd.f32:
    return x[1]
print(first())
z = qd.field(qd.i32, 2)
waiting.append((z, 4))
print(z[1], first())
"""
    assert output(tmp_path, program) == "3.0\n4 3.0\n"


def test_programs_of_modules_and_their_arguments(tmp_path: Path) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package/__main__.py").write_text("import sys, quadrants\nprint(sys.argv[1:], quadrants.f64, __name__)")
    command = [sys.executable, "-m", "qd.compat", "quadrants", "-m", "package", "-v", "3"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout == "['-v', '3'] qd.f64 __main__\n"


@pytest.mark.parametrize("arguments", [[], ["numba", "x.py"], ["taichi"], ["taichi", "-m"]])
def test_wrong_calls(arguments: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", "qd.compat", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr.startswith("usage: python -m qd.compat {quadrants,taichi}")


def test_a_program_that_does_not_exist(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-m", "qd.compat", "taichi", "x.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "can't open file" in done.stderr


def test_the_real_package_is_in_the_way() -> None:
    program = "import sys, types; sys.modules['taichi'] = types.ModuleType('taichi')\nfrom qd import compat\ncompat.install('taichi')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stderr.endswith("RuntimeError: taichi is imported already: call qd.compat.install('taichi') before the first import of it\n")


def test_tests_of_pytest(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("import quadrants as qd\ndef test():\n    qd.init()\n    assert qd.__version__ == (1, 3, 3)\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "qd.compat.quadrants"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "1 passed" in done.stdout, done.stdout


def test_graphs_of_taichi(tmp_path: Path) -> None:
    program = """
import taichi as ti
ti.init(log_level="error")
@ti.kernel
def add(a: ti.types.ndarray(dtype=ti.f32, ndim=1), b: ti.f32, n: ti.i32):
    for i in range(n):
        a[i] += b
a, b = ti.graph.Arg(ti.graph.ArgKind.NDARRAY, "a", ti.f32, ndim=1), ti.graph.Arg(ti.graph.ArgKind.SCALAR, "b", dtype=ti.f32)
builder = ti.graph.GraphBuilder()
twice = builder.create_sequential()
twice.dispatch(add, a, b, 2)
builder.append(twice)
builder.append(twice)
builder.dispatch(add, a, b, 1)
graph = builder.compile()
x = ti.ndarray(ti.f32, 3)
graph.run({"a": x, "b": 2.5, "unused": 1})
print(x.to_numpy())
@ti.kernel
def total(m: ti.types.matrix(2, 3, ti.i32), r: ti.types.ndarray(ndim=1)):
    r[0] = m.sum() * 10 + m[1, 0]
kinds = ti.graph.ArgKind
sums = ti.graph.GraphBuilder()
sums.dispatch(total, ti.graph.Arg(kinds.MATRIX, "m", ti.types.matrix(2, 3, ti.i32)), ti.graph.Arg(kinds.NDARRAY, "r", ti.f32, ndim=1))
x.fill(0)
sums.compile().run({"m": ti.Matrix([1, 2, 3, 4, 5, 6]), "r": x})
print(x[0])
for wrong in (
    lambda: graph.run({"a": x}),
    lambda: builder.dispatch(add, ti.graph.Arg(kinds.NDARRAY, "other", ti.f32, ndim=2), b, 1),
    lambda: builder.dispatch(add, ti.graph.Arg(kinds.NDARRAY, "other", ti.i32, ndim=1), b, 1),
    lambda: builder.dispatch(add, a, ti.graph.Arg(kinds.SCALAR, "other", ti.i32), 1),
    lambda: builder.dispatch(add, a, ti.graph.Arg(kinds.SCALAR, "a", ti.f32), 1),
    lambda: graph.run({"a": ti.ndarray(ti.f32, (2, 2)), "b": 1.0}),
    lambda: graph.run({"a": ti.ndarray(ti.i32, 2), "b": 1.0}),
    lambda: ti.graph.Arg(kinds.TEXTURE, "t"),
):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__, error)
"""
    lines = output(tmp_path, program, "taichi").splitlines()
    assert lines[:-1] == [
        "[7.5 5.  0. ]",
        "214.0",
        "RuntimeError Graph.run needs a value for b",
        "KernelCompilationError 2 from Arg other doesn't match kernel's annotated ndim=1",
        "KernelCompilationError Arg other's dtype qd.i32 doesn't match kernel's annotated dtype=qd.f32",
        "KernelCompilationError Arg other's dtype qd.i32 doesn't match kernel's annotated dtype=qd.f32",
        "RuntimeError An arg with name a already exists!",
        "RuntimeError Dispatch node is compiled for argument a with field_dim=1 but got an ndarray with field_dim=2",
        "RuntimeError Dispatch node is compiled for argument a with dtype=qd.f32 but got an ndarray with dtype=qd.i32",
    ]
    assert lines[-1].startswith("NotImplementedError taichi.graph.ArgKind.TEXTURE is not supported")


@pytest.mark.parametrize("peer", ["quadrants", "taichi"])
def test_vectors_of_the_host_are_true(tmp_path: Path, peer: str) -> None:
    program = f"""
import {peer} as ti

ti.init(arch=ti.cpu, log_level=ti.ERROR)
x = ti.Vector.ndarray(2, ti.f32, 1)
x[0] = [1, 2]
assert x[0] == [1.0, 2.0]
print(bool(x[0] == [3, 4]), bool(ti.Vector([0, 0])), list(ti.Matrix([[1, 2], [3, 4]])) == [[1, 2], [3, 4]], x[0] in [[1, 2]])
print(type(ti.Matrix([[1, 2], [3, 4]], ti.i32).entries.dtype).__name__)


@ti.kernel
def condition() -> ti.i32:
    return 1 if ti.Vector([1, 2]) == ti.Vector([1, 2]) else 0


try:
    condition()
except ti.{peer.capitalize()}CompilationError:
    print("refused")
"""
    assert output(tmp_path, program, peer) == "True True True True\nInt32DType\nrefused\n"


@pytest.mark.parametrize("arch", ["cpu", "python"])
def test_overflow_is_told_on_standard_output(tmp_path: Path, arch: str) -> None:
    program = f"""
import quadrants as qd

qd.init(arch=qd.{arch}, debug=True, log_level=qd.ERROR)


@qd.func
def total(a: qd.i32, b: qd.i32):
    return a + b


@qd.kernel
def compute(a: qd.i32) -> qd.i32:
    return total(a, 2**30) * 2


compute(1)
print(compute(2**30))
qd.lang.impl.get_runtime().sync()
"""
    done = run(tmp_path, program, "quadrants")
    assert done.returncode == 0 and done.stderr == "", done.stderr
    first, *lines, result = done.stdout.splitlines()
    assert first == "(kernel=compute) Multiplication overflow detected: 1073741825 * 2 (i32)"
    assert "(kernel=compute) Addition overflow detected: 1073741824 + 1073741824 (i32)" in lines
    assert "    return a + b" in lines and "    return total(a, 2**30) * 2" in lines and result == "0"

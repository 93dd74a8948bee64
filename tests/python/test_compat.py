"""Programs for Taichi and Quadrants on this runtime: qd.compat."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "differential/peers"))
from recorded_names import read_names

MODULES = {"": "", "types": "types", "math": "math", "algorithms": "algorithms", "profiler": "profiler", "graph": "graph"}


def run(folder: Path, program: str, *peers: str, python: tuple[str, ...] = ()) -> subprocess.CompletedProcess[str]:
    """Runs a program for the first of these peers; the others are installed by it."""
    (folder / "program.py").write_text(program)
    command = [sys.executable, *python, "-m", "qd.compat", peers[0], "program.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def output(folder: Path, program: str, peer: str = "quadrants") -> str:
    done = run(folder, program, peer)
    assert done.returncode == 0, done.stderr
    return done.stdout


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


@pytest.mark.parametrize("peer", ["quadrants", "taichi"])
def test_all_names_of_the_peer_can_be_imported(peer: str) -> None:
    from qd.compat._peer import Peer

    modules = Peer(peer).modules
    missing = [
        f"{path}.{name}"
        for path, module in MODULES.items()
        for name in read_names()[peer].get(path, ())
        if not hasattr(modules[f"{peer}.{module}" if module else peer], name)
    ]
    assert missing == []


def test_declined_names_say_so_where_they_are_used(tmp_path: Path) -> None:
    program = "import taichi as ti\nfrom taichi import GUI, Texture\nfrom taichi.tools import imwrite\nprint('runs', isinstance(3, ti.SNode))\n"
    assert output(tmp_path, program, "taichi") == "runs False\n"
    done = run(tmp_path, program + "gui = ti.GUI('window', res=3)\n", "taichi")
    assert done.returncode == 1 and 'program.py", line 5' in done.stderr
    assert "NotImplementedError: taichi.GUI is not supported: matplotlib, or any other library" in done.stderr
    done = run(tmp_path, "import taichi as ti\nti.init()\n@ti.kernel\ndef k():\n    ti.deactivate(1, 2)\nk()\n", "taichi")
    assert "taichi.deactivate (which is not supported yet)" in done.stderr and "ti.deactivate(1, 2)" in done.stderr
    done = run(tmp_path, "import taichi as ti\nti.types.quant.fixed(bits=16)\n", "taichi")
    assert "NotImplementedError: taichi.types.quant.fixed is not supported: take qd.i8, qd.u8 or qd.f16" in done.stderr


@pytest.mark.parametrize("peer", ["quadrants", "taichi"])
def test_names_of_the_insides_can_be_imported(tmp_path: Path, peer: str) -> None:
    program = f"""\
from {peer}.types.enums import AutodiffMode, Layout, SNodeGradType
from {peer}.lang.snode import is_active
from {peer}.lang._kernel_types import KernelBatchedArgType
from {peer}.types.ndarray_type import NdarrayTypeMetadata
from {peer}._lib.utils import locale_encode
print(AutodiffMode.NONE == AutodiffMode.REVERSE, SNodeGradType.DUAL.name, Layout.AOS != Layout.SOA)
"""
    assert output(tmp_path, program, peer) == "False DUAL True\n"
    done = run(tmp_path, program + "NdarrayTypeMetadata(1)\n", peer)
    assert f"NotImplementedError: {peer}.types.ndarray_type.NdarrayTypeMetadata is not supported: it is of the insides" in done.stderr
    assert "ImportError" in run(tmp_path, f"from {peer} import nothing_of_that_name", peer).stderr


@pytest.mark.parametrize("peer", ["quadrants", "taichi"])
def test_classes_that_programs_ask_for(tmp_path: Path, peer: str) -> None:
    """Questions of programs about types and kernels of others, to call or to wrap them."""
    program = f"""\
import {peer} as ti
from {peer}.lang.matrix import MatrixType, VectorType
from {peer}.lang.struct import StructType
from {peer}.types.compound_types import CompoundType
from {peer}.types.ndarray_type import NdarrayType
from {peer}._lib.core.{peer}_python import DataType

vector, matrix = ti.types.vector(3, ti.f32), ti.types.matrix(3, 1, ti.f32)
struct, array = ti.types.struct(a=ti.f32), ti.types.ndarray(dtype=ti.f64, ndim=2)
for kind in (VectorType, MatrixType, StructType, CompoundType, NdarrayType, DataType):
    print([isinstance(thing, kind) for thing in (vector, matrix, struct, array, ti.f32)])
print(array.dtype.to_string(), array.ndim)

ti.init(ti.cpu, log_level="error")
arrays = [ti.field(ti.f32, 2), ti.Vector.field(3, ti.f32, 2), struct.field(2), ti.ndarray(ti.f32, 2)]
print([isinstance(thing, ti.Field) for thing in arrays], isinstance(arrays[2], ti.StructField))

@ti.data_oriented
class Solver: ...
print(hasattr(Solver(), "_data_oriented"), hasattr(object(), "_data_oriented"))
"""
    told = output(tmp_path, program, peer).splitlines()
    assert told[:6] == [
        "[True, False, False, False, False]",
        "[True, True, False, False, False]",
        "[False, False, True, False, False]",
        "[True, True, True, False, False]",
        "[False, False, False, True, False]",
        "[False, False, False, False, True]",
    ]
    assert told[6:] == ["f64 2", "[True, True, True, False] True", "True False"]


def test_struct_types_made_of_another(tmp_path: Path) -> None:
    """The methods of a struct type may stand among its members; a class of none is a type, too."""
    program = """
import taichi as ti
ti.init(arch=ti.cpu, log_level=ti.ERROR)

@ti.dataclass
class Base:
    a: ti.f32
    @ti.func
    def twice(self):
        return 2 * self.a

@ti.dataclass
class Later:
    pass

made = ti.types.struct(**Base.members, b=ti.i32, __struct_methods=Base.methods)
x = made.field(shape=2)
y = ti.Struct.field({"a": ti.f32, "__struct_methods": Base.methods}, shape=2)

@ti.kernel
def fill():
    for i in x:
        x[i] = made(a=i + 1.5, b=i)
        y[i].a = x[i].twice()
fill()
print(list(made.members), x.b.to_numpy(), y.a.to_numpy(), list(Later.members))
try:
    Later.field(shape=2)
except ti.TaichiTypeError as error:
    print(error)
"""
    assert output(tmp_path, program, "taichi") == "['a', 'b'] [0 1] [3. 5.] []\nLater has no members\n"


def test_colours(tmp_path: Path) -> None:
    program = """
import numpy as np
import taichi as ti
print(hex(ti.rgb_to_hex((1.0, 0.5, 0.0))), ti.hex_to_rgb(0xFF3300), ti.rgb_to_hex(np.array([[0.0, 1.0], [0.2, 2.0], [0.0, -1.0]])).tolist())
"""
    assert output(tmp_path, program, "taichi") == f"0xff7f00 (1.0, 0.2, 0.0) [{51 << 8}, {0xFFFF00}]\n"


def test_a_module_that_the_peer_lacks(tmp_path: Path) -> None:
    done = run(tmp_path, "import quadrants.nothing", "quadrants")
    assert done.stderr.endswith("ModuleNotFoundError: No module named 'quadrants.nothing' in qd.compat, which stands for quadrants\n")


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


MEASURED = """\
import subprocess
import sys
import venv

import quadrants as qd

qd.init(arch=qd.cpu, log_level="error")
x = qd.field(qd.f32, 3)


@qd.kernel
def fill(n: qd.i32):
    for i in range(n):
        if i > 5:
            x[0] = 1
        else:
            x[1] = 2


fill(3)
if len(sys.argv) == 1:
    subprocess.run([sys.executable, __file__, "child"], check=True)
"""


def measure(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    (folder / "sim.py").write_text(MEASURED)
    (folder / "test_sim.py").write_text("import quadrants\n\ndef test():\n    import sim\n    assert sim.qd is quadrants\n")
    environment = {**os.environ, **variables}
    return subprocess.run(["qd-cov", "run", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False)


def missing(folder: Path) -> str:
    report = subprocess.run(["qd-cov", "report", "-m"], cwd=folder, capture_output=True, text=True, check=True).stdout
    return "\n".join(" ".join(line.split()) for line in report.splitlines()[2:-2])


def test_run_measures_a_program_for_quadrants(tmp_path: Path) -> None:
    (tmp_path / "quadrants.py").write_text("raise SystemExit('the real one')")
    done = measure(tmp_path, "--branch", "--as", "quadrants", "--", "sim.py")
    assert done.returncode == 0, done.stderr
    assert missing(tmp_path) == "sim.py 15 1 6 1 90% 15"
    # As other programs, and with the start files of others.
    (tmp_path / "more").mkdir()
    (tmp_path / "more/sitecustomize.py").write_text("print('started')\n")
    done = measure(
        tmp_path, "--no-host", "--as", "quadrants,taichi", "--", "python", "sim.py", PYTHONPATH=f"{tmp_path / 'more'}:{os.environ['PYTHONPATH']}"
    )
    assert (done.returncode, done.stdout) == (0, "started\nstarted\n")
    assert missing(tmp_path) == "sim.py 15 12 20% 1-12, 15, 20-22"


def test_run_measures_tests_of_quadrants(tmp_path: Path) -> None:
    done = measure(tmp_path, "--branch", "--context=test", "--as", "quadrants", "--", "pytest", "-q", "-p", "no:cacheprovider", "-n", "1")
    assert "1 passed" in done.stdout, done.stdout
    assert missing(tmp_path) == "sim.py 15 1 6 1 90% 15\ntest_sim.py 4 0 0 0 100%"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--as", "numba", "--", "sim.py"], "option --as: invalid choice: 'numba' (choose from 'quadrants', 'taichi')"),
        (["--as", "taichi", "--", "python", "-I", "sim.py"], "--as works by PYTHONPATH and sitecustomize, which "),
    ],
)
def test_run_as_refuses(tmp_path: Path, arguments: list[str], message: str) -> None:
    done = measure(tmp_path, *arguments)
    assert done.returncode == 1 and done.stderr.startswith(message)


def test_run_as_without_the_runtime(tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", symlinks=True)
    python = str(tmp_path / "bare/bin/python")
    done = measure(tmp_path, "--no-host", "--as", "quadrants", "--", python, "sim.py", PYTHONPATH="")
    assert f"No module named 'qdcov', which `qd-cov run --as quadrants` needs in {python}" in done.stderr


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


def test_the_build_that_a_program_asks_for(tmp_path: Path) -> None:
    program = """
import taichi as ti
from taichi._lib import core
from taichi.examples.patterns import taichi_logo
ti.init(arch=ti.vulkan if core.with_vulkan() and False else ti.cpu, log_level="error")
print(type(core.with_cuda()), core.with_opengl(), core.GGUI_AVAILABLE, core.arch_from_name("cuda") == ti.cuda)
x = ti.field(ti.i32, (10, 10))
@ti.kernel
def paint():
    for i, j in x:
        x[i, j] = taichi_logo(ti.Vector([i, j]) / 9)
paint()
print("".join(map(str, x.to_numpy()[::3, ::2].flatten())))
"""
    assert output(tmp_path, program, "taichi").splitlines()[0] == "<class 'bool'> False False True"


def test_messages_have_the_words_that_tests_of_peers_match(tmp_path: Path) -> None:
    program = """
import re
import numpy as np
import quadrants as qd

qd.init(arch=qd.cpu, log_level=qd.ERROR)
x = qd.ndarray(qd.i32, shape=(4, 4))
done = qd.ndarray(qd.i32, shape=())


@qd.func
def inner_def():
    def inner():
        pass


@qd.real_func
def unannotated(a: qd.i32):
    return a


def refused(text, error, body, parameters="a: qd.i32", argument=1, decorator="@qd.kernel"):
    source = f"{decorator}\\ndef k({parameters}):\\n    {body}\\n"
    names = dict(globals())
    with open(f"{len(cases)}.py", "w") as file:
        file.write(source)
    exec(compile(source, file.name, "exec"), names)
    try:
        names["k"](argument)
    except error as raised:
        cases.append(re.search(text, str(raised)) is not None or str(raised))
    else:
        cases.append("no error")


cases = []
wrong = qd.QuadrantsCompilationError
refused("Range should have 1 or 2 arguments, found 3", wrong, "for i in range(1, 9, 3): pass")
refused(r"Every argument of ndrange should be a scalar or a tuple/list like \\(begin, end\\)", wrong, "for i in qd.ndrange((1, 2, 3)): pass")
refused("Static assert with non-static condition", wrong, "qd.static_assert(a > 1)")
refused("Static assign cannot be used on elements in arrays", wrong, "b = qd.static([1, 2]); b[0] = qd.static(2)")
refused("Function definition is not allowed in 'qd.kernel'", qd.QuadrantsSyntaxError, "def inner(): pass")
refused("Function definition is not allowed in 'qd.func'", qd.QuadrantsSyntaxError, "inner_def()")
refused(r"unsupported operand type\\(s\\) for '&'", qd.QuadrantsTypeError, "b = a & 3.1")
refused("indices must be integers", qd.QuadrantsTypeError, "b = x[3, 1.1]", "x: qd.types.ndarray()", x)
refused("return value must be annotated", wrong, "unannotated(a)")
refused("step=1", qd.QuadrantsSyntaxError, "b = v[::2]", "v: qd.BufferView[qd.i32]", qd.ndarray(qd.i32, 8)[:4])
refused(r"requires @qd.kernel\\(graph=True\\)", wrong, "while qd.graph_do_while(c): pass", "c: qd.types.ndarray(qd.i32, ndim=0)", done)
for node, body in [("Raise", "raise ValueError()"), ("Set", "b = {a}"), ("Delete", "b = a; del b"), ("Lambda", "b = lambda: 1"),
                   ("Import", "import os"), ("Global", "global nowhere"), ("ClassDef", "class A: pass"), ("Yield", "yield a"),
                   ("Try", "try: pass\\n    finally: pass"), ("Match", "match a:\\n        case 1: pass")]:
    refused(f'Unsupported node "{node}"', qd.QuadrantsSyntaxError, body)
refused('Name "nowhere" is not defined', qd.QuadrantsNameError, "b = nowhere")
refused("must be compile-time constants", wrong, "if qd.static(a > 1): pass")
refused("exceeded the range of specified dtype", qd.QuadrantsTypeError, "b = qd.u16(-1)")
print(cases)
"""
    assert output(tmp_path, program) == f"{[True] * 24}\n"


def test_names_and_options_of_newer_versions(tmp_path: Path) -> None:
    program = """
import warnings
import quadrants as qd

qd.init(arch=qd.cpu, log_level=qd.ERROR, cpu_work_scheduling=qd.CPUWorkScheduling.FIXED_SIZE, cpu_fixed_block_dim=32, cpu_per_worker_min_block_dim=1)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")

    @qd.experimental.real_func
    def more(a: qd.i32) -> qd.i32:
        return a + 1


@qd.kernel
def blocks(out: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    qd.loop_config(block_dim=3)
    for i in range(8):
        out[i] = more(qd.block_idx())


out = qd.ndarray(qd.i32, 8)
blocks(out)
print(out.to_numpy(), [(warning.category.__name__, str(warning.message)) for warning in told])
"""
    text = "qd.experimental.real_func is deprecated because it is no longer experimental. Use qd.real_func instead."
    assert output(tmp_path, program) == f"[1 1 1 2 2 2 3 3] {[('DeprecationWarning', text)]}\n"


def test_objects_with_stable_members(tmp_path: Path) -> None:
    program = """
import quadrants as qd

qd.init(arch=qd.cpu, log_level=qd.ERROR)


@qd.data_oriented(stable_members=True, template_primitives=False)
class Counter:
    def __init__(self):
        self.step = 2
        self.count = qd.ndarray(qd.i32, 1)

    @qd.kernel
    def run(self):
        self.count[0] += self.step


counter = Counter()
counter.run()
first, counter.count, counter.step = counter.count, qd.ndarray(qd.i32, 1), 5
counter.run()
print(first[0], counter.count[0])
"""
    assert output(tmp_path, program) == "2 5\n"


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


def test_operators_of_the_insides(tmp_path: Path) -> None:
    program = """
import quadrants as qd
from quadrants.lang import impl, ops

qd.init(arch=qd.cpu, log_level=qd.ERROR)


@qd.kernel
def compute(a: qd.i32) -> qd.f32:
    v = ops.add(qd.Vector([a, 2]), qd.Vector([1, 1]))
    return impl.qd_float(v[0]) / 2 + ops.bit_shl(a, 2) + ops.cmp_lt(a, 3) + impl.qd_int(a / 2)


print(compute(2), ops.mod(7, 4))
"""
    assert output(tmp_path, program) == "11.5 3\n"


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

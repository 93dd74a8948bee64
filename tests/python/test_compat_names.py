"""Names of Taichi and Quadrants, of their insides and of newer versions, on this runtime: qd.compat."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from compat_programs import output, run

sys.path.insert(0, str(Path(__file__).parents[1] / "differential/peers"))
from recorded_names import read_names

MODULES = {"": "", "types": "types", "math": "math", "algorithms": "algorithms", "profiler": "profiler", "graph": "graph"}


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

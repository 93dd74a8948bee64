"""One mistake in a kernel is one error, however often what depends on it is used."""

from __future__ import annotations

import types
from pathlib import Path

import pytest
import qd

HEADER = """\
import qd
class Object: pass
o = Object()
o.missing_field = None
NOTHING = None
PAIR = qd.types.struct(a=qd.f32, b=qd.i32)
x = qd.field(qd.f32, 8)
pairs = PAIR.field(shape=4)
@qd.func
def twice(n):
    return n * 2
@qd.kernel
def k(n: qd.i32):
"""

MISTAKES = {
    'Name "unknown" is not defined': """\
    x[0] = unknown
    x[1] = unknown * 2
    for i in range(n):
        x[i] = unknown + i
    a = [unknown, 1]
    v = qd.Vector([unknown, 1.0])
    x[2] = v.norm() + v[0] + a[1]
    w = qd.Vector([unknown for _ in range(3)])
    x[3] = twice(*unknown) + w.x
    s = PAIR(a=unknown)
    x[4] = s.a""",
    "an object of class 'Object' has no attribute `unknown`": """\
    for i in range(n):
        o.unknown[i] = o.unknown[i] + 1
        x[i] = o.unknown[i]""",
    "None cannot be indexed": """\
    for i in range(n):
        o.missing_field[i] = 1
        o.missing_field[i] += 2
        y = o.missing_field[i]
        x[i] = y + o.missing_field[i + 1]""",
    "not over None": """\
    for i in o.missing_field:
        o.missing_field[i] = 1""",
    "None is not a number": """\
    a = NOTHING
    b = a * 2
    x[0] = a
    for i in range(a):
        x[i] = b + NOTHING""",
    "has no member `c`": """\
    s = pairs[0]
    x[0] = s.c + 1
    s.c = 3
    x[1] = s.c""",
    "`t` is gone": """\
    if n > 0:
        t = 1.0
    x[1] = t
    x[2] = t + 1""",
    "`total` is used before it is assigned": """\
    total += 1
    x[0] = total""",
    "a vector of 2 i32 cannot be assigned to it": """\
    a = 1
    a = qd.Vector([1, 2])
    x[0] = a[0] + a[1]""",
    "int cannot be assigned to a vector of 2 i32": """\
    a = qd.Vector([1, 2])
    a = 1
    x[0] = a
    a += 2""",
}


@pytest.mark.parametrize("message", MISTAKES)
def test_one_mistake_is_one_error(arch: str, tmp_path: Path, message: str) -> None:
    if arch == "python":
        pytest.skip("arch=python stops at the first error")
    file = tmp_path / "mistake.py"
    file.write_text(HEADER + MISTAKES[message] + "\n")
    module = types.ModuleType("mistake")
    exec(compile(file.read_text(), file, "exec"), vars(module))
    with pytest.raises(qd.KernelCompilationError) as error:
        module.k(3)
    places = [line for line in str(error.value).splitlines() if line.startswith(str(file))]
    assert len(places) == 1 and message in places[0], str(error.value)


def test_two_mistakes_are_two_errors(arch: str, tmp_path: Path) -> None:
    if arch == "python":
        pytest.skip("arch=python stops at the first error")
    file = tmp_path / "mistakes.py"
    file.write_text(HEADER + "    x[0] = unknown\n    x[1] = other\n    x[2] = NOTHING + 1\n    x[3] = unknown\n")
    module = types.ModuleType("mistakes")
    exec(compile(file.read_text(), file, "exec"), vars(module))
    with pytest.raises(qd.KernelCompilationError) as error:
        module.k(3)
    assert [line.split(":")[1] for line in str(error.value).splitlines() if line.startswith(str(file))] == ["14", "15", "16"]

"""Prints of programs for Taichi and Quadrants: numbers as C's printf writes them. The expected lines are what both packages print."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HEAD = """\
import {peer} as ti

ti.init(arch=ti.cpu, log_level=ti.ERROR)


@ti.kernel
def show(x: ti.f32, y: ti.f64, i: ti.i32, u: ti.u64, h: ti.f16):
"""

PRINTS = """
print(x, y, h, i, u) -- 1.500000 2.250000000000 0.099976 7 9223372036854775808
print(x, y, sep="|", end=".\\n") -- 1.500000|2.250000000000.
print(1.5, 2, True, ti.math.pi) -- 1.500000 2 1 3.141593
print(x > 1, i == 3) -- 1 0
print(1e10 * x, 1e-10 * x, -x / 0.0) -- 15000000512.000000 0.000000 -inf
print(ti.Vector([x, 2.0]), ti.Matrix([[i, 2], [3, 4]]), ti.Vector([x > 1, x > 2])) -- [1.500000, 2.000000] [[7, 2], [3, 4]] [1, 0]
print(y * ti.Vector([1.0, 2.0])) -- [2.250000000000, 4.500000000000]
print((x, "a"), [[x, i], (1, 2.5)], (), ti.static([1, 2])) -- [1.500000, a] [[1.500000, 7], [1, 2.500000]] [] [1, 2]
print(f"{x} {y} {i:05d} {x:.2f} {x:.3e} {x=}|{x:10.3f}") -- 1.500000 2.250000000000 00007 1.50 1.500e+00 x=1.500000|     1.500
print(f"{x:.2} {y:.3} {x:10}|{x:-10}|{x:+}|{x: }|{x:010}|{x:#.0f}") -- 1.50 2.250   1.500000|1.500000  |+1.500000| 1.500000|001.500000|2.
print(f"{x:e} {y:E} {y / 9:g} {x:.3G} {x:a} {y:a}") -- 1.500000e+00 2.250000000000E+00 0.25 1.5 0x1.8p+0 0x1.200000000000p+1
print(f"{i:i} {i:ld} {i:-5d}|{i:+d}|{i:.3}|{i:6.3d}|{i:06.3d}|{-i:+6.3d}") -- 7 7 7    |+7|007|   007|   007|  -007
print(f"{u:x} {ti.u32(i):#x}|{ti.u32(i):o}|{ti.u32(i):.4X}|{x > 1:x}") -- 8000000000000000 0x7|7|0007|1
print(f"{ti.Vector([x, y]):.2f} {ti.Vector([i, 2]):03d}") -- [1.50, 2.25] [007, 002]
print(f"{3} {1.5} {True} {1.5:.3f} {2:05d}", "{} {:.2} {a:i}".format(1.5, 2, a=i)) -- 3 1.5 True 1.500 00002 1.5 02 7
"""
CASES = [line.split(" -- ") for line in PRINTS.strip().splitlines()]

WRONG = [
    ("i: ti.i32", ".2e", "i32"),
    ("i: ti.i32", "x", "i32"),
    ("i: ti.u32", "d", "u32"),
    ("i: ti.f32", "d", "f32"),
    ("i: ti.f64", "- #0.233lli", "f64"),
]


def told(folder: Path, peer: str, program: str) -> str:
    (folder / "program.py").write_text(program.replace("{peer}", peer))
    command = [sys.executable, "-m", "qd.compat", peer, "program.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("peer", ["quadrants", "taichi"])
def test_numbers_are_printed_as_by_printf(tmp_path: Path, peer: str) -> None:
    program = HEAD + "".join(f"    {statement}\n" for statement, _ in CASES) + "\n\nshow(1.5, 2.25, 7, 1 << 63, 0.1)\nti.sync()\n"
    assert told(tmp_path, peer, program).splitlines() == [line for _, line in CASES]


@pytest.mark.parametrize(("parameter", "spec", "kind"), WRONG)
def test_formats_that_do_not_match(tmp_path: Path, parameter: str, spec: str, kind: str) -> None:
    head = HEAD[: HEAD.index("@ti")]
    program = f"""{head}@ti.kernel
def show({parameter}):
    print(f"{{i:{spec}}}")


try:
    show(1)
except ti.TaichiTypeError as error:
    print(error)
"""
    assert f"'{spec}' doesn't match '{kind}'" in told(tmp_path, "taichi", program)


def test_programs_of_qd_print_as_python_does(tmp_path: Path) -> None:
    program = "import qd\nqd.init(log_level='error')\n@qd.kernel\ndef show(x: qd.f32):\n    print(x, (x, 2), f'{x:.2}', True, x > 1)\nshow(1.5)\n"
    assert told(tmp_path, "taichi", program) == "1.5 (1.5, 2) 1.5 True True\n"

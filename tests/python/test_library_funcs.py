"""Funcs of the language that are written in it (qd.svd, qd.math.cmul): nothing of them is in a program's coverage, and every cache knows them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import qd
from cache_programs import program, result, runner
from library_programs import lines_and_branches, measured, probe_rows

BUILD = Path(os.environ.get("QD_BUILD") or Path(__file__).resolve().parents[2] / "build/release")

SIM = """\
import sys

import qd

qd.init(arch=sys.argv[1], log_level="error", offline_cache=False, debug="debug" in sys.argv)
x = qd.Matrix.field(3, 3, qd.f32, shape=4)
n = qd.field(qd.f32, shape=4)


@qd.func
def stretch(a):
    u, s, v = qd.svd(a)
    if s[0, 0] > 2 and s[1, 1] > 0:
        s[0, 0] = 2.0
    return u @ s @ v.transpose()


@qd.kernel
def step(m: qd.i32):
    for i in range(m):
        x[i] = stretch(x[i])
        w, e = qd.sym_eig(x[i])
        if w[0] > 5:
            n[i] = 1.0
        z = qd.math.cmul(qd.math.vec2(1, 2), qd.math.csqrt(qd.math.vec2(i, 1)))
        n[i] = z[0] + qd.solve(qd.Matrix([[2.0, 0.0], [0.0, 1.0]]), qd.Vector([1.0, 1.0]))[0]
    t = qd.polar_decompose(x[0])[0]
    n[0] = t[0, 0] + qd.math.rotation2d(0.5)[0, 0]


@qd.kernel
def unused():
    x[0] = qd.svd(x[0])[0]


step(3)
"""


def test_only_the_program_is_measured(tmp_path: Path, back_end_name: str) -> None:
    found = lines_and_branches(tmp_path, SIM, back_end_name)
    assert found[1:] == [[14, 24, 33], [[13, 15], [20, 21], [20, 27], [23, 25]], [[13, 14], [23, 24]]]


def test_no_probe_of_them(tmp_path: Path, back_end_name: str) -> None:
    """A program has as many probes as with another expression in the place of each call."""
    plain = SIM.replace("qd.svd(a)", "a, a, a").replace("qd.sym_eig(x[i])", "qd.Vector([0.5, 1.0]), 1")
    shown = []
    for text in (SIM, plain):
        measured(tmp_path, text, back_end_name)
        shown.append(probe_rows(tmp_path))
    assert shown[0] == shown[1]
    assert [row[:3] for row in shown[0][:3]] == [["10", "func", "stretch"], ["18", "kernel", "step"], ["31", "kernel", "unused"]]


def test_coverage_is_that_without_them(tmp_path: Path, back_end_name: str) -> None:
    """Norms, determinants and interpolation have branches of their own for sizes and defaults; none of them is one of the program's."""
    used = "qd.math.mix(w.norm(), w.norm(w[0]), 0.5) + x[i].determinant() + x[i].inverse()[0, 0] + w.cross(w).x"
    found = []
    for name, value in (("without", "w[0] + w[1]"), ("with", used)):
        folder = tmp_path / name
        folder.mkdir()
        data = measured(folder, SIM.replace("n[i] = 1.0", f"n[i] = {value}"), back_end_name)
        (file,) = data.measured_files()
        shown = subprocess.run(["qd-cov", "debug", "probes", "sim.py"], cwd=folder, check=True, capture_output=True, text=True).stdout
        found.append((Path(file).name, sorted(data.arcs(file) or ()), [row.split()[:5] for row in shown.splitlines()]))
    assert found[0] == found[1]


CACHED = """\
import json
import sys

import numpy as np
import qd

qd.init(log_level="error")
Array = qd.types.ndarray(dtype=qd.types.matrix(3, 3, qd.f32), ndim=1)


@qd.kernel(fastcache=True)
def stretch(x: Array):
    for i in x:
        u, s, v = qd.svd(x[i])
        x[i] = s + qd.math.rot_by_axis(qd.math.vec3(0, 0, 1), 0.0)[0, 0] * qd.Matrix.identity(qd.f32, 3)


x = np.ones((2, 3, 3), np.float32)
stretch(x)
found = stretch._primal.src_ll_cache_observations
print(json.dumps([float(x[0, 0, 0]), [found.cache_key_generated, found.cache_validated, found.cache_loaded, found.cache_stored]]))
"""


def test_fastcache(tmp_path: Path) -> None:
    run = runner(tmp_path)
    path = program(tmp_path, CACHED)
    first = result(run(path))
    assert abs(first[0] - 4) < 1e-5 and first[1] == [True, False, False, True]
    second = result(run(path))
    assert second == [first[0], [True, True, True, False]]


SIMT = """\
import json
import sys

import numpy as np
import qd

qd.init(arch="reference", log_level="error")


@qd.kernel(fastcache=True)
def work(x: qd.types.ndarray(dtype=qd.i32, ndim=1), out: qd.types.ndarray(dtype=qd.i32, ndim=1)):
    qd.loop_config(block_dim=32)
    for i in range(32):
        out[i] = {call}


out = np.zeros(32, np.int32)
work(np.arange(32, dtype=np.int32), out)
print(json.dumps([out.tolist(), work._primal.src_ll_cache_observations.cache_loaded]))
"""


@pytest.mark.parametrize("place", ["subgroup", "block"])
def test_fastcache_of_reductions_and_scans(tmp_path: Path, place: str) -> None:
    """Such kernels read no variable of a function around them: one call of each, all in one kernel. Machine code of it would take LLVM long."""
    names = [name for name in getattr(qd.simt, place).__all__ if name.startswith(("reduce_", "inclusive_", "exclusive_", "segmented_"))]
    assert len(names) == {"subgroup": 46, "block": 12}[place]
    more = {"subgroup": "", "block": ", 32, qd.i32"}[place]
    calls = (f"qd.simt.{place}.{n}(x[i]{', x[i] & 4' if 'segmented' in n else ''}{', 3' if n.endswith('_tiled') else more})" for n in names)
    run = runner(tmp_path)
    path = program(tmp_path, SIMT.replace("{call}", " + ".join(f"(i == 0) * {call}" for call in calls)))
    first, loaded = result(run(path))
    assert not loaded and first[0] != 0
    assert result(run(path)) == [first, True]


def test_a_program_without_python_has_them(tmp_path: Path) -> None:
    """The compiler has their text built in."""
    lower = BUILD / "tests/ir/qd-lower"
    source = "import qd\n\n\n@qd.kernel\ndef k() -> qd.f32:\n    u, s, v = qd.svd(qd.Matrix([[1.0, 2.0], [3.0, 4.0]]))\n    return s[0, 0]\n"
    (tmp_path / "k.py").write_text(source)
    text = subprocess.run([lower, "--show", "k.py"], cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert "sqrt" in text and "linear_algebra" not in text


def test_the_text_that_is_built_in_is_that_of_the_package() -> None:
    """Each public func of the library is a func here and a name that the compiler finds; qd.types and others are not."""
    code = """
import json, qd
from qdcov._library.funcs import LibraryFunc
owners = {"": qd, "math.": qd.math, "Matrix.": qd.Matrix}
print(json.dumps(sorted({p + n for p, owner in owners.items() for n, thing in vars(owner).items() if isinstance(thing, LibraryFunc)})))"""
    names = json.loads(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout)
    rows = (Path(__file__).resolve().parents[2] / "runtime/frontend/constants/builtins.def").read_text()
    of_compiler = {line.split('"')[1] for line in rows.splitlines() if ", Library, " in line}
    # A name of qd is one of qd.math, too.
    assert {*names} - {"math." + name for name in of_compiler} == of_compiler

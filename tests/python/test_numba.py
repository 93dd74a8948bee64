"""Functions of Numba in whole programs: their lines and branches in reports, whatever ends the process, and nothing else changed."""

from __future__ import annotations

import contextlib
import errno
import importlib
import importlib.util
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml

if importlib.util.find_spec("numba") is None:  # it takes long to import, and the tests' programs do so
    pytest.skip("needs numba", allow_module_level=True)

SIM = """\
from numba import njit


@njit
def clip(v, top):
    if v > top:
        return top
    return v


@njit
def total(n, top):
    s = 0
    for i in range(n):
        s += clip(i, top)
        if s < 0:
            s = 0
    return s


@njit
def unused(v):
    if v:
        return 1
    return 2
"""


def run(folder: Path, *command: str, options: tuple[str, ...] = ("--branch",), **environment: str) -> subprocess.CompletedProcess[str]:
    every = os.environ | {"XDG_CACHE_HOME": str(folder / "caches"), "COVERAGE_CORE": "ctrace"} | environment
    words = ["qd-cov", "run", "-q", *options, "--", *command]
    return subprocess.run(words, cwd=folder, env=every, capture_output=True, text=True, check=False, timeout=120)


def missing(folder: Path, file: str = "sim.py") -> tuple[list[int], list[list[int]]]:
    """The missing lines and branches of a file."""
    subprocess.run(["qd-cov", "json", "-q", "-i"], cwd=folder, check=True, capture_output=True)
    found: Any = json.loads((folder / "coverage.json").read_text())["files"][file]
    return found["missing_lines"], found["missing_branches"]


UNCALLED = """\
from numba import njit


@njit(["float64(float64)", "int64(int64)"])
def declared(x):
    if x > 1:
        return x
    return 0


@njit
def used(x):
    if x > 1:
        return x
    return 0


used(2)
"""
MAIN = """\
import sys
import sim, uncalled
sys.path.insert(0, 'lib.zip')
import package.sim
print(sim.total(5, 2))
print(sim.clip(0.5, 1.0))
print(package.sim.clip(0.5, 1.0))
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the data of a program with three modules, one of them in a zip file."""
    folder = tmp_path_factory.mktemp("project")
    for name, text in {"sim.py": SIM, "uncalled.py": UNCALLED, "main.py": MAIN}.items():
        (folder / name).write_text(text)
    with zipfile.ZipFile(folder / "lib.zip", "w") as archive:
        archive.writestr("package/__init__.py", "")
        archive.writestr("package/sim.py", SIM)
    # NUMBA_JIT_COVERAGE would count lines that are compiled.
    done = run(folder, sys.executable, "main.py", NUMBA_JIT_COVERAGE="1")
    assert (done.returncode, done.stdout) == (0, "7\n0.5\n0.5\n"), done.stderr
    return folder


def told(folder: Path, *words: str) -> str:
    """The output of a command of qd-cov."""
    return subprocess.run(["qd-cov", *words], cwd=folder, capture_output=True, text=True, check=True).stdout


def test_lines_and_branches_in_reports(project: Path) -> None:
    assert missing(project) == ([17, 23, 24, 25], [[16, 17], [23, 24], [23, 25]])
    assert missing(project, "lib.zip/package/sim.py")[0] == [7, 13, 14, 15, 16, 17, 18, 23, 24, 25]
    assert "numba:cpu" in told(project, "report", "--by-arch")
    assert "not hit: 17" in told(project, "debug", "probes", "sim.py")
    with contextlib.closing(sqlite3.connect(project / ".coverage")) as database:
        taken = "SELECT arguments, fromno, tono FROM qd_variant_arc JOIN qd_variant ON qd_variant.id = variant_id WHERE taken AND fromno = 6"
        # The branch of the call that is inlined belongs to no variant of its own.
        assert set(database.execute(taken)) == {("v=float64, top=float64", 6, 8)}


def test_functions_that_were_compiled_and_never_called(project: Path) -> None:
    says = "not hit: 6-8: compiled for (x=float64), (x=int64) and never called"
    probes = told(project, "debug", "probes", "uncalled.py")
    assert says in " ".join(probes.split()) and probes.count("never called") == 1, probes
    states = told(project, "report", "--kernel-states")
    assert says.replace(": 6", " 6") in " ".join(states.split()) and states.count("never called") == 1, states


HOT = """\
import qd_numba
qd_numba.watch()
import numpy as np
from numba import njit


@njit
def limit(v, low, high):
    if v < low:
        return low
    if v > high:
        return high
    return v


@njit
def limited(x, y):
    for i in range(x.size):
        y[i] = limit(x[i], -1.0, 1.0)


limited(np.arange(5.0), np.zeros(5))
print(*limited.inspect_llvm().values())
"""


def test_hot_loops_with_helpers_neither_call_nor_jump(tmp_path: Path) -> None:
    if not importlib.import_module("qd_numba.inlining").can_inline():
        pytest.skip("this version of llvmlite cannot be asked to inline")
    (tmp_path / "sim.py").write_text(HOT)
    every = os.environ | {"QD_KERNEL_COVERAGE": "1", "QD_KERNEL_COVERAGE_DIR": str(tmp_path)}
    text = subprocess.run([sys.executable, "sim.py"], cwd=tmp_path, env=every, capture_output=True, text=True, check=True).stdout
    assert "@qdcov.state." in text and "qdcov.mark." not in text
    loops = 0
    for function in re.findall(r"^define [^\n]*limited.*?^}", text, re.MULTILINE | re.DOTALL):
        parts = re.split(r"^([-\w$.]+):", function, flags=re.MULTILINE)
        blocks = dict(zip(parts[1::2], parts[2::2]))
        graph = {label: re.findall(r"label %([-\w$.]+)", body) for label, body in blocks.items()}
        inside = importlib.import_module("qd_numba.loops").innermost_loops({label: [t for t in ts if t in graph] for label, ts in graph.items()})
        assert len(set(inside.values())) == len(inside), f"a jump within a loop:\n{function}"
        assert not [line for label in inside for line in blocks[label].splitlines() if re.search(r"call (?!.*@llvm\.)", line)], function
        loops += len(inside)
    assert loops, text


ENDS = """\
import os, signal, threading
import sim

sim.clip(1, 2)  # compiled, and one way of its branch taken
if os.fork() == 0:
    sim.total(0, 1)
    thread = threading.Thread(target=lambda: os.fork() and os.wait() or os.kill(os.getpid(), signal.SIGKILL))
    thread.start()
    thread.join()
    os.kill(os.getpid(), signal.SIGKILL)
os.wait()
thread = threading.Thread(target=sim.unused, args=(0,))
thread.start()
thread.join()
sim.clip(3, 2)
os.abort()
"""


def test_nothing_is_lost_when_a_process_dies(tmp_path: Path) -> None:
    (tmp_path / "sim.py").write_text(SIM)
    (tmp_path / "main.py").write_text(ENDS)
    done = run(tmp_path, sys.executable, "main.py")
    assert done.returncode == 128 + signal.SIGABRT, done.stderr
    lines, branches = missing(tmp_path)
    # coverage.py has lost the lines of the host with the process. `total` ran in the killed child, without an iteration.
    assert {6, 7, 8, 13, 14, 18, 23, 25}.isdisjoint(lines), lines
    assert {15, 16, 17, 24} <= set(lines) and [6, 7] not in branches and [23, 24] in branches, (lines, branches)


UNWRITABLE = """\
import os, resource
import numba
import sim

print(sim.clip(1, 2), numba.njit(cache=True)(sim.unused.py_func)(0))


def closed():
    os.closerange(3, 1024)
    own = [open(f"own{n}", "w") for n in range(9)]
    print(sim.clip(3, 2), sim.total(1, 1), flush=True)
    assert not any(os.path.getsize(file.name) for file in own)


def limited():
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
    print(sim.clip(3, 2), sim.total(1, 1), flush=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


for way in closed, limited:
    if (child := os.fork()) == 0:
        way()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
"""


def test_programs_run_on_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "sim.py").write_text(SIM)
    (tmp_path / "main.py").write_text(UNWRITABLE)
    done = run(tmp_path, sys.executable, "-u", "-W", "error", "main.py", XDG_CACHE_HOME=os.devnull, TMPDIR=str(tmp_path))
    assert (done.returncode, done.stdout) == (0, "1 2\n2 0\n2 0\n"), done.stderr
    assert re.findall(r"functions of Numba cannot be written: \[Errno (\d+)\]", done.stderr) == [str(errno.EBADF), str(errno.EFBIG)], done.stderr
    assert {6, 8}.isdisjoint(missing(tmp_path)[0]) and not list(tmp_path.glob("qd-cov*"))


CACHED = """\
import helper
from numba import njit


@njit(cache=True)
def cached(n):
    if n > 3:
        return helper.half(n)
    return 0


print(cached(5), cached.stats.cache_hits[next(iter(cached.stats.cache_hits), None)] if cached.stats.cache_hits else 0)
"""
HELPER = """\
from numba import njit


@njit(cache=True)
def half(n):
    return n // 2
"""


def test_caches_with_and_without_coverage_never_meet(tmp_path: Path) -> None:
    (tmp_path / "sim.py").write_text(CACHED)
    (tmp_path / "helper.py").write_text(HELPER)

    def plain() -> str:
        every = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "caches"), "PYTHONDONTWRITEBYTECODE": "1"}
        return subprocess.run([sys.executable, "sim.py"], cwd=tmp_path, env=every, capture_output=True, text=True, check=True).stdout

    def covered() -> str:
        done = run(tmp_path, sys.executable, "sim.py", PYTHONDONTWRITEBYTECODE="1")
        assert done.returncode == 0, done.stderr
        assert missing(tmp_path) == ([9], [[7, 9]])
        return done.stdout

    assert covered() == "2 0\n"
    assert not (tmp_path / "__pycache__").exists(), "nothing is written beside the sources"
    assert plain() == "2 0\n", "code with counters is not used without coverage"
    assert covered() == "2 1\n", "an entry of an earlier process counts, and plain code is not used with coverage"
    assert missing(tmp_path, "helper.py") == ([], [])
    # Numba itself would use `cached` with the old `half` in it, whose lines are others now.
    (tmp_path / "helper.py").write_text(HELPER.replace("@njit", "# a new line\n@njit").replace("// 2", "- 2"))
    assert covered() == "3 0\n"
    assert missing(tmp_path, "helper.py") == ([], [])


def test_a_full_cache_loses_what_was_used_least_recently(tmp_path: Path) -> None:
    bound = importlib.import_module("qd_numba.cache_size").bound
    for number, folder in enumerate(["numba-1/old", "numba-2/a", "numba-2/a", "numba-2/b"]):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / "f.nbi").write_bytes(b"index")
        entry = tmp_path / folder / f"f.{number}.nbc"
        entry.write_bytes(bytes(100))
        os.utime(entry, (1000 + number, 1000 + number))
    bound(tmp_path, 400)
    assert len(list(tmp_path.rglob("*.nbc"))) == 4
    bound(tmp_path, 399)
    assert sorted(path.name for path in tmp_path.rglob("*.nbc")) == ["f.2.nbc", "f.3.nbc"]
    assert not (tmp_path / "numba-1").exists()
    assert (tmp_path / "numba-2/a/f.nbi").exists()


AHEAD_OF_TIME = """\
from numba import njit
from numba.pycc import CC

compiler = CC("ahead")


@njit
def half(x):
    if x > 5:
        return 1.0
    return x / 2


half(2.0)


@compiler.export("twice_half", "f8(f8)")
def twice_half(x):
    if x > 1:
        return half(x) * 2
    return 0.0


compiler.compile()
"""


def test_modules_that_are_compiled_ahead_of_time_run_without_us(tmp_path: Path) -> None:
    pytest.importorskip("setuptools")
    (tmp_path / "sim.py").write_text(AHEAD_OF_TIME)
    done = run(tmp_path, sys.executable, "sim.py", CFLAGS="-O0")  # of Numba's own C code
    assert done.returncode == 0, done.stderr
    assert missing(tmp_path)[0] == [10, 19, 20, 21]
    words = [sys.executable, "-c", "import ahead; print(ahead.twice_half(3.0))"]
    assert subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True).stdout == "3.0\n"


WITHOUT_OTHER = """\
import numpy as np
from numba import cfunc, guvectorize, njit, stencil, types, vectorize
from numba.extending import overload


@vectorize(["float64(float64, float64)"])
def vec(a, b):
    if a > b:
        return a - b
    return b - a


@vectorize
def dufunc(a):
    if a > 100:
        return 0
    return a + 1


@guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")
def gu(x, out):
    for i in range(x.shape[0]):
        if x[i] < 0:
            out[i] = 0
        else:
            out[i] = x[i]


@cfunc("float64(float64)")
def cf(x):
    if x > 1:
        return x
    return -x


@stencil
def st(a):
    return a[0, 1] + a[0, -1]


@njit
def use_st(a):
    return st(a)


def my_len(x):
    return len(x)


@overload(my_len)
def ov_my_len(x):
    if isinstance(x, types.Array):
        def impl(x):
            if x.size > 3:
                return 3
            return x.size
        return impl


@njit
def use_ov(x):
    return my_len(x)


vec(np.ones(3), np.zeros(3))
dufunc(np.arange(3.0))
gu(np.array([1.0, -1.0]), np.zeros(2))
cf.ctypes(2.0)
use_st(np.ones((4, 4)))
use_ov(np.ones(2))
"""


def test_constructs_that_are_compiled_even_without_the_jit(tmp_path: Path) -> None:
    (tmp_path / "sim.py").write_text(WITHOUT_OTHER)
    done = run(tmp_path, sys.executable, "sim.py")
    assert done.returncode == 0, done.stderr
    source = WITHOUT_OTHER.splitlines()
    assert {source[line - 1].strip() for line in missing(tmp_path)[0]} == {
        "return b - a", "return 0", "return -x", "return len(x)", "return 3",
    }  # fmt: skip


TESTS = """\
import sim


def test_a():
    assert sim.clip(1, 2) == 1


def test_b():
    assert sim.clip(3, 2) == 2
"""


@pytest.mark.parametrize("how", ["run", "cov", "xdist"])
def test_contexts_of_tests(tmp_path: Path, how: str, plugin_path: str) -> None:
    (tmp_path / "sim.py").write_text(SIM)
    (tmp_path / "test_sim.py").write_text(TESTS)
    every = os.environ | {"PYTHONPATH": os.pathsep.join([plugin_path, os.environ["PYTHONPATH"]]), "XDG_CACHE_HOME": str(tmp_path / "caches")}
    pytest_words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    if how == "run":
        words = ["qd-cov", "run", "-q", "--branch", "--context=test", "--", *pytest_words]
    else:
        words = [*pytest_words, "--cov=.", "--cov-branch", "--cov-context=test", "--cov-report=", *(["-n1"] if how == "xdist" else [])]
    done = subprocess.run(words, cwd=tmp_path, env=every, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert missing(tmp_path)[0] == [13, 14, 15, 16, 17, 18, 23, 24, 25]
    for line, test in ((7, "test_b"), (8, "test_a")):
        found = subprocess.run(["qd-cov", "which-tests", f"sim.py:{line}"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        assert found.split() == [f"test_sim.py::{test}"], found
    assert not list(tmp_path.glob("_qd_kcov*")) and not list(tmp_path.glob(".coverage.*"))


ODD = """\
import linecache, traceback
from numba import njit

names = {"njit": njit}
exec("@njit\\ndef made(x):\\n    if x:\\n        return 1\\n    return 2", names)
print(names["made"](1))
exec(compile("@njit\\ndef absent(x):\\n    return x", "absent.py", "exec"), names)
print(names["absent"](1))


@njit
def wrong(x):
    y = x + 1
    return y.nothing


try:
    wrong(1)
except Exception as error:
    print(error)
"""


def test_odd_sources_and_errors_are_those_of_the_program_alone(tmp_path: Path) -> None:
    (tmp_path / "sim.py").write_text(ODD)
    alone = subprocess.run([sys.executable, "sim.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    done = run(tmp_path, sys.executable, "sim.py")
    assert (done.returncode, done.stdout) == (0, alone.stdout), done.stderr
    assert "mark" not in done.stdout and "nothing" in done.stdout
    assert missing(tmp_path)[0] == [13, 14]
    probes = subprocess.run(["qd-cov", "debug", "probes", "sim.py"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert "wrong" in probes and "made" not in probes and "(int64): Unknown attribute 'nothing' of type int64" in probes, probes


def test_the_job_of_the_sample_project(tmp_path: Path) -> None:
    project = shutil.copytree(Path(__file__).resolve().parents[1] / "projects/histogram", tmp_path / "project")
    job = yaml.safe_load((project / ".github/workflows/coverage.yml").read_text())["jobs"]["coverage"]
    steps = [step["run"] for step in job["steps"] if "run" in step and not step["run"].startswith("pip ")]
    every = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "caches")}
    done = subprocess.run(["sh", "-ec", "\n".join(steps)], cwd=project, env=every, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0 and len(steps) == 2, done.stdout + done.stderr
    source = (project / "histogram/counts.py").read_text().splitlines()
    lines, branches = missing(project, "histogram/counts.py")
    assert [source[line - 1].strip() for line in lines] == ["return -1", "return -1", "return counts.size - 1"], done.stdout
    assert len(branches) == 3, done.stdout


@pytest.mark.parametrize("variables", [{"NUMBA_DISABLE_JIT": "1"}, {"QD_NUMBA_COVERAGE": "0"}], ids=["no JIT", "off"])
def test_turned_off(tmp_path: Path, variables: dict[str, str]) -> None:
    (tmp_path / "sim.py").write_text(SIM + "\n\nclip(1, 2)\n")
    assert run(tmp_path, sys.executable, "sim.py", **variables).returncode == 0
    by_host = "NUMBA_DISABLE_JIT" in variables
    assert (6 in missing(tmp_path)[0]) != by_host
    table = subprocess.run(["qd-cov", "report", "--by-arch"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert "numba:cpu" not in table


@pytest.mark.parametrize(("version", "says"), [("9.9.1", "Numba 9.9.1 is not among the versions"), ("0.64.0", "Numba 0.64.0 has no numba.core.")])
def test_unknown_numba_is_told(tmp_path: Path, version: str, says: str) -> None:
    core = tmp_path / "numba" / "core"
    core.mkdir(parents=True)
    (core.parent / "__init__.py").write_text(f"__version__ = {version!r}\nimport numba.core.dispatcher\n")
    (core / "__init__.py").write_text("")
    (core / "dispatcher.py").write_text("")
    (tmp_path / "sim.py").write_text("import numba\nprint(numba.__version__)\n")
    done = run(tmp_path, sys.executable, *(["-W", "error"] if version == "9.9.1" else []), "sim.py")
    assert done.stdout == f"{version}\n" and says in done.stderr, done.stderr
    assert missing(tmp_path) == ([], [])


def test_numba_is_not_imported_by_us(tmp_path: Path) -> None:
    (tmp_path / "sim.py").write_text("import sys\nprint(any(name.partition('.')[0] in ('numba', 'llvmlite') for name in sys.modules))\n")
    assert run(tmp_path, sys.executable, "sim.py").stdout == "False\n"

"""Data files have the arguments and the kernel for which a func was inlined, and the arcs that each of these took.

Two oracles: the variants together took the arcs that the func took, and each took those that it takes in a program that has no other one."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import coverage_commands
import pytest

FUNCS = """\
import qd


@qd.func
def pick(v, n: qd.template()):
    found = v
    if qd.static(n > 1):
        if v > n:
            found = v - n
        else:
            found = inner(v) + inner(found)
    else:
        found = -v
    while found > 10:
        found -= 1
        if found == n:
            break
    return found


@qd.func
def inner(w):
    if w > 0 and w < 2:
        w += 1
    return w


@qd.real_func
def real(v, n: qd.template()) -> qd.i32:
    if v > n:
        return 1
    return 0
"""
KERNELS = """\
import qd
from funcs import inner, pick, real


@qd.kernel
def step(x: qd.types.ndarray(qd.f32, 1)):
    for i in x:
        x[i] = {step}


@qd.kernel
def other(top: qd.i32) -> qd.i32:
    sum = 0
    for i in range(top):
        sum += {other}
    return sum
"""
PROGRAM = """\
import os, signal, sys
import numpy as np
import qd
import {module} as k

qd.init(log_level="error")
if "step" in sys.argv:
    k.step(np.linspace(-3, 20, 24).astype(np.float32))
if "other" in sys.argv:
    k.other(3)
if "kill" in sys.argv:
    os.kill(os.getpid(), signal.SIGKILL)
"""
# In which kernel, the call, and the variant that it makes of the func.
CALLS = {
    "pick(x[i], 1)": ("step", "pick", "v=f32, n=1"),
    "pick(x[i], 4)": ("step", "pick", "v=f32, n=4"),
    "pick(x[i] + 30, 4.5)": ("step", "pick", "v=f32, n=4.5"),
    "pick(i, 4)": ("step", "pick", "v=i32, n=4"),
    "pick(i + 1, 4)": ("other", "pick", "v=i32, n=4"),
    "pick(7, 1)": ("other", "pick", "v=i32, n=1"),
    "inner(i)": ("other", "inner", "w=i32"),
    "inner(x[i])": ("step", "inner", "w=f32"),
    "real(i, 1)": ("other", "real", "v=i32, n=1"),
    "real(i, 5)": ("other", "real", "v=i32, n=5"),
}
Arcs = dict[tuple[int, int], bool]
Variants = dict[tuple[str, str, str], Arcs]


def clean() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if k.startswith("QD_OFFLINE") or not k.startswith(("QD_", "COV", "PYTEST"))}


def run(folder: Path, calls: list[str], *words: str, module: str = "kernels", **env: str) -> Path:
    """Runs a program with these calls; gives its data file."""
    of = {kernel: [call for call in calls if CALLS[call][0] == kernel] for kernel in ("step", "other")}
    (folder / "funcs.py").write_text(FUNCS)
    (folder / f"{module}.py").write_text(KERNELS.format(step=" + ".join(of["step"]) or "0", other=" + ".join(of["other"]) or "0"))
    (folder / "program.py").write_text(PROGRAM.format(module=module))
    for old in folder.glob("_qd_kcov*"):
        old.unlink()
    command = ["program.py", *(kernel for kernel, list in of.items() if list), *words]
    done = coverage_commands.program(command, folder, {**clean(), "QD_KERNEL_COVERAGE": "1", **env})
    assert done.returncode == (-signal.SIGKILL if "kill" in words else 0), done.stderr
    return next(iter(folder.glob("_qd_kcov.*")), folder / ".coverage")


def combine(folder: Path, *options: str) -> Path:
    done = subprocess.run(["qd-cov", "combine", "-q", *options], cwd=folder, env=clean(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / ".coverage"


def query(path: Path, sql: str) -> list[tuple[object, ...]]:
    with sqlite3.connect(path) as db:
        rows = db.execute(sql).fetchall()
    db.close()
    return rows


def variants(path: Path) -> Variants:
    """Variants of funcs: kernel, func, and the arguments; and the arcs that each has, with whether they were taken."""
    rows = query(
        path,
        "SELECT v.kernel, f.name, v.arguments, fromno, tono, taken FROM qd_variant v JOIN qd_function f ON f.id = function_id "
        "JOIN qd_variant_arc ON variant_id = v.id WHERE is_kernel = 0",
    )
    result: Variants = {}
    for kernel, func, arguments, start, end, taken in rows:
        result.setdefault((str(kernel), str(func), str(arguments)), {})[int(str(start)), int(str(end))] = bool(taken)
    return result


def funcs(path: Path) -> dict[str, Arcs]:
    """The arcs of each func in the data, and whether they were taken, over all kernels that call it."""
    places = query(path, "SELECT DISTINCT name, file_id, first_line FROM qd_function WHERE is_kernel = 0")
    result = {}
    for name, file, first in places:
        measured = query(
            path, f"SELECT DISTINCT fromno, tono FROM qd_probe JOIN qd_function f ON f.id = function_id WHERE name = '{name}' AND measured"
        )
        taken = set(query(path, f"SELECT fromno, tono FROM arc WHERE file_id = {file}"))
        result[str(name)] = {(int(str(start)), int(str(end))): (start, end) in taken for start, end in measured}
        assert any(start == -int(str(first)) for start, _ in result[str(name)])
    return result


def union(found: Variants, func: str) -> Arcs:
    result: Arcs = {}
    for (_, name, _), arcs in found.items():
        for arc, taken in arcs.items() if name == func else ():
            result[arc] = result.get(arc, False) or taken
    return result


@pytest.fixture(scope="module")
def all_calls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run(tmp_path_factory.mktemp("all"), list(CALLS))


def variant_of(call: str) -> tuple[str, str, str]:
    kernel, func, arguments = CALLS[call]
    return f"{kernel} (kernels.py)", func, arguments


def test_together_they_ran_what_the_func_ran(all_calls: Path) -> None:
    found = variants(all_calls)
    assert set(found) == {*map(variant_of, CALLS), ("step (kernels.py)", "inner", "w=i32")}  # that one within pick(i, 4)
    whole = funcs(all_calls)
    assert set(whole) == {"pick", "inner", "real"}
    for func, arcs in whole.items():
        assert union(found, func) == arcs
        assert True in arcs.values() and (func != "pick" or False in arcs.values())


@pytest.mark.parametrize("call", CALLS)
def test_each_ran_what_it_runs_alone(all_calls: Path, tmp_path: Path, call: str) -> None:
    kernel, func, _ = CALLS[call]
    # `pick` calls `inner` too: then all calls of the kernel are of that func.
    alone = run(tmp_path, [other for other in CALLS if other == call or (func == "inner" and CALLS[other][0] == kernel)])
    assert variants(all_calls)[variant_of(call)] == variants(alone)[variant_of(call)]
    if func != "inner":
        assert variants(alone)[variant_of(call)] == funcs(alone)[func]


def test_line_data(tmp_path: Path) -> None:
    (tmp_path / ".coveragerc").write_text("[run]\nbranch = false\n")
    path = run(tmp_path, list(CALLS))
    assert all(start < 0 for arcs in variants(path).values() for start, _ in arcs)
    assert (
        not variants(path)["step (kernels.py)", "pick", "v=f32, n=1"].get((-4, 8), False)
        and variants(path)["step (kernels.py)", "pick", "v=f32, n=4"][-4, 8]
    )


def test_conditions_are_those_of_all(tmp_path: Path) -> None:
    """A decision is one, in however many variants its func is."""
    for calls, seen in ((list(CALLS), {"TT", "TF", "F-"}), (["inner(i)"], {"TT", "F-", "TF"})):
        path = run(tmp_path, calls, QD_KERNEL_COVERAGE_CONDITIONS="1")
        rows = query(path, "SELECT DISTINCT conditions FROM qd_evaluation JOIN qd_decision d ON d.id = decision_id WHERE first_line = 21")
        assert {str(row[0]) for row in rows} == seen and len(query(path, "SELECT 1 FROM qd_decision WHERE first_line = 21")) == 1


def test_a_process_that_was_killed(all_calls: Path, tmp_path: Path) -> None:
    run(tmp_path, list(CALLS), "kill")
    assert variants(combine(tmp_path)) == variants(all_calls)


def test_combining(tmp_path: Path) -> None:
    """Combining kernels with the same name in two files, and data of before funcs had variants."""
    for module in ("kernels", "more"):
        run(tmp_path, ["pick(x[i], 1)", "pick(x[i], 4)"], module=module)
        combine(tmp_path, *(["--append"] if module == "more" else []))
    found = variants(tmp_path / ".coverage")
    names = {(f"step ({module}.py)", "pick", arguments) for module in ("kernels", "more") for arguments in ("v=f32, n=1", "v=f32, n=4")}
    assert names <= set(found)
    assert union(found, "pick") == funcs(tmp_path / ".coverage")["pick"]
    old = run(tmp_path, ["pick(x[i], 1)"])
    with sqlite3.connect(old) as db:
        db.executescript("""DELETE FROM qd_variant WHERE kernel != '';
            CREATE TABLE older (id integer primary key, function_id integer, arguments text, launches integer);
            INSERT INTO older SELECT id, function_id, arguments, launches FROM qd_variant;
            DROP TABLE qd_variant; ALTER TABLE older RENAME TO qd_variant;""")
    db.close()
    assert variants(combine(tmp_path, "--append")) == found
    stock = [sys.executable, "-m", "coverage", "report", "--include=funcs.py"]
    assert subprocess.run(stock, cwd=tmp_path, env=clean(), capture_output=True, check=False).returncode == 0


MANY = """\
import qd


@qd.func
def one(v, n: qd.template()):
    if v > n:
        v = n
    return v


@qd.kernel
def all(v: qd.i32) -> qd.i32:
    sum = 0
    for n in qd.static(range({})):
        sum += one(v, n)
    return sum


qd.init(log_level="error")
all(4)
"""


@pytest.mark.parametrize("many", [8, 9])
def test_too_many_in_one_kernel_are_one(tmp_path: Path, many: int) -> None:
    """A loop that is unrolled does not count each of its copies."""
    (tmp_path / "many.py").write_text(MANY.format(many))
    subprocess.run([sys.executable, "many.py"], cwd=tmp_path, env={**clean(), "QD_KERNEL_COVERAGE": "1"}, check=True)
    (path,) = tmp_path.glob("_qd_kcov.*")
    found = variants(path)
    told_apart = {f"v=i32, n={n}" for n in range(many)} if many == 8 else {"9 different sets of arguments"}
    assert {arguments for _, _, arguments in found} == told_apart
    assert union(found, "one") == funcs(path)["one"] and all(union(found, "one").values())

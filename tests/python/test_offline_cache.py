"""Compiled code from one run to the next: what is found, what is not, whatever happens to the files; and coverage of kernels that come from there."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

KERNELS = """\
import json
import sys

import numpy as np
import qd

CUTOFF = 3
qd.init(log_level="error")
Array = qd.types.ndarray(dtype=qd.i32, ndim=1)


@qd.func
def twice(v):
    return 2 * v


@qd.kernel
def change(x: Array, add: qd.i32) -> qd.i32:
    total = 0
    for i in range(x.shape[0]):
        if x[i] > CUTOFF:
            x[i] = twice(x[i]) + add
        else:
            x[i] = 0
        total += x[i]
    return total


@qd.kernel
def plain(x: Array):
    for i in x:
        x[i] += 1


def seen(kernel):
    return kernel._primal.fe_ll_cache_observations.cache_hit


x = np.arange(8, dtype=np.int32)
order = sys.argv[1:] or ["change", "plain"]
found = {}
for name in order:
    if name == "change":
        total = change(x, 1)
    else:
        plain(x)
    found[name] = seen(globals()[name])
print(json.dumps([x.tolist(), found]))
"""

Run = Callable[..., subprocess.CompletedProcess[str]]


def runner(folder: Path) -> Run:
    """What runs a program with the cache of a folder."""

    def run(program: Path, *words: str, cache: Path | str = folder / "cache", setup: Any = None, **more: str) -> subprocess.CompletedProcess[str]:
        env = {k: v for k, v in os.environ.items() if not k.startswith(("QD_", "COV", "PYTEST"))}
        env |= {"QD_OFFLINE_CACHE_FILE_PATH": str(cache)} if cache else {}
        command = [sys.executable, program, *words]
        done = subprocess.run(command, cwd=program.parent, env={**env, **more}, capture_output=True, text=True, preexec_fn=setup)
        assert done.returncode == 0, done.stderr
        return done

    return run


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a program with a cache of its own."""
    return runner(tmp_path)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that KERNELS, and FAST with a word, have filled: to be copied."""
    folder = tmp_path_factory.mktemp("filled")
    runner(folder)(program(folder / "a"))
    runner(folder)(program(folder / "b", FAST), "flag")
    return folder / "cache"


def program(folder: Path, text: str = KERNELS, name: str = "program.py") -> Path:
    """A program in a folder."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(textwrap.dedent(text))
    return folder / name


def result(done: subprocess.CompletedProcess[str]) -> Any:
    """What a program printed."""
    return json.loads(done.stdout)


def entries(cache: Path, kind: str = "*") -> list[Path]:
    """The entries of a cache."""
    return sorted(p for p in cache.glob(f"*/*.{kind}"))


CHANGED = [0, 0, 0, 0, 9, 11, 13, 15]


def test_the_second_run_finds_what_the_first_compiled(run: Run, tmp_path: Path) -> None:
    here = program(tmp_path / "a")
    first = result(run(here))
    assert first == [[v + 1 for v in CHANGED], {"change": False, "plain": False}]
    before = {path: path.read_bytes() for path in entries(tmp_path / "cache")}
    assert len(before) == 2
    second = run(here)
    assert result(second) == [first[0], {"change": True, "plain": True}]
    assert second.stderr == ""
    assert {path: path.read_bytes() for path in entries(tmp_path / "cache")} == before


def test_neither_folder_nor_lines_nor_order_matter(run: Run, tmp_path: Path) -> None:
    run(program(tmp_path / "a"))
    moved = program(tmp_path / "elsewhere", "# moved\n\n\n" + KERNELS.replace("change", "renamed"), "other.py")
    changed = run(moved, "plain", "renamed")
    assert result(changed)[1] == {"plain": True, "renamed": True}
    assert len(entries(tmp_path / "cache")) == 2


@pytest.mark.parametrize(
    "old, new",
    [
        ("CUTOFF = 3", "CUTOFF = 4"),
        ("return 2 * v", "return 3 * v"),
        ("+ add", "- add"),
        ("dtype=qd.i32", "dtype=qd.i64"),
        ('log_level="error"', 'log_level="error", fast_math=False'),
    ],
)
def test_what_changes_code_is_found_under_another_key(run: Run, tmp_path: Path, filled: Path, old: str, new: str) -> None:
    shutil.copytree(filled, tmp_path / "cache")
    before = len(entries(tmp_path / "cache"))
    other = KERNELS.replace(old, new).replace("np.int32", "np.int64" if "i64" in new else "np.int32")
    assert other != KERNELS
    assert result(run(program(tmp_path / "b", other), "change"))[1] == {"change": False}
    assert len(entries(tmp_path / "cache")) == before + 1


def test_what_does_not_change_code_is_not_in_the_key(run: Run, tmp_path: Path, filled: Path) -> None:
    shutil.copytree(filled, tmp_path / "cache")
    options = "cpu_max_num_threads=1, num_compile_threads=2, random_seed=7, print_full_traceback=True, unrolling_limit=5"
    other = KERNELS.replace('log_level="error"', f'log_level="error", {options}')
    assert result(run(program(tmp_path / "b", other)))[1] == {"change": True, "plain": True}


def test_off(run: Run, tmp_path: Path) -> None:
    run(program(tmp_path / "a"), QD_OFFLINE_CACHE="0")
    assert not (tmp_path / "cache").exists()


def test_damaged_and_foreign_entries_are_made_again(run: Run, tmp_path: Path) -> None:
    here, cache = program(tmp_path / "a"), tmp_path / "cache"
    expected = result(run(here))[0]
    one, two = entries(cache)
    good = {path: path.read_bytes() for path in (one, two)}
    one.write_bytes(good[two])
    two.write_bytes(good[two][:-100])
    done = run(here)
    assert result(done) == [expected, {"change": False, "plain": False}]
    assert done.stderr.count("is damaged; the kernel is compiled again") == 2
    assert {path: path.read_bytes() for path in (one, two)} == good
    assert result(run(here))[1] == {"change": True, "plain": True}


def test_places_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    here = program(tmp_path / "a")
    (tmp_path / "file").write_text("")
    done = run(here, cache=tmp_path / "file")
    assert result(done)[1] == {"change": False, "plain": False}
    assert done.stderr.count("offline cache: cannot write") == 1
    homeless = run(here, cache="", HOME="")
    assert result(homeless)[1] == {"change": False, "plain": False}
    assert homeless.stderr.count("there is no home folder") == 1


def test_a_full_disk(run: Run, tmp_path: Path) -> None:
    def nearly_full() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300))

    done = run(program(tmp_path / "a"), setup=nearly_full)
    assert result(done)[0] == [v + 1 for v in CHANGED]
    assert done.stderr.count("offline cache: cannot write") == 1
    assert entries(tmp_path / "cache") == [], "no half of an entry stays"
    assert result(run(program(tmp_path / "a")))[1] == {"change": False, "plain": False}


def test_the_home_folder_is_the_usual_place(run: Run, tmp_path: Path) -> None:
    run(program(tmp_path / "a"), cache="", HOME=str(tmp_path))
    assert len(entries(tmp_path / ".cache" / "qd")) == 2


def test_options_have_bounds(run: Run, tmp_path: Path) -> None:
    here = program(tmp_path / "a")
    run(here, QD_OFFLINE_CACHE_MAX_SIZE_OF_FILES="10")
    assert entries(tmp_path / "cache") == []
    run(here, QD_OFFLINE_CACHE_CLEANING_POLICY="never", QD_OFFLINE_CACHE_MAX_SIZE_OF_FILES="10")
    assert len(entries(tmp_path / "cache")) == 2
    with pytest.raises(AssertionError, match="must be one of never, version, lru, fifo"):
        run(here, QD_OFFLINE_CACHE_CLEANING_POLICY="all")


def test_several_processes_at_once(run: Run, tmp_path: Path) -> None:
    here, cache = program(tmp_path / "a"), tmp_path / "cache"
    env = {**os.environ, "QD_OFFLINE_CACHE_FILE_PATH": str(cache), "QD_OFFLINE_CACHE_MAX_SIZE_OF_FILES": "2500"}
    for _ in range(2):
        children = [subprocess.Popen([sys.executable, here], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
        for child in children:
            out, errors = child.communicate()
            assert (json.loads(out)[0], errors) == ([v + 1 for v in CHANGED], "")
    assert not list(cache.glob("*/*.tmp"))
    expected = result(run(here, cache=tmp_path / "another"))[0]
    assert result(run(here))[0] == expected


FAST = """\
import json
import sys

import numpy as np
import qd
from enum import Enum

SCALE = 2


class Mode(Enum):
    SLOW = 1


Pair = qd.types.struct(a=qd.i32, b=qd.i32)
qd.init(log_level="error")
Array = qd.types.ndarray(dtype=qd.i32, ndim=1)


@qd.func
def scaled(v):
    return SCALE * v + Pair(300, 1).a - 300


@qd.kernel(fastcache=True)
def change(x: Array, flag: qd.template()):
    for i in x:
        if qd.static(flag):
            x[i] = scaled(x[i])
        elif x[i] > 3:
            x[i] = -x[i] + Mode.SLOW.value


x = np.arange(6, dtype=np.int32)
change(x, len(sys.argv) > 1)
found = change._primal.src_ll_cache_observations
print(json.dumps([x.tolist(), [found.cache_key_generated, found.cache_validated, found.cache_loaded, found.cache_stored]]))
"""
STORED, LOADED, REFUSED = [True, False, False, True], [True, True, True, False], [True, False, False, False]


def test_the_front_end_is_skipped(run: Run, tmp_path: Path) -> None:
    here = program(tmp_path / "a", FAST)
    first = run(here, "flag")
    assert result(first) == [[0, 2, 4, 6, 8, 10], STORED]
    assert first.stderr.count("[PURE.VIOLATION] kernel `change` has fastcache=True, and reads `SCALE`") == 1
    second = run(here, "flag")
    assert result(second) == [[0, 2, 4, 6, 8, 10], LOADED]
    assert second.stderr == first.stderr
    assert result(run(here)) == [[0, 1, 2, 3, -3, -4], STORED], "a template's value is part of the key"
    assert result(run(here)) == [[0, 1, 2, 3, -3, -4], LOADED]


def test_fast_kernels_elsewhere(run: Run, tmp_path: Path) -> None:
    first = run(program(tmp_path / "a", FAST), "flag")
    moved = run(program(tmp_path / "b", "#\n#\n" + FAST, "moved.py"), "flag")
    assert result(moved)[1] == LOADED
    assert moved.stderr == first.stderr.replace(f"{tmp_path}/a/program.py:22", f"{tmp_path}/b/moved.py:24") != first.stderr


@pytest.mark.parametrize(
    "old, new, values",
    [
        ("SCALE = 2", "SCALE = 3", [0, 3, 6, 9, 12, 15]),
        ("return SCALE * v", "return SCALE * v + 1", [1, 3, 5, 7, 9, 11]),
        ("struct(a=qd.i32, b=", "struct(a=qd.i8, b=", [-256, -254, -252, -250, -248, -246]),
        ("struct(a=qd.i32, b=", "struct(b=qd.i32, a=", [-299, -297, -295, -293, -291, -289]),
        ("scaled(x[i])", "scaled(x[i]) - 1", [-1, 1, 3, 5, 7, 9]),
    ],
)
def test_what_a_fast_kernel_reads_is_looked_at_again(run: Run, tmp_path: Path, filled: Path, old: str, new: str, values: list[int]) -> None:
    shutil.copytree(filled, tmp_path / "cache")
    here = program(tmp_path / "a", FAST.replace(old, new))
    assert result(run(here, "flag")) == [values, STORED]
    assert result(run(here, "flag")) == [values, LOADED]
    program(tmp_path / "a", FAST)
    assert result(run(here, "flag")) == [[0, 2, 4, 6, 8, 10], LOADED], "what was kept before is still there"


UNSTEADY = """\
import json
import sys

import numpy as np
import qd


class Counting(type):
    reads = 0

    @property
    def READS(cls):
        Counting.reads += 1
        return Counting.reads


class Box(metaclass=Counting):
    pass


def level():
    return int(open("level").read())


qd.init(log_level="error")


@qd.kernel(fastcache=True)
def asks() -> qd.i32:
    return qd.static(level())


@qd.kernel(fastcache=True)
def counts() -> qd.i32:
    return qd.static(Box.READS) * 100 + qd.static(Box.READS)


kernel = globals()[sys.argv[1]]
value = kernel()
found = kernel._primal.src_ll_cache_observations
print(json.dumps([value, [found.cache_loaded, found.cache_stored]]))
"""


def test_what_may_be_another_the_next_time_is_not_kept(run: Run, tmp_path: Path) -> None:
    here = program(tmp_path / "a", UNSTEADY)
    for level in ("3", "5"):
        (tmp_path / "a" / "level").write_text(level)
        assert result(run(here, "asks")) == [int(level), [False, False]]
        assert result(run(here, "counts"))[1] == [False, False]


def test_options_of_fast_kernels(run: Run, tmp_path: Path) -> None:
    here = program(tmp_path / "a", FAST)
    run(here)
    assert result(run(program(tmp_path / "b", FAST.replace('"error"', '"error", default_ip=qd.i64'))))[1] == STORED
    assert result(run(program(tmp_path / "c", FAST.replace('"error"', '"error", debug=True'))))[1] == STORED
    off = run(program(tmp_path / "d", FAST.replace('"error"', '"error", src_ll_cache=False, print_non_pure=True')))
    assert result(off)[1] == [False] * 4
    assert "[NOT_PURE]" not in off.stderr
    named = run(program(tmp_path / "e", FAST.replace("(fastcache=True)", "").replace('"error"', '"error", print_non_pure=True')))
    assert named.stderr.count("[NOT_PURE] kernel change is compiled without fastcache=True") == 1


def test_a_damaged_fast_entry(run: Run, tmp_path: Path) -> None:
    here = program(tmp_path / "a", FAST)
    run(here)
    (entry,) = entries(tmp_path / "cache", "kernel")
    entry.write_bytes(entry.read_bytes()[:-1] + b"?")
    done = run(here)
    assert result(done)[1] == STORED
    assert "is damaged" in done.stderr
    assert result(run(here))[1] == LOADED


COVERED = """\
import sys
import numpy as np
import qd

qd.init(log_level="error", coverage_switch=int(sys.argv[1]))
Array = qd.types.ndarray(dtype=qd.i32, ndim=1)


@qd.func
def limited(v):
    if v > 4:
        v = 4
    return v


@qd.kernel{options}
def change(x: Array):
    for i in range(x.shape[0]):
        if x[i] < 0:
            x[i] = 0
        else:
            x[i] = limited(x[i])


@qd.kernel{options}
def again(x: Array):
    for i in range(x.shape[0]):
        if x[i] < 0:
            x[i] = 0
        else:
            x[i] = limited(x[i])


kernels = [again, change] if "backwards" in sys.argv else [change, again]
for _ in range(20):
    for kernel in kernels:
        kernel(np.arange(-1 if kernel is again else 0, 3, dtype=np.int32))
"""


def arcs(folder: Path, file: Path) -> list[tuple[int, int]]:
    """What was measured in a folder, of one file; the data goes."""
    found: set[tuple[int, int]] = set()
    for data in folder.glob("_qd_kcov*"):
        with sqlite3.connect(data) as database:
            found |= set(database.execute("SELECT fromno, tono FROM arc JOIN file ON file.id = file_id WHERE path = ?", [str(file)]))
        data.unlink()
    return sorted(found)


@pytest.mark.parametrize("options", ["", "(fastcache=True)"])
def test_coverage_is_that_of_the_lines_at_hand(run: Run, tmp_path: Path, options: str) -> None:
    text = COVERED.replace("{options}", options)
    here, there = program(tmp_path / "a", text), program(tmp_path / "b", "#\n" * 50 + text, "moved.py")

    def measured(where: Path, cache: str, *words: str) -> list[tuple[int, int]]:
        run(where, *words, cache=tmp_path / cache, QD_KERNEL_COVERAGE="1", QD_KERNEL_COVERAGE_BRANCH="1")
        return arcs(where.parent, where)

    expected = measured(here, "none", "0")
    assert (19, 20) not in expected and (19, 22) in expected and (28, 29) in expected, "only one of the two has a negative number"
    shift = [(f + 50 if f > 0 else f - 50, t + 50 if t > 0 else t - 50) for f, t in expected]
    for words in (("0",), ("2", "backwards"), ("3",)):
        assert measured(here, "cache", *words) == expected, words
        assert measured(there, "cache", *words) == sorted(shift), words
    if not options:
        assert len(entries(tmp_path / "cache", "code")) < 8, "two kernels that differ in lines only share their code"

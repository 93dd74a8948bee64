"""Compiled code from one run to the next: hits, misses, damaged and removed files; and coverage of kernels that come from there."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from cache_programs import Run, entries, program, result, results, runner, together

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


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs a program with a cache of its own."""
    return runner(tmp_path)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache that KERNELS has filled: to be copied."""
    folder = tmp_path_factory.mktemp("filled")
    runner(folder)(program(folder / "a", KERNELS))
    return folder / "cache"


CHANGED = [0, 0, 0, 0, 9, 11, 13, 15]


def test_the_second_run_finds_what_the_first_compiled(run: Run, tmp_path: Path) -> None:
    here = program(tmp_path / "a", KERNELS)
    first = result(run(here))
    assert first == [[v + 1 for v in CHANGED], {"change": False, "plain": False}]
    before = {path: path.read_bytes() for path in entries(tmp_path / "cache")}
    assert sorted(path.suffix for path in before) == sorted([".code", ".kernel", ".questions"] * 2)
    second = run(here)
    assert result(second) == [first[0], {"change": True, "plain": True}]
    assert second.stderr == ""
    assert {path: path.read_bytes() for path in entries(tmp_path / "cache")} == before


def test_neither_folder_nor_lines_nor_order_matter(run: Run, tmp_path: Path) -> None:
    run(program(tmp_path / "a", KERNELS))
    moved = program(tmp_path / "elsewhere", "# moved\n\n\n" + KERNELS.replace("change", "renamed"), "other.py")
    changed = run(moved, "plain", "renamed")
    assert result(changed)[1] == {"plain": True, "renamed": True}
    assert len(entries(tmp_path / "cache", "code")) == 2


def test_what_changes_code_is_found_under_another_key(run: Run, tmp_path: Path, filled: Path) -> None:
    shutil.copytree(filled, tmp_path / "cache")
    before = len(entries(tmp_path / "cache", "code"))
    changes = [
        KERNELS.replace("CUTOFF = 3", "CUTOFF = 4"),
        KERNELS.replace("return 2 * v", "return 3 * v"),
        KERNELS.replace("+ add", "- add"),
        KERNELS.replace("dtype=qd.i32", "dtype=qd.i64").replace("np.int32", "np.int64"),
        KERNELS.replace('log_level="error"', 'log_level="error", fast_math=False'),
    ]
    assert KERNELS not in changes
    found = results(run, *((program(tmp_path / str(i), text), "change") for i, text in enumerate(changes)))
    assert [seen for _, seen in found] == [{"change": False}] * len(changes)
    assert len(entries(tmp_path / "cache", "code")) == before + len(changes)


def test_what_does_not_change_code_is_not_in_the_key(run: Run, tmp_path: Path, filled: Path) -> None:
    shutil.copytree(filled, tmp_path / "cache")
    options = "cpu_max_num_threads=1, num_compile_threads=2, random_seed=7, print_full_traceback=True, unrolling_limit=5"
    other = KERNELS.replace('log_level="error"', f'log_level="error", {options}')
    assert result(run(program(tmp_path / "b", other)))[1] == {"change": True, "plain": True}


def test_off(run: Run, tmp_path: Path) -> None:
    run(program(tmp_path / "a", KERNELS), QD_OFFLINE_CACHE="0")
    assert not (tmp_path / "cache").exists()


def test_damaged_and_foreign_entries_are_made_again(run: Run, tmp_path: Path) -> None:
    here, cache = program(tmp_path / "a", KERNELS), tmp_path / "cache"
    expected = result(run(here))[0]
    one, two = entries(cache, "code")
    good = {path: path.read_bytes() for path in (one, two)}
    one.write_bytes(good[two])
    two.write_bytes(good[two][:-100])
    done = run(here)
    assert result(done) == [expected, {"change": False, "plain": False}]
    assert done.stderr.count("is damaged; the kernel is compiled again") == 2
    assert {path: path.read_bytes() for path in (one, two)} == good
    assert result(run(here))[1] == {"change": True, "plain": True}


def test_places_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    here = program(tmp_path / "a", KERNELS)
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

    done = run(program(tmp_path / "a", KERNELS), setup=nearly_full)
    assert result(done)[0] == [v + 1 for v in CHANGED]
    assert done.stderr.count("offline cache: cannot write") == 1
    assert entries(tmp_path / "cache") == [], "no half of an entry stays"
    assert result(run(program(tmp_path / "a", KERNELS)))[1] == {"change": False, "plain": False}


def test_the_home_folder_is_the_usual_place(run: Run, tmp_path: Path) -> None:
    run(program(tmp_path / "a", KERNELS), cache="", HOME=str(tmp_path))
    assert len(entries(tmp_path / ".cache" / "qd", "code")) == 2


def test_options_have_bounds(run: Run, tmp_path: Path) -> None:
    here = program(tmp_path / "a", KERNELS)
    run(here, QD_OFFLINE_CACHE_MAX_SIZE_OF_FILES="10")
    assert entries(tmp_path / "cache") == []
    run(here, QD_OFFLINE_CACHE_CLEANING_POLICY="never", QD_OFFLINE_CACHE_MAX_SIZE_OF_FILES="10")
    assert len(entries(tmp_path / "cache", "code")) == 2
    with pytest.raises(AssertionError, match="must be one of never, version, lru, fifo"):
        run(here, QD_OFFLINE_CACHE_CLEANING_POLICY="all")


def test_several_processes_at_once(run: Run, tmp_path: Path) -> None:
    here, cache = program(tmp_path / "a", KERNELS), tmp_path / "cache"
    env = {**os.environ, "QD_OFFLINE_CACHE_FILE_PATH": str(cache), "QD_OFFLINE_CACHE_MAX_SIZE_OF_FILES": "2500"}
    for _ in range(2):
        children = [subprocess.Popen([sys.executable, here], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
        for child in children:
            out, errors = child.communicate()
            assert (json.loads(out)[0], errors) == ([v + 1 for v in CHANGED], "")
    assert not list(cache.glob("*/*.tmp"))
    expected = result(run(here, cache=tmp_path / "another"))[0]
    assert result(run(here))[0] == expected


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


def arcs(folder: Path) -> dict[str, list[tuple[int, int]]]:
    """The measured arcs of each file in a folder's data files, which are removed."""
    found: dict[str, set[tuple[int, int]]] = {}
    for data in folder.glob("_qd_kcov*"):
        with sqlite3.connect(data) as database:
            for path, *arc in database.execute("SELECT path, fromno, tono FROM arc JOIN file ON file.id = file_id"):
                found.setdefault(path, set()).add((arc[0], arc[1]))
        data.unlink()
    return {path: sorted(arcs) for path, arcs in found.items()}


def test_coverage_is_that_of_the_lines_at_hand(run: Run, tmp_path: Path) -> None:
    """With `fastcache` and without."""
    texts = {name: COVERED.replace("{options}", options) for name, options in (("plain.py", ""), ("fast.py", "(fastcache=True)"))}
    here = [program(tmp_path / "a", text, name) for name, text in texts.items()]
    there = [program(tmp_path / "b", "#\n" * 50 + text, f"moved_{name}") for name, text in texts.items()]

    def measured(where: list[Path], cache: str, *words: str) -> list[list[tuple[int, int]]]:
        """The arcs of both programs, whose process is told where its cache is."""
        more = {"QD_KERNEL_COVERAGE": "1", "QD_KERNEL_COVERAGE_BRANCH": "1"}
        together(run, *((path, *words) for path in where), cache=str(tmp_path / cache), **more)
        found = arcs(where[0].parent)
        return [found[str(path)] for path in where]

    expected = measured(here, "none", "0")
    for found in expected:
        assert (19, 20) not in found and (19, 22) in found and (28, 29) in found, "only one of the two has a negative number"
    shifted = [sorted((f + 50 if f > 0 else f - 50, t + 50 if t > 0 else t - 50) for f, t in found) for found in expected]
    for words in (("0",), ("2", "backwards"), ("3",)):
        assert measured(here, "cache", *words) == expected, words
        assert measured(there, "cache", *words) == shifted, words
    assert len(entries(tmp_path / "cache", "code")) < 8, "two kernels that differ in lines only share their code"

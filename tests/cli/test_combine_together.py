"""Processes that write one data file at the same time: it has the input of each."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from coverage import CoverageData

PROGRAM = "import sys\n" + "".join(f"if sys.argv[1] == '{i}':\n    x = {i}\n" for i in range(12))


def put(path: Path, line: int, *sources: str) -> None:
    data = CoverageData(str(path))
    data.add_lines({source: [line] for source in sources or ("/src/a.py",)})
    data.close()


def lines_in(path: Path, source: str = "/src/a.py") -> set[int]:
    data = CoverageData(str(path))
    data.read()
    return {line for file in data.measured_files() if file.endswith(source) for line in data.lines(file) or []}


def start(folder: Path, *command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(processes: list[subprocess.Popen[str]]) -> None:
    for process in processes:
        out, err = process.communicate()
        assert process.returncode == 0, out + err


def litter(folder: Path) -> list[str]:
    return [p.name for p in folder.iterdir() if p.name.startswith((".qd-cov", ".coverage.")) or "-displaced" in p.name]


@pytest.mark.parametrize("round_", range(5))
def test_appending(tmp_path: Path, round_: int) -> None:
    for i in range(12):
        put(tmp_path / f"part{i}", 1 + i)
    finish([start(tmp_path, "qd-cov", "combine", "--append", f"part{i}") for i in range(12)])
    assert lines_in(tmp_path / ".coverage") == set(range(1, 13))
    assert litter(tmp_path) == [] and not list(tmp_path.glob("part*"))


def test_running_and_appending(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    for i in range(4):
        put(tmp_path / f"part{i}", 1 + i)
    processes = []
    for i in range(4):
        processes.append(start(tmp_path, "qd-cov", "run", "-q", "-a", "program.py", str(i)))
        processes.append(start(tmp_path, "qd-cov", "combine", "--append", f"part{i}"))
    finish(processes)
    assert lines_in(tmp_path / ".coverage") == {1, 2, 3, 4}
    assert {2 * i + 3 for i in range(4)} <= lines_in(tmp_path / ".coverage", "program.py")
    assert litter(tmp_path) == []


def test_reports_that_combine(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("x = 1\n" * 20)
    for i in range(8):
        put(tmp_path / f".coverage.part{i}", 1 + i, str(tmp_path / "a.py"))
    finish([start(tmp_path, "qd-cov", "report") for _ in range(4)])
    assert lines_in(tmp_path / ".coverage", "a.py") == set(range(1, 9))
    assert litter(tmp_path) == []


def test_plain_combines_of_the_same_inputs(tmp_path: Path) -> None:
    for i in range(8):
        put(tmp_path / f".coverage.part{i}", 1 + i)
    processes = [start(tmp_path, "qd-cov", "combine") for _ in range(4)]
    outputs = [(process.communicate()[0], process.returncode) for process in processes]
    assert sorted(outputs) == [("", 0)] + [("No data to combine\n", 1)] * 3
    assert lines_in(tmp_path / ".coverage") == set(range(1, 9))


# The end of `coverage run --append` by stock coverage.py: it has read the names of files long before it adds lines.
STOCK = """
import sys
from pathlib import Path
from coverage import CoverageData

folder, first, n = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
for line in range(first, first + n):
    data = CoverageData(str(folder / ".coverage"))
    data.read()
    data.add_lines({"/src/a.py": [line], "/src/stock.py": [line]})
    data.close()
"""


def test_stock_coverage_adds_at_the_same_time(tmp_path: Path) -> None:
    """Writers of coverage.py have the file open under a name that is another file's by the time they write."""
    put(tmp_path / ".coverage", 1, "/src/a.py", "/src/stock.py")
    (tmp_path / "stock.py").write_text(STOCK)
    stock = [start(tmp_path, sys.executable, "stock.py", str(tmp_path), "1000", "60")]
    for i in range(30):
        put(tmp_path / "part", 100 + i)
        finish([start(tmp_path, "qd-cov", "combine", "--append", "part")])
    finish(stock)
    assert lines_in(tmp_path / ".coverage", "/src/stock.py") == {1, *range(1000, 1060)}
    assert lines_in(tmp_path / ".coverage") == {1, *range(100, 130), *range(1000, 1060)}
    assert litter(tmp_path) == []


def test_stock_coverage_that_has_the_file_open(tmp_path: Path) -> None:
    put(tmp_path / ".coverage", 1)
    put(tmp_path / "part", 2)
    data = CoverageData(str(tmp_path / ".coverage"))
    data.read()
    with data._connect() as connection:  # as add_lines() has it
        connection.execute_void("INSERT OR IGNORE INTO meta (key, value) VALUES ('a', 'b')")  # it will write
        combine = start(tmp_path, "qd-cov", "combine", "--append", "part")
        time.sleep(0.5)
        data.add_lines({"/src/a.py": [3]})
    finish([combine])
    data.close()
    assert lines_in(tmp_path / ".coverage") == {1, 2, 3}


def test_killed_while_it_waits_for_stock_coverage(tmp_path: Path) -> None:
    """The next one waits, too."""
    put(tmp_path / ".coverage", 1)
    put(tmp_path / "part", 2)
    put(tmp_path / "part2", 4)
    data = CoverageData(str(tmp_path / ".coverage"))
    data.read()
    with data._connect() as connection:
        connection.execute_void("INSERT OR IGNORE INTO meta (key, value) VALUES ('a', 'b')")
        combine = start(tmp_path, "qd-cov", "combine", "--append", "part")
        time.sleep(1)
        combine.kill()
        combine.communicate()
        assert (tmp_path / "part").exists() and lines_in(tmp_path / ".coverage") == {1, 2}
        combine = start(tmp_path, "qd-cov", "combine", "--append", "part2")
        time.sleep(1)
        data.add_lines({"/src/a.py": [3]})
    finish([combine])
    data.close()
    assert lines_in(tmp_path / ".coverage") == {1, 2, 3, 4}
    assert litter(tmp_path) == [] and not list(tmp_path.glob("part*"))


@pytest.mark.parametrize("append", [["--append"], []], ids=["append", "anew"])
def test_files_keep_their_numbers(tmp_path: Path, append: list[str]) -> None:
    """`coverage run --append` has read them when the program begins, and writes when it ends."""
    put(tmp_path / ".coverage", 1, "/src/m.py", "/src/b.py")
    data = CoverageData(str(tmp_path / ".coverage"))
    data.read()
    put(tmp_path / "part", 2, "/src/a.py", "/src/m.py")
    assert subprocess.run(["qd-cov", "combine", *append, "part"], cwd=tmp_path, check=False, capture_output=True).returncode == 0
    data.add_lines({"/src/m.py": [5], "/src/b.py": [6]})
    data.close()
    assert lines_in(tmp_path / ".coverage", "/src/a.py") == {2}
    if append:
        assert lines_in(tmp_path / ".coverage", "/src/m.py") == {1, 2, 5}
        assert lines_in(tmp_path / ".coverage", "/src/b.py") == {1, 6}


def test_waiting_is_told(tmp_path: Path) -> None:
    import fcntl

    put(tmp_path / "part", 1)
    with open(tmp_path / ".qd-cov.coverage.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        process = start(tmp_path, "qd-cov", "combine", "part")
        time.sleep(6)
        assert process.poll() is None
        (tmp_path / ".qd-cov.coverage.lock").unlink()
    out, err = process.communicate()
    assert (process.returncode, out) == (0, "")
    assert err == f"CoverageWarning: Waiting for another process that writes '{tmp_path.resolve()}/.coverage'\nCombined 1 file\n"


@pytest.mark.parametrize("kind", ["folder", "fifo", "link"])
def test_a_lock_file_of_another_kind(tmp_path: Path, kind: str) -> None:
    """A file of that name can neither stop us, nor lead our writes elsewhere."""
    put(tmp_path / "part", 1)
    lock = tmp_path / ".qd-cov.coverage.lock"
    if kind == "folder":
        lock.mkdir()
    elif kind == "fifo":
        os.mkfifo(lock)
    else:
        lock.symlink_to(tmp_path / "elsewhere")
    assert subprocess.run(["qd-cov", "combine", "-q", "part"], cwd=tmp_path, check=False, timeout=20).returncode == 0
    assert lines_in(tmp_path / ".coverage") == {1}
    assert not (tmp_path / "elsewhere").exists()

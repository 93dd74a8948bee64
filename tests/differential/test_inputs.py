"""Reports of other tools, held against the tools' own numbers (gcov, gcovr, llvm-cov, coverage.py), on a program that they really measured."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
from pathlib import Path

import pytest

SHAPES = Path(__file__).resolve().parent.parent / "projects/shapes"
NAMES = ["main.cpp", "other.cpp", "shapes.h"]


def need(*programs: str) -> None:
    for program in programs:
        if not shutil.which(program):
            pytest.skip(f"there is no {program} here")


def run(folder: Path, *command: str | Path) -> str:
    done = subprocess.run([str(c) for c in command], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (command, done.stdout + done.stderr)
    return done.stdout


def copy_of_shapes(folder: Path) -> Path:
    shutil.copytree(SHAPES, folder, dirs_exist_ok=True)
    return folder


@pytest.fixture(scope="module")
def with_gcc(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program as g++ measures it, with gcov's JSON and text of each object."""
    need("g++", "gcov")
    folder = copy_of_shapes(tmp_path_factory.mktemp("gcc"))
    run(folder, "g++", "--coverage", "-O0", "main.cpp", "other.cpp", "-o", "program")
    run(folder, "./program")
    for unit in ("main", "other"):
        (folder / f"{unit}.txt").write_text(run(folder, "gcov", "-b", f"program-{unit}.gcda"))
        run(folder, "gcov", "--json-format", "-b", f"program-{unit}.gcda")
    return folder


@pytest.fixture(scope="module")
def with_clang(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program as clang measures it, with llvm-cov's JSON, LCOV and text."""
    need("clang++-19", "llvm-cov-19", "llvm-profdata-19")
    folder = copy_of_shapes(tmp_path_factory.mktemp("clang"))
    run(folder, "clang++-19", "-fprofile-instr-generate", "-fcoverage-mapping", "main.cpp", "other.cpp", "-o", "program")
    run(folder, "./program")
    run(folder, "llvm-profdata-19", "merge", "default.profraw", "-o", "profdata")
    for name, extra in (("llvm.json", []), ("llvm.info", ["-format=lcov"]), ("summary.json", ["-summary-only"])):
        (folder / name).write_text(run(folder, "llvm-cov-19", "export", "program", "-instr-profile=profdata", *extra))
    return folder


def number(blob: bytes, at: int) -> tuple[int, int]:
    """An unsigned LEB128 number and where it ends."""
    result = shift = 0
    while True:
        result |= (blob[at] & 0x7F) << shift
        shift += 7
        at += 1
        if blob[at - 1] < 0x80:
            return result, at


def lines_of(blob: bytes) -> dict[int, int]:
    """The hits of lines, unpacked from the blob of a data file."""
    result, at, line = {}, 0, 0
    while at < len(blob):
        step, at = number(blob, at)
        line += step
        result[line], at = number(blob, at)
    return result


def branches_of(blob: bytes) -> dict[int, list[int]]:
    """Counts of the branches of each line, sorted."""
    result: dict[int, list[int]] = {}
    at = line = 0
    while at < len(blob):
        step, at = number(blob, at)
        line += step
        _, at = number(blob, at)
        _, at = number(blob, at)
        taken, at = number(blob, at)
        size, at = number(blob, at)
        at += size
        result.setdefault(line, []).append(max(taken - 1, 0))
    return {line: sorted(counts) for line, counts in result.items()}


def imported(folder: Path, *inputs: str) -> dict[str, tuple[dict[int, int], dict[int, list[int]]]]:
    """The reports as `qd-cov combine` keeps them: lines and branches of each file of the sample, by name."""
    data = folder / "imported.coverage"
    run(folder, "qd-cov", "combine", "-q", f"--data-file={data}", *inputs)
    con = sqlite3.connect(data)
    rows = con.execute("SELECT path, lines, branches FROM qd_imported").fetchall()
    con.close()
    data.unlink()
    return {Path(path).name: (lines_of(lines), branches_of(branches)) for path, lines, branches in rows if Path(path).name in NAMES}


def table(folder: Path, *options: str) -> dict[str, list[str]]:
    """The rows of `qd-cov report`, by name."""
    out = run(folder, "qd-cov", "report", "--data-file=none", *options)
    rows = [line.split() for line in out.splitlines()[2:] if line and not line.startswith("-")]
    return {row[0]: row[1:] for row in rows}


def gcov_summary(text: str) -> dict[str, tuple[int, int, int, int]]:
    """Numbers of each file in gcov's text: lines, executed lines, branches, branches taken. It gives percentages with two decimals."""
    result = {}
    for block in re.split(r"\n(?=File ')", text):
        file = re.match(r"File '(.*)'\nLines executed:([\d.]+)% of (\d+)\n", block)
        if not file:
            continue
        lines, percent = int(file[3]), float(file[2])
        taken = re.search(r"Taken at least once:([\d.]+)% of (\d+)", block)
        branches = int(taken[2]) if taken else 0
        result[file[1]] = (lines, round(percent * lines / 100), branches, round(float(taken[1]) * branches / 100) if taken else 0)
    return result


@pytest.mark.parametrize("unit", ["main", "other"])
def test_gcov_totals(with_gcc: Path, unit: str) -> None:
    """Lines of every file, the standard library's too, are those that gcov counts; so are branches, templates aside: gcov counts each instance."""
    rows = table(with_gcc, f"--input=program-{unit}.gcov.json.gz", "--include=*")
    totals = gcov_summary((with_gcc / f"{unit}.txt").read_text())
    assert len(totals) == len(rows) - 1 and len(totals) > 1
    for path, (lines, executed, branches, taken) in totals.items():
        stmts, miss, branch, _, _ = rows[path]
        assert (int(stmts), int(stmts) - int(miss)) == (lines, executed), path
        if path == f"{unit}.cpp":
            assert int(branch) == branches
            found = imported(with_gcc, f"program-{unit}.gcov.json.gz")[path][1]
            assert sum(count > 0 for counts in found.values() for count in counts) == taken


def test_gcov_by_gcovr(with_gcc: Path) -> None:
    """Both objects together: gcovr's LCOV, Cobertura and JSON and gcov's JSON say the same of lines; its totals of branches are ours."""
    need("gcovr")
    outputs = ["--lcov=r.info", "--cobertura=r.xml", "--json=r.json", "--json-summary=s.json"]
    run(with_gcc, "gcovr", *outputs, "--merge-mode-functions=separate", ".")
    by_gcov = imported(with_gcc, "program-main.gcov.json.gz", "program-other.gcov.json.gz")
    by_json, by_lcov, by_xml = (imported(with_gcc, name) for name in ("r.json", "r.info", "r.xml"))
    summary = {file["filename"]: file for file in json.loads((with_gcc / "s.json").read_text())["files"]}
    assert set(by_gcov) == set(by_json) == set(by_lcov) == set(by_xml) == set(summary) == set(NAMES)
    for name in NAMES:
        assert by_gcov[name][0] == by_json[name][0] == by_lcov[name][0] == by_xml[name][0]
        taken = sum(count > 0 for counts in by_lcov[name][1].values() for count in counts)
        if name != "shapes.h":  # gcovr counts the lines of each instance of a template
            assert len(by_lcov[name][0]) == summary[name]["line_total"]
            assert sum(map(len, by_lcov[name][1].values())) == summary[name]["branch_total"]
            assert taken == summary[name]["branch_covered"]
            by_line = [{line: (len(c), sum(n > 0 for n in c)) for line, c in found[name][1].items()} for found in (by_lcov, by_xml)]
            assert by_line[0] == by_line[1]


def test_llvm_cov_lines_and_branches(with_clang: Path) -> None:
    """Lines and hits of the JSON are those that llvm-cov counts for LCOV; so are branches, templates aside: LCOV has those of each instance."""
    by_json, by_lcov = imported(with_clang, "llvm.json"), imported(with_clang, "llvm.info")
    assert set(by_json) == set(by_lcov) == set(NAMES)
    for name in NAMES:
        assert by_json[name][0] == by_lcov[name][0], name
    assert by_json["main.cpp"][1] == by_lcov["main.cpp"][1] and by_json["main.cpp"][1]


def test_llvm_cov_totals(with_clang: Path) -> None:
    """llvm-cov's own summary. It adds up functions: the four lines of a lambda count twice, and that of a macro, which is in none, does not."""
    summary = {}
    for file in json.loads((with_clang / "summary.json").read_text())["data"][0]["files"]:
        summary[Path(file["filename"]).name] = file["summary"]
    rows = table(with_clang, "--input=llvm.json")
    for name, more in (("other.cpp", 0), ("shapes.h", 0), ("main.cpp", 4 - 1)):
        lines, branches = summary[name]["lines"], summary[name]["branches"]
        stmts, miss, branch = map(int, rows[name][:3])
        assert (stmts, stmts - miss) == (lines["count"] - more, lines["covered"] - more), name
        assert branch == branches["count"], name


def test_a_summary_has_no_lines(with_clang: Path) -> None:
    done = subprocess.run(["qd-cov", "report", "--input=summary.json"], cwd=with_clang, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Couldn't read 'summary.json' as JSON" in done.stdout and "it was made with -summary-only" in done.stdout


PROGRAM = """\
import sys


class Shape:
    def area(self):
        if self.side > 1:
            return self.side ** 2
        return None

    def __init__(self, side):
        self.side = side


def unused(n):
    while n:
        n -= 1


for i in range(3):
    print(Shape(i).area())
if len(sys.argv) > 9:
    unused(9)
elif sys.argv: print("here")
"""


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    (tmp_path / "program.py").write_text(PROGRAM)
    run(tmp_path, "coverage", "run", "--branch", "program.py")
    return tmp_path


@pytest.mark.parametrize("kind", ["lcov", "xml"])
def test_coverage_py_round_trip(measured: Path, kind: str) -> None:
    """A report of coverage.py that qd-cov imports is reported with the numbers that coverage.py gives."""
    run(measured, "coverage", kind, "-q", "-o", "out")
    wanted = [line.split() for line in run(measured, "coverage", "report").splitlines() if line.startswith(("program", "TOTAL"))]
    rows = table(measured, "--input=out")
    assert rows["program.py"] == wanted[0][1:] and rows["TOTAL"] == wanted[1][1:]


def scrubbed(text: str) -> str:
    return re.sub(r'timestamp="\d+"', "", text)


def test_stock_coverage_sees_nothing_of_it(measured: Path) -> None:
    """A data file with imported files is the same to coverage.py as one without: reports, data, combining and appending."""
    (measured / "a.info").write_text("SF:a.cpp\nDA:1,1\nDA:2,0\nBRDA:1,0,0,1\nBRDA:1,0,1,-\nend_of_record\n")
    run(measured, "qd-cov", "combine", "-q", "--keep", "--data-file=both", ".coverage", "a.info")
    run(measured, "qd-cov", "combine", "-q", "--keep", "--data-file=plain", ".coverage")
    for command in (["report", "-m"], ["xml", "-q", "-o", "-"], ["lcov", "-q", "-o", "-"], ["json", "-q", "-o", "-"]):
        out = [scrubbed(run(measured, "coverage", *command, f"--data-file={name}")) for name in ("both", "plain")]
        if command[0] == "json":
            out = [re.sub(r'"timestamp": "[^"]*"', "", text) for text in out]
        assert out[0] == out[1]
    rows = []
    for name in ("both", "plain"):
        run(measured, "coverage", "combine", "-q", "--keep", f"--data-file={name}.combined", name)
        con = sqlite3.connect(measured / f"{name}.combined")
        rows.append([con.execute(f"SELECT * FROM {t} ORDER BY 1, 2").fetchall() for t in ("file", "context", "arc", "line_bits", "tracer")])
        con.close()
    assert rows[0] == rows[1]
    run(measured, "coverage", "run", "--append", "--branch", "--data-file=both", "program.py")
    con = sqlite3.connect(measured / "both")
    assert [Path(p).name for (p,) in con.execute("SELECT path FROM qd_imported")] == ["a.cpp"]
    con.close()
    assert "a.cpp" in run(measured, "qd-cov", "report", "--data-file=both")

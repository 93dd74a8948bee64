"""Our LCOV in the gutters of editors: their readers are simpler than LCOV's own.

Coverage Gutters (VS Code) takes `DA` and `BRDA` apart at every comma, and nvim-coverage and vim's plugins look at `SF` and `DA` alone. Both are
read here by the same rules, and compared with coverage.py's JSON of the same data."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

import pytest
from coverage_commands import coverage_py
from run_program import qd_cov

SOURCE = """\
def f(a, b=(1, 2)):
    if a:
        a = 2
    for i in range(a):
        a += i
    return [x for x in b if x]


class C:
    def method(self, a, b):
        while a:
            return b


f(1)
lambda a, b: a
"""


def gutters(text: str) -> dict[str, tuple[set[int], set[int], set[int]]]:
    """Gutters by file: the lines that are shown as covered, partial and uncovered."""
    result = {}
    name, hits, ways = "", dict[int, int](), defaultdict[int, list[int]](list)
    for line in text.splitlines():
        key, _, rest = line.strip().partition(":")
        fields = rest.split(",")
        if key == "SF":
            name, hits, ways = rest.strip(), {}, defaultdict(list)
        elif key == "DA":
            hits[int(fields[0])] = int(fields[1])
        elif key == "BRDA":
            assert len(fields) == 4  # a comma more would put something else where the reader expects `taken`
            ways[int(fields[0])].append(0 if fields[3] == "-" else int(fields[3]))
        elif key == "end_of_record":
            ran = {n for n, times in hits.items() if times > 0}
            partial = {n for n in ran if 0 in ways[n]}
            result[name] = (ran - partial, partial, hits.keys() - ran)
    return result


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg/mod, 漢字.py").write_text(SOURCE)
    (tmp_path / "main.py").write_text("import runpy\nrunpy.run_path('pkg/mod, 漢字.py')\n")
    coverage_py(["run", "--branch", "--source=.", "main.py"], tmp_path, check=True)
    return tmp_path


@pytest.mark.parametrize("name", ["lcov.info", "coverage.lcov"])
def test_lines_and_branches(project: Path, name: str) -> None:
    assert qd_cov(project, "lcov", "-q", "-o", name).returncode == 0
    coverage_py(["json", "-q"], project, check=True)
    files = json.loads((project / "coverage.json").read_text())["files"]
    found = gutters((project / name).read_text())
    assert found.keys() == files.keys() and all((project / one).is_file() for one in found)
    for path, of_file in files.items():
        partial = {line for line, _ in of_file["missing_branches"]} & set(of_file["executed_lines"])
        assert found[path] == (set(of_file["executed_lines"]) - partial, partial, set(of_file["missing_lines"])), path


def test_imported_counts(tmp_path: Path) -> None:
    """Hits of C++ functions, whose names have commas."""
    (tmp_path / "a.cpp").write_text("int add(int a, int b) {\n  return a ? b : a;\n}\n")
    record = "SF:{}\nFN:1,int add(int, int)\nFNDA:3,int add(int, int)\nDA:1,3\nDA:2,3\nBRDA:2,0,0,3\nBRDA:2,0,1,-\nend_of_record\n"
    (tmp_path / "in.info").write_text(record.format(tmp_path / "a.cpp"))
    assert qd_cov(tmp_path, "lcov", "-q", "-o", "lcov.info", "--input=in.info").returncode == 0
    assert gutters((tmp_path / "lcov.info").read_text()) == {"a.cpp": ({1}, {2}, set())}

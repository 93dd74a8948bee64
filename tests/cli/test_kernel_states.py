"""Reports tell apart what was not hit, not measured and not compiled in kernels; without kernel data nothing changes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from coverage_commands import coverage_py
from diff_repository import Repository
from gold_files import check_gold
from html_page_data import sources_of
from html_pages import check_page
from kernel_project import measure, qd_cov


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A measured project, in a repository whose main has only its plain file."""
    repository = Repository(tmp_path_factory.mktemp("states") / "repo")
    repository.write(".gitignore", ".coverage\nout\n")
    repository.write("plain.py", "x = 1\n")
    repository.commit("base")
    repository.branch("work")
    measure(repository.folder)
    repository.commit("kernels")
    return repository.folder


@pytest.mark.parametrize(("name", "arguments"), [("report.txt", []), ("report.md", ["--format=markdown"]), ("total.txt", ["--format=total"])])
def test_a_table_below_the_table(project: Path, name: str, arguments: list[str]) -> None:
    done = qd_cov(project, "report", "--kernel-states", *arguments)
    assert (done.returncode, done.stderr) == (0, "")
    check_gold("kernels", name, done.stdout)
    plain = qd_cov(project, "report", *arguments).stdout
    assert done.stdout.startswith(plain) and (done.stdout == plain) == (name == "total.txt")


@pytest.mark.parametrize("arguments", [[], ["-m"], ["--format=markdown", "-m"], ["--skip-covered"]])
def test_the_table_stays_that_of_coverage(project: Path, arguments: list[str]) -> None:
    stock = coverage_py(["report", *arguments], project, check=True)
    assert qd_cov(project, "report", *arguments).stdout == stock.stdout


def test_files_are_chosen_as_in_the_table(project: Path) -> None:
    assert "launched" not in qd_cov(project, "report", "--kernel-states", "--omit=kernels.py").stdout
    assert "launched" in qd_cov(project, "report", "--kernel-states", "kernels.py").stdout
    # Seen from host code alone, no kernel ran; compiled kernels stay as they were.
    host = qd_cov(project, "report", "--kernel-states", "--contexts=^$", "kernels.py").stdout
    assert "launched      not hit        16-18, 21-23" in host and "never         not compiled   28" in host


def test_html_marks_lines_by_state_and_reason(project: Path) -> None:
    assert qd_cov(project, "html", "-q", "-d", "out").returncode == 0
    page = (project / "out" / "index.html").read_text()
    check_page(page)
    kernels = sources_of(page)["kernels.py"]
    states = {line: state for line, state in enumerate(kernels["states"], 1) if state in "mhun"}
    assert states == {11: "n", 20: "u", 22: "h", 28: "n", 38: "u"}
    assert kernels["why"] == {
        "11": "no kernel that was launched calls it",
        "20": "no compiled variant has it (static condition)",
        "22": "no launch reached it",
        "28": "the kernel was not launched",
        "38": 'does not compile: kernels.py:38: Name "undefined_name" is not defined',
    }
    partial = [branch for branch in kernels["branches"] if kernels["states"][branch[0] - 1] == "p"]
    missed = {line: [[to, *rest[1:]] for to, mask, *rest in edges if mask == 0] for line, _, _, edges in partial}
    assert missed == {17: [[20, "not measured: no compiled variant has it (static condition)"]], 21: [[22]]}
    assert "why" not in sources_of(page)["plain.py"]
    legend = page[page.index('<ul class="legend"') :]
    assert "in kernels: not hit" in legend and "not measured" in legend and "not compiled" in legend
    for word in ("'not hit'", "'not measured'", "'not compiled'"):
        assert word in page  # the words of signs and their tooltips


@pytest.mark.parametrize("format", ["terminal", "markdown", "html"])
def test_diff_notes_what_no_test_could_reach(project: Path, format: str) -> None:
    done = qd_cov(project, "diff", "--compare-branch=main", f"--format={format}:-")
    assert done.returncode == 0, done.stderr
    for note in (
        "kernels.py:11: not compiled, no kernel that was launched calls it",
        "kernels.py:20: not measured, no compiled variant has it (static condition)",
        "kernels.py:28: not compiled, the kernel was not launched",
    ):
        assert note in done.stdout
    assert "kernels.py:22:" not in done.stdout  # "not hit" is the meaning of "missing"


def test_many_notes_are_cut(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "repo")
    repository.commit("base")
    repository.branch("work")
    measure(repository.folder)
    for i in range(15):
        repository.write(f"more_{i:02}.py", "import qd\n\n\n@qd.kernel\ndef k():\n    pass\n")
    (repository.folder / "all.py").write_text("import program\n" + "".join(f"import more_{i:02}\n" for i in range(15)))
    assert qd_cov(repository.folder, "run", "--branch", "--source=.", "--", "python", "all.py").returncode == 0
    repository.commit("many")
    out = qd_cov(repository.folder, "diff", "--compare-branch=main").stdout
    notes = [line for line in out.splitlines() if line.startswith("Note: ")]
    assert len(notes) == 11 and notes[-1].startswith("Note: 9 more notes of kernel lines")


def test_data_that_does_not_say_what_was_compiled(project: Path) -> None:
    command = [sys.executable, "-m", "coverage", "combine", "-q", "--keep", "--data-file=stock", ".coverage"]
    subprocess.run(command, cwd=project, check=True)
    done = qd_cov(project, "report", "--kernel-states", "--data-file=stock")
    assert done.returncode == 0 and done.stdout == qd_cov(project, "report").stdout
    assert "The data has no record of compiled kernels" in done.stderr
    assert qd_cov(project, "html", "-q", "-d", "out", "--data-file=stock").returncode == 0
    page = (project / "out" / "index.html").read_text()
    assert "why" not in sources_of(page)["kernels.py"] and set(sources_of(page)["kernels.py"]["states"]) == set("cmp-")
    assert "in kernels: not hit" not in page
    assert "Note:" not in qd_cov(project, "diff", "--compare-branch=main", "--data-file=stock").stdout

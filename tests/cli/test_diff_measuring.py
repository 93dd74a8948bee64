"""`qd-cov diff`: current folder, base, files without data, the gate, branches and outputs."""

from __future__ import annotations

import os
import subprocess

import pytest
from coverage_commands import coverage_py
from diff_repository import TEN, Repository, edited

# Current folder of the command, and base of the comparison.


def test_from_a_subfolder(repo: Repository) -> None:
    """Paths are those of the repository, wherever one stands in it."""
    repo.write("pkg/deep/b.py", "x = 1\n")
    repo.commit()
    repo.measure({"pkg/deep/b.py": []})
    report = repo.diff("--data-file", "../../.coverage", cwd="pkg/deep")
    assert list(report.rows) == ["pkg/deep/b.py"]


def test_in_a_worktree_and_with_detached_head(repo: Repository) -> None:
    """A worktree and a detached HEAD are checkouts like any other."""
    repo.write("a.py", edited(TEN, {5: "b5 = 5\n"}))
    repo.commit()
    repo.git("worktree", "add", "-q", "--detach", "../tree", "work")
    (repo.folder.parent / "tree" / "a.py").write_text(edited(TEN, {5: "b5 = 5\n", 6: "b6 = 6\n"}))
    repo.measure({"../tree/a.py": [6]}, data_file="../tree/.coverage")
    assert repo.diff(cwd="../tree").rows["a.py"].missing_lines == "5"


def test_symbolic_link_to_the_checkout(repo: Repository) -> None:
    """coverage.py stores resolved paths; the way one came makes no difference."""
    repo.write("a.py", edited(TEN, {5: "b5 = 5\n"}))
    repo.measure({"a.py": []})
    (repo.folder.parent / "link").symlink_to("repo")
    assert repo.diff(cwd="../link").rows["a.py"].missing_lines == "5"


def test_relative_files(repo: Repository) -> None:
    """Paths of the data may be relative to where it is."""
    repo.write("a.py", edited(TEN, {5: "b5 = 5\n"}))
    repo.write(".coveragerc", "[run]\nrelative_files = true\n")
    repo.write("run_a.py", "import a\n")
    coverage_py(["run", "run_a.py"], repo.folder, repo.environment, check=True)
    report = repo.diff()
    assert (report.rows["a.py"].lines, report.rows["a.py"].missing) == (1, 0)


def test_paths_of_another_machine(repo: Repository) -> None:
    """[paths] maps them; without it the report names the cause, the most common question to diff-cover."""
    repo.write("a.py", edited(TEN, {5: "b5 = 5\n"}))
    repo.measure({"/ci/build/a.py": [5]})
    report = repo.diff()
    assert report.rows["a.py"].missing is None
    assert "Note: No file of the data is in this repository (the first is '/ci/build/a.py'): map its paths with [paths]" in report.out
    repo.write(".coveragerc", "[paths]\nsource =\n    .\n    /ci/build\n")
    assert repo.diff().total() == (1, 0)


def test_default_branch(repo: Repository) -> None:
    """origin/main as diff-cover has it, main where there is no remote."""
    repo.write("a.py", edited(TEN, {5: "b5 = 5\n"}))
    repo.commit()
    repo.measure({"a.py": []})
    assert "Diff: main...HEAD" in repo.diff_as_typed().out
    repo.git("update-ref", "refs/remotes/origin/main", "work")
    report = repo.diff_as_typed()
    assert "Diff: origin/main...HEAD" in report.out
    assert report.total() == (0, 0)


def test_tag_and_commit_as_base(repo: Repository) -> None:
    """Anything that names a commit will do."""
    repo.write("a.py", edited(TEN, {5: "b5 = 5\n"}))
    repo.commit()
    repo.git("tag", "-a", "-m", "tag", "v1", "main")
    repo.measure({"a.py": []})
    for name in ("v1", "HEAD~1", repo.git("rev-parse", "main").strip()):
        assert repo.diff("--compare-branch", name).total() == (1, 1)


# Changed files without data.


def test_changed_file_without_data_is_never_left_out(repo: Repository) -> None:
    """A file that no test imports counts as missing. diff-cover says nothing of a file without data, and passes."""
    repo.write("new.py", "# comment\nx = 1\ny = [\n    2,\n]\n")
    repo.write("empty.py", "")
    repo.write("notes.txt", "text\n")
    repo.commit()
    repo.measure({"a.py": range(1, 11)})
    report = repo.diff()
    assert list(report.rows) == ["new.py"]
    assert (report.rows["new.py"].lines, report.rows["new.py"].missing_lines) == (2, "no data")
    assert "Not measured: 2 lines in 1 file\n" in report.out
    assert report.code == 0
    unmeasured = "1 changed file is not measured, the first is 'new.py': no data.\n"
    for options in (["--on-no-data=fail"], ["--fail-under=100"], ["--max-missing=0", "--on-no-data", "fail"]):
        report = repo.diff(*options)
        assert (report.code, report.err) == (2, f"Failure. {unmeasured}")
    report = repo.diff("--fail-under=100", "--on-no-data=warn")
    assert (report.code, report.err) == (0, f"CoverageWarning: {unmeasured}")
    report = repo.diff("--fail-under=100", "--on-no-data=pass")
    assert (report.code, report.err) == (0, "")


def test_what_the_configuration_does_not_measure_is_left_out(repo: Repository) -> None:
    """[run] source and omit, [report] omit, and the options."""
    repo.write("pkg/in.py", "x = 1\n")
    repo.write("pkg/omitted.py", "x = 1\n")
    repo.write("out.py", "x = 1\n")
    repo.measure({"a.py": [1]})
    repo.git("add", "-A")
    assert set(repo.diff().rows) == {"pkg/in.py", "pkg/omitted.py", "out.py"}
    assert set(repo.diff("--omit", "*/omitted.py,out.py").rows) == {"pkg/in.py"}
    assert set(repo.diff("--include", "pkg/*").rows) == {"pkg/in.py", "pkg/omitted.py"}
    repo.write(".coveragerc", "[run]\nsource = pkg\nomit = */omitted.py\n")
    assert set(repo.diff().rows) == {"pkg/in.py"}


def test_a_source_that_may_be_anywhere(repo: Repository) -> None:
    """A package that no test imported, and a folder of another place, leave no file out, whatever the other sources are."""
    repo.write("src/pkg/new.py", "x = 1\n")
    repo.write("tests/test_a.py", "x = 1\n")
    repo.measure({"tests/test_a.py": [1]})
    repo.git("add", "-A")
    for sources in ("source = pkg, tests", "source_pkgs = pkg\nsource_dirs = tests", "source = /usr/lib, tests"):
        repo.write(".coveragerc", f"[run]\n{sources}\n")
        report = repo.diff("--fail-under=100")
        assert (report.rows["src/pkg/new.py"].missing, report.code) == (None, 2), sources


def test_chosen_contexts(repo: Repository) -> None:
    """[report] contexts counts, as in the other reports."""
    repo.write("run.py", "x = 1\n")
    repo.git("add", "-A")
    coverage_py(["run", "--context=unit", "run.py"], repo.folder, repo.environment, check=True)
    assert repo.diff("--fail-under=100").code == 0
    for patterns, code in (("unit", 0), ("system", 2)):
        repo.write(".coveragerc", f"[report]\ncontexts = {patterns}\n")
        report = repo.diff("--fail-under=100", "--input=all=.coverage")
        assert (report.rows["run.py"].missing, report.code) == (code // 2, code)


def test_scripts(repo: Repository) -> None:
    """A file without a suffix, or an executable one, is Python if its first line says so."""
    for name in ("script", "site.cgi", "script.in"):
        repo.write(name, "#!/usr/bin/env python3\nx = 1\n").chmod(0o644 if name == "script.in" else 0o755)
    for name, interpreter in (("by_uv", "env -S uv run --script"), ("by_pypy", "pypy3"), ("by_pipx", "env -S pipx run"), ("shell", "env bash")):
        repo.write(name, f"#!/usr/bin/{interpreter}\nx = 1\n")
    repo.measure({"a.py": [1]})
    repo.git("add", "-A")
    assert set(repo.diff().rows) == {"script", "site.cgi", "by_uv", "by_pypy", "by_pipx"}


def test_touched_file_is_measured(repo: Repository) -> None:
    """A file that coverage.py only touched (source=) has data: none of it ran."""
    repo.write("new.py", "x = 1\n")
    repo.commit()
    repo.measure({"new.py": []})
    report = repo.diff("--fail-under", "1")
    assert (report.rows["new.py"].missing, report.code) == (1, 2)


def test_kernel_data_not_yet_combined(repo: Repository) -> None:
    """_qd_kcov files beside the data file are taken in, and stay; two processes unite."""
    repo.write("a.py", edited(TEN, {2: "b2 = 2\n", 3: "b3 = 3\n", 4: "b4 = 4\n"}))
    repo.measure({"a.py": [1]})
    repo.measure({"a.py": [2]}, data_file="_qd_kcov.1")
    repo.measure({"a.py": [3]}, data_file="_qd_kcov.2")
    assert repo.diff().rows["a.py"].missing_lines == "4"
    assert (repo.folder / "_qd_kcov.1").exists()
    (repo.folder / ".coverage").unlink()
    assert repo.diff().rows["a.py"].missing_lines == "4"


def test_source_newer_than_the_data(repo: Repository) -> None:
    """Edited after the tests ran: the lines may be others by now, which a note says and no more."""
    repo.write("a.py", edited(TEN, {2: "b2 = 2\n"}))
    repo.write("b.py", "x = 1\n")
    repo.commit()
    repo.measure({"a.py": [2], "b.py": [1]})
    assert "Note" not in repo.diff().out
    later = (repo.folder / ".coverage").stat().st_mtime + 5
    os.utime(repo.folder / "a.py", (later, later))
    assert "Note: 'a.py' is newer than the data: after a change, run the tests again.\n" in repo.diff().out
    os.utime(repo.folder / "b.py", (later, later))
    assert "Note: 'a.py' and 1 more are newer than the data: " in repo.diff().out
    repo.measure({"a.py": [2]}, data_file="_qd_kcov.7")
    os.utime(repo.folder / "_qd_kcov.7", (later, later))
    assert "Note: 'a.py' and 1 more are newer than the data: " in repo.diff().out  # some of it still is older
    os.utime(repo.folder / ".coverage", (later, later))
    assert "Note" not in repo.diff().out


# The gate.


@pytest.mark.parametrize(
    ("n_lines", "n_covered", "threshold", "passes"),
    [
        (1000, 999, "99.9", True),
        (1000, 999, "99.90001", False),
        (1000, 999, "100", False),
        (3, 2, "66.666666666", True),
        (3, 2, "66.666666667", False),
        (8, 7, "87.5", True),
        (8, 7, "87.51", False),
        (2, 0, "0", True),
        (2, 2, "100", True),
    ],
)
def test_fail_under_is_exact(repo: Repository, n_lines: int, n_covered: int, threshold: str, passes: bool) -> None:
    """A gate that gates. diff-cover cuts the percentage to a whole number; here 99.9 passes 99.9 and nothing above."""
    repo.write("b.py", "".join(f"b{i} = {i}\n" for i in range(n_lines)))
    repo.git("add", "-A")
    repo.measure({"b.py": range(1, n_covered + 1)})
    report = repo.diff("--fail-under", threshold)
    assert report.code == (0 if passes else 2)
    assert (f"% < {threshold}%: cover " in report.err) != passes
    assert report.err.count("\n") == (0 if passes else 1)


def test_gate_says_by_how_much(repo: Repository) -> None:
    """One line, with the lines that are lacking."""
    repo.write("b.py", "".join(f"b{i} = {i}\n" for i in range(10)))
    repo.git("add", "-A")
    repo.measure({"b.py": [1, 2, 3, 4, 5]})
    assert repo.diff("--fail-under", "75").err == ("Failure. Coverage is 50% < 75%: cover 3 of the 5 missing lines to pass.\n")


@pytest.mark.parametrize("threshold", ["101", "100.0001", "-1", "x", "", "1e2", "nan", ".", "9.9.9"])
def test_bad_thresholds(repo: Repository, threshold: str) -> None:
    """A threshold that is no percentage is refused, before anything is read."""
    report = repo.diff(f"--fail-under={threshold}")
    assert report.code == 1
    assert report.err == f"option --fail-under: '{threshold}' is no percentage from 0 to 100\nUse 'qd-cov help' for help.\n"


# Branches.

BRANCHES = "def f(x):\n    if x:\n        y = 1\n    else:\n        y = 2\n    return y\n\n\nf(1)\n"


def test_branches_on_request(repo: Repository) -> None:
    """Lines alone unless asked; with branches a line that lacks one is missing, as diff-cover counts."""
    repo.write("b.py", BRANCHES)
    repo.commit()
    repo.measure_arcs({"b.py": [(-1, 1), (1, 9), (9, -1), (-1, 2), (2, 3), (3, 6), (6, -1)]})
    report = repo.diff()
    assert (report.rows["b.py"].lines, report.rows["b.py"].missing_lines) == (6, "5")
    report = repo.diff("--branch-coverage")
    assert (report.rows["b.py"].lines, report.rows["b.py"].missing, report.rows["b.py"].missing_lines) == (6, 2, "2->5, 5")
    assert report.rows["b.py"].percent == "66.7"


def test_branches_of_line_data(repo: Repository) -> None:
    """Line data has no branches; a note says so, and no gate passes."""
    repo.write("b.py", BRANCHES)
    repo.commit()
    repo.measure({"b.py": [1]})
    report = repo.diff("--branch-coverage")
    assert "Note: The data has no branches: only lines are counted.\n" in report.out
    assert "data has no branches of 'b.py'" in repo.diff("--branch-coverage", "--fail-under=1").err


# Outputs.


def test_several_formats_at_once(repo: Repository) -> None:
    """Files are written whole, '-' is standard output."""
    repo.write("a.py", edited(TEN, {1: "b1 = 1\n", 2: "b2 = 2\n"}))
    repo.measure({"a.py": [1]})
    report = repo.diff("--format", "markdown:out.md", "--format", "html:report.html,markdown-summary:-")
    assert report.code == 0
    assert report.out.startswith("**Diff coverage: 50%** · ")
    assert report.err == "Wrote markdown report to out.md\nWrote html report to report.html\n"
    assert "| 🔴 `a.py` | 50% | 2 |" in (repo.folder / "out.md").read_text()
    assert (repo.folder / "report.html").read_text().startswith("<!DOCTYPE html>")
    assert not list(repo.folder.glob("*.tmp"))


def test_no_color_in_a_pipe(repo: Repository) -> None:
    """Escape sequences are for terminals, and the contents of files cannot bring them in."""
    repo.write("a.py", "b = '\x1b[31m'\n" + TEN)
    repo.measure({"a.py": []})
    assert "\x1b" not in repo.diff("--format", "annotated").out


def test_color_on_a_terminal(repo: Repository) -> None:
    """Colour is used on a terminal, unless NO_COLOR says no."""
    import pty

    repo.write("a.py", edited(TEN, {1: "b1 = 1\n"}))
    repo.measure({"a.py": []})
    for environment, colored in (({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)):
        ours, theirs = pty.openpty()
        subprocess.run(
            ["qd-cov", "diff", "--compare-branch", "main"],
            cwd=repo.folder,
            env={**repo.environment, "TERM": "xterm", **environment},
            stdout=theirs,
            check=True,
        )
        os.close(theirs)
        text = b""
        try:
            while piece := os.read(ours, 65536):
                text += piece
        except OSError:
            pass  # the end of a pseudo terminal
        os.close(ours)
        assert (b"\x1b[" in text) == colored

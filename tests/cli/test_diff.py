"""`qd-cov diff` on real repositories: what git calls changed, joined with what coverage.py measured."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from diff_repository import Repository

TEN = "".join(f"a{i} = {i}\n" for i in range(1, 11))


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """One commit on main with a.py of ten statements; a branch is checked out."""
    result = Repository(tmp_path / "repo")
    result.write(".gitignore", ".coverage\n_qd_kcov.*\n")
    result.write("a.py", TEN)
    result.commit("base")
    result.branch("work")
    return result


def lines(text: str) -> list[str]:
    """Lines with their ends."""
    return text.splitlines(keepends=True)


def edited(text: str, changes: dict[int, str | None]) -> str:
    """Replace lines (from 1) with other text; None takes them out."""
    result = lines(text)
    for number, new in changes.items():
        result[number - 1] = new or ""
    return "".join(result)


# Where the change stands.


def test_committed_change(repo: Repository) -> None:
    """The plain case: two changed lines, one of them ran."""
    repo.write("a.py", edited(TEN, {3: "b3 = 3\n", 7: "b7 = 7\n"}))
    repo.commit()
    repo.measure({"a.py": [1, 2, 3]})
    report = repo.diff()
    assert (report.rows["a.py"].lines, report.rows["a.py"].missing, report.rows["a.py"].missing_lines) == (2, 1, "7")
    assert "Diff: main...HEAD, staged and unstaged changes\n" in report.out
    assert "Total:   2 lines\nMissing: 1 line\nCoverage: 50%\n" in report.out
    assert report.code == 0


def test_dirty_tree_shifts_no_lines(repo: Repository) -> None:
    """diff-cover unites the line numbers of three diffs: an unstaged line on top made it look at the wrong lines, and pass."""
    repo.write("a.py", TEN + "b11 = 11\n")
    repo.commit()
    repo.write("a.py", "staged = 1\n" + TEN + "b11 = 11\n")
    repo.git("add", "a.py")
    repo.write("a.py", "unstaged = 1\nstaged = 1\n" + TEN + "b11 = 11\n")
    repo.measure({"a.py": range(1, 13)})  # all but the committed line, which is line 13 by now
    report = repo.diff("--fail-under", "100")
    assert (report.rows["a.py"].lines, report.rows["a.py"].missing_lines) == (3, "13")
    assert report.code == 2


def test_staged_and_then_taken_back(repo: Repository) -> None:
    """What is staged but not in the working tree is no change of the file as it stands."""
    repo.write("a.py", TEN + "staged = 1\n")
    repo.git("add", "a.py")
    repo.write("a.py", TEN)
    repo.measure({"a.py": [1]})
    assert "No lines with coverage information in this diff.\n" in repo.diff().out


def test_base_that_moved_on(repo: Repository) -> None:
    """What others did on main since is not part of the change (a two-dot diff would show it, backwards)."""
    repo.write("a.py", edited(TEN, {3: "b3 = 3\n"}))
    repo.commit()
    repo.git("checkout", "-q", "main")
    repo.write("a.py", edited(TEN, {9: None}))
    repo.write("other.py", "x = 1\n")
    repo.commit()
    repo.git("checkout", "-q", "work")
    repo.measure({"a.py": range(1, 11)})
    report = repo.diff()
    assert report.total() == (1, 0)
    assert list(report.rows) == ["a.py"]


def test_untracked_only_on_request(repo: Repository) -> None:
    """Untracked files are part of the change when asked for; ignored ones never are."""
    repo.write("new dir/é.py", "x = 1\ny = 2")
    repo.write(".git/info/exclude", "ignored.py\n")
    repo.write("ignored.py", "x = 1\n")
    repo.measure({"new dir/é.py": [1]})
    assert repo.diff().rows == {}
    report = repo.diff("--include-untracked")
    assert "Diff: main...HEAD, staged, unstaged and untracked changes\n" in report.out
    assert list(report.rows) == ["new dir/é.py"]
    assert report.rows["new dir/é.py"].missing_lines == "2"


def test_intent_to_add(repo: Repository) -> None:
    """A file after `git add -N` is tracked, so it counts."""
    repo.write("new.py", "x = 1\n")
    repo.git("add", "-N", "new.py")
    repo.measure({"new.py": []})
    assert repo.diff().rows["new.py"].missing_lines == "1"


# What a changed line means for statements.

MULTI = "v = call(\n    1,\n    2,\n)\nlast = 1\n"


@pytest.mark.parametrize("line", [1, 2, 3, 4])
def test_edit_on_any_line_of_a_statement_counts(repo: Repository, line: int) -> None:
    """diff-cover: an edit on a continuation line gave "No lines with coverage information", which passes."""
    repo.write("m.py", MULTI)
    repo.git("checkout", "-q", "main")
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")
    repo.write("m.py", edited(MULTI, {line: lines(MULTI)[line - 1].rstrip("\n") + "  # edited\n"}))
    repo.measure({"m.py": [5]})
    report = repo.diff("--fail-under", "1")
    assert (report.rows["m.py"].lines, report.rows["m.py"].missing_lines) == (1, "1")
    assert report.code == 2


def test_line_taken_out_of_a_statement_counts(repo: Repository) -> None:
    """An argument that is gone changes the call, though no line was added."""
    repo.git("checkout", "-q", "main")
    repo.write("m.py", MULTI)
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")
    repo.write("m.py", edited(MULTI, {3: None}))
    repo.measure({"m.py": [4]})
    assert repo.diff().rows["m.py"].missing_lines == "1"


def test_line_taken_out_between_statements_is_no_statement(repo: Repository) -> None:
    """Nothing that is there now was changed."""
    repo.write("a.py", edited(TEN, {5: None}))
    repo.measure({"a.py": []})
    assert repo.diff().total() == (0, 0)


def test_comments_blank_lines_and_docstrings_do_not_count(repo: Repository) -> None:
    """Only statements are measured."""
    repo.write("a.py", '"""Doc\n\nstring."""\n# comment\n\n' + TEN)
    repo.measure({"a.py": range(6, 16)})
    report = repo.diff("--fail-under", "100")
    assert report.total() == (0, 0)
    assert report.code == 0


def test_excluded_lines_do_not_count(repo: Repository) -> None:
    """Exclusions are those of coverage.py, with the configuration's."""
    repo.write(".coveragerc", "[report]\nexclude_also =\n    never_here\n")
    repo.write("a.py", TEN + "if a1:  # pragma: no cover\n    b = 1\nnever_here = 1\nc = 1\n")
    repo.measure({"a.py": range(1, 11)})
    report = repo.diff()
    assert (report.rows["a.py"].lines, report.rows["a.py"].missing_lines) == (1, "14")


def test_ranges_do_not_hide_covered_statements(repo: Repository) -> None:
    """A range may run over blank lines and comments, but not over a statement that ran, changed or not."""
    text = TEN + "b1 = 1\n# comment\n\nb2 = 2\n"
    repo.write("a.py", edited(text, {2: "c2 = 2\n", 4: "c4 = 4\n"}))
    repo.measure({"a.py": [1, 3, 5, 6, 7, 8, 9, 10]})
    assert repo.diff().rows["a.py"].missing_lines == "2, 4, 11-14"


# What the diff of git may look like.


def test_no_newline_at_end_of_file(repo: Repository) -> None:
    r"""diff-cover counts "\ No newline at end of file" as a line: what was added after it shifted by one."""
    repo.git("checkout", "-q", "main")
    repo.write("n.py", "x = 1\ny = 2")
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")
    repo.write("n.py", "x = 1\ny = 2\nz = 3\nw = 4")
    repo.measure({"n.py": [1, 2, 3]})
    report = repo.diff()
    assert (report.rows["n.py"].lines, report.rows["n.py"].missing_lines) == (2, "4")


def test_newline_lost_at_end_of_file_is_no_change(repo: Repository) -> None:
    """The last line reads the same with or without its end."""
    repo.write("a.py", TEN.rstrip("\n"))
    repo.measure({"a.py": []})
    assert repo.diff().total() == (0, 0)


NAMES = ["hé.py", "日本.py", "sp ace.py", 'quo"te.py', "back\\slash.py", "tab\there.py", "line\nend.py", "a and b.py", "-dash.py"]


@pytest.mark.parametrize("name", NAMES)
def test_file_names(repo: Repository, name: str) -> None:
    """diff-cover does not find non-ASCII names, which git quotes: "No lines with coverage information"."""
    folder = "pkg ü"
    repo.write(f"{folder}/{name}", "x = 1\ny = 2\n")
    repo.commit()
    repo.measure({f"{folder}/{name}": [1]})
    report = repo.diff("--fail-under", "51")
    assert report.total() == (2, 1)
    assert report.code == 2


def test_name_that_is_not_utf8(repo: Repository) -> None:
    """A path is bytes."""
    path = repo.folder / "b\udcff.py"
    path.write_text("x = 1\n")
    repo.commit()
    repo.measure({})
    assert repo.diff("--fail-unmeasured").code == 2


def test_crlf_and_lone_carriage_returns(repo: Repository) -> None:
    """Python ends lines at a lone CR too, git does not."""
    repo.git("checkout", "-q", "main")
    repo.write("crlf.py", b"x = 1\r\ny = 2\r\n")
    repo.write("cr.py", b"x = 1\ry = 2\nz = 3\n")
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")
    repo.write("crlf.py", b"x = 1\r\nk = 3\r\ny = 2\r\n")
    repo.write("cr.py", b"x = 1\ry = 2\nw = 4\rv = 5\nz = 3\n")
    repo.measure({"crlf.py": [1, 3], "cr.py": [1, 2, 3, 5]})
    report = repo.diff()
    assert report.rows["crlf.py"].missing_lines == "2"
    assert (report.rows["cr.py"].lines, report.rows["cr.py"].missing_lines) == (2, "4")


def test_rename_counts_only_what_was_edited(repo: Repository) -> None:
    """A moved file is not new code."""
    repo.git("mv", "a.py", "b.py")
    repo.write("b.py", edited(TEN, {4: "b4 = 4\n"}))
    repo.commit()
    repo.measure({"b.py": [1]})
    report = repo.diff()
    assert (report.rows["b.py"].lines, report.rows["b.py"].missing_lines) == (1, "4")
    assert "b.py (was a.py)" in report.out


def test_pure_rename_mode_change_and_deletion(repo: Repository) -> None:
    """None of them has changed lines."""
    repo.write("gone.py", "x = 1\n")
    repo.write("mode.py", "x = 1\ny = 1\n")
    repo.git("checkout", "-q", "main")
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")
    repo.git("mv", "a.py", "b.py")
    repo.git("rm", "-q", "gone.py")
    (repo.folder / "mode.py").chmod(0o755)
    repo.commit()
    repo.measure({"b.py": [1], "mode.py": [1]})
    report = repo.diff("--fail-under", "100")
    assert report.rows == {}
    assert report.code == 0


def test_binary_files_links_and_submodules(repo: Repository) -> None:
    """They are no source, and they disturb nothing beside them."""
    other = Repository(repo.folder.parent / "other")
    other.write("sub.py", "x = 1\n")
    other.commit()
    repo.write("picture.bin", b"\0\1\2 and b/a.py differ\n" * 50)
    repo.write("fake.py", b"\0\1\2")
    (repo.folder / "link.py").symlink_to("a.py")
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.folder), "mod.py")
    repo.write("a.py", edited(TEN, {1: "b1 = 1\n"}))
    repo.commit()
    repo.measure({"a.py": []})
    report = repo.diff()
    assert report.rows["a.py"].missing_lines == "1"
    assert set(report.rows) <= {"a.py", "fake.py"}


def test_lines_that_look_like_a_diff(repo: Repository) -> None:
    """The text of a line is never taken for a header."""
    tricky = 's = """\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,9 @@\ndiff --git a/x b/x\n\\ No newline at end of file\n"""\nt = 2\n'
    repo.git("checkout", "-q", "main")
    repo.write("t.py", tricky)
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")
    repo.write("t.py", "-- 1\n" + tricky.replace("t = 2", "++ 2") + "u = 3\n")
    repo.write("z.py", "x = 1\n")
    repo.commit()
    repo.measure({"t.py": [1, 2], "z.py": []})
    report = repo.diff()
    assert (report.rows["t.py"].lines, report.rows["t.py"].missing_lines) == (3, "9-10")
    assert report.rows["z.py"].missing_lines == "1"


def test_whitespace_changes(repo: Repository) -> None:
    """They count unless told otherwise."""
    repo.write("a.py", edited(TEN, {2: "a2  =  2\n", 5: "\na5 = 5\n", 8: "b8 = 8\n"}))
    repo.measure({"a.py": []})
    assert repo.diff().rows["a.py"].missing_lines == "2, 9"
    assert repo.diff("--ignore-whitespace").rows["a.py"].missing_lines == "9"


def test_merge_conflict_in_the_index(repo: Repository) -> None:
    """A file with conflict markers does not parse: that is said; other files are reported on when errors are ignored."""
    repo.write("a.py", edited(TEN, {3: "ours = 3\n"}))
    repo.write("good.py", "x = 1\n")
    repo.commit()
    repo.git("checkout", "-q", "main")
    repo.write("a.py", edited(TEN, {3: "theirs = 3\n"}))
    repo.commit()
    repo.git("checkout", "-q", "work")
    repo.git("merge", "main", check=False)
    repo.measure({"a.py": [1], "good.py": []})
    report = repo.diff()
    assert report.code == 1
    assert re.fullmatch(r"Couldn't parse 'a\.py' as Python source: '.*' at line 3\n", report.out)
    report = repo.diff("-i")
    assert report.rows["good.py"].missing_lines == "1"
    assert report.rows["a.py"].missing is None
    # Solved in the working tree but not yet staged: the lines count as they stand.
    repo.write("a.py", edited(TEN, {3: "both = 3\n"}))
    assert repo.diff().rows["a.py"].missing_lines == "3"


CONFIGURATIONS = [
    ("diff.noprefix", "true"),
    ("diff.mnemonicPrefix", "true"),
    ("diff.srcPrefix", "x/"),
    ("diff.external", "false"),
    ("diff.renames", "false"),
    ("diff.renameLimit", "1"),
    ("diff.context", "20"),
    ("diff.interHunkContext", "20"),
    ("diff.algorithm", "patience"),
    ("diff.submodule", "log"),
    ("diff.relative", "true"),
    ("diff.wordRegex", "."),
    ("diff.colorMoved", "zebra"),
    ("diff.orderFile", "nowhere"),
    ("diff.suppressBlankEmpty", "true"),
    ("core.quotePath", "true"),
    ("core.pager", "false"),
    ("color.ui", "always"),
    ("color.diff", "always"),
    ("diff.py.textconv", "tr a-z A-Z <"),
    ("diff.py.binary", "true"),
    ("diff.py.command", "false"),
    ("core.attributesFile", "{repo}/hide"),
    ("core.fsmonitor", "false"),
]


@pytest.mark.parametrize(("key", "value"), CONFIGURATIONS)
def test_configuration_of_the_user_changes_nothing(repo: Repository, key: str, value: str) -> None:
    """git reads many settings; none of them may move a line."""
    repo.write("hide", "*.py -diff\n")
    repo.write(".gitattributes", "*.py diff=py\n")
    repo.write("hé/b.py", "x = 1\n")
    repo.git("mv", "a.py", "moved.py")
    repo.write("moved.py", edited(TEN, {1: "b1 = 1\n", 9: "b9 = 9\n"}))
    repo.commit()
    repo.measure({"moved.py": [1], "hé/b.py": []})
    wanted = repo.diff().out
    assert "moved.py (was a.py)" in wanted
    assert "9" in repo.diff().rows["moved.py"].missing_lines
    config = repo.folder.parent / "gitconfig"
    repo.git("config", "--file", str(config), key, value.format(repo=repo.folder))
    report = repo.diff(cwd="hé", GIT_CONFIG_GLOBAL=str(config), COVERAGE_FILE=str(repo.folder / ".coverage"))
    assert report.out == wanted
    assert report.err == ""


def test_environment_of_git_changes_nothing(repo: Repository) -> None:
    """Neither do the variables that git reads."""
    repo.write("a.py", edited(TEN, {1: "b1 = 1\n"}))
    repo.measure({"a.py": []})
    wanted = repo.diff().out
    assert repo.diff(GIT_EXTERNAL_DIFF="false", GIT_DIFF_OPTS="-u9", GIT_LITERAL_PATHSPECS="1", GIT_TRACE="1", LC_ALL="de_DE.UTF-8").out == wanted


# Where the command runs, and what it is compared with.


def test_from_a_subfolder(repo: Repository) -> None:
    """Paths are those of the repository, wherever one stands in it."""
    repo.write("pkg/deep/b.py", "x = 1\n")
    repo.commit()
    repo.measure({"pkg/deep/b.py": []})
    report = repo.diff("--data-file", "../../.coverage", cwd="pkg/deep")
    assert list(report.rows) == ["pkg/deep/b.py"]


def test_in_a_worktree_and_with_detached_head(repo: Repository) -> None:
    """Both are checkouts like any other."""
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
    subprocess.run(["python", "-m", "coverage", "run", "run_a.py"], cwd=repo.folder, env=repo.environment, check=True)
    report = repo.diff()
    assert (report.rows["a.py"].lines, report.rows["a.py"].missing) == (1, 0)


def test_paths_of_another_machine(repo: Repository) -> None:
    """[paths] maps them; without it the report says what is wrong, the most common question to diff-cover."""
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


# What there is no data of.


def test_changed_file_without_data_is_never_left_out(repo: Repository) -> None:
    """diff-cover says nothing of a file without data, and passes."""
    repo.write("new.py", "# comment\nx = 1\ny = [\n    2,\n]\n")
    repo.write("empty.py", "")
    repo.write("notes.txt", "text\n")
    repo.commit()
    repo.measure({"a.py": range(1, 11)})
    report = repo.diff("--fail-under", "100")
    assert list(report.rows) == ["new.py"]
    assert (report.rows["new.py"].lines, report.rows["new.py"].missing_lines) == (2, "no data")
    assert "Not measured: 2 lines in 1 file\n" in report.out
    assert report.code == 0
    report = repo.diff("--fail-unmeasured")
    assert report.code == 2
    assert report.err == "Failure. 1 changed file is not measured, the first is 'new.py'.\n"


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
    """Edited after the tests ran: the lines may be others by now, which is said and no more."""
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
    """diff-cover cuts the percentage to a whole number; here 99.9 passes 99.9 and nothing above."""
    repo.write("b.py", "".join(f"b{i} = {i}\n" for i in range(n_lines)))
    repo.git("add", "-A")
    repo.measure({"b.py": range(1, n_covered + 1)})
    report = repo.diff("--fail-under", threshold)
    assert report.code == (0 if passes else 2)
    assert report.err.startswith(f"Failure. Coverage is below {threshold}%: ") != passes
    assert report.err.count("\n") == (0 if passes else 1)


def test_gate_says_by_how_much(repo: Repository) -> None:
    """One line, with the lines that are lacking."""
    repo.write("b.py", "".join(f"b{i} = {i}\n" for i in range(10)))
    repo.git("add", "-A")
    repo.measure({"b.py": [1, 2, 3, 4, 5]})
    assert repo.diff("--fail-under", "75").err == (
        "Failure. Coverage is below 75%: it is 50%, and 3 of the 5 missing have to be covered to reach it.\n"
    )


@pytest.mark.parametrize("threshold", ["101", "100.0001", "-1", "x", "", "1e2", "nan", ".", "9.9.9"])
def test_bad_thresholds(repo: Repository, threshold: str) -> None:
    """What is no percentage is refused, before anything is read."""
    report = repo.diff(f"--fail-under={threshold}")
    assert report.code == 1
    assert report.err == f"option --fail-under: '{threshold}' is no percentage from 0 to 100\nUse 'qd-cov help' for help.\n"


# Branches.

BRANCHES = "def f(x):\n    if x:\n        y = 1\n    else:\n        y = 2\n    return y\n\n\nf(1)\n"


def test_branches_on_request(repo: Repository) -> None:
    """Lines alone unless asked; with branches, coverage.py's formula over the changed statements."""
    repo.write("b.py", BRANCHES)
    repo.commit()
    repo.measure_arcs({"b.py": [(-1, 1), (1, 9), (9, -1), (-1, 2), (2, 3), (3, 6), (6, -1)]})
    report = repo.diff()
    assert (report.rows["b.py"].lines, report.rows["b.py"].missing_lines) == (6, "5")
    report = repo.diff("--branch-coverage")
    assert (report.rows["b.py"].lines, report.rows["b.py"].missing, report.rows["b.py"].missing_lines) == (8, 2, "2->5, 5")
    assert report.rows["b.py"].percent == "75"


def test_branches_of_line_data(repo: Repository) -> None:
    """There are none, and that is said."""
    repo.write("b.py", BRANCHES)
    repo.commit()
    repo.measure({"b.py": [1]})
    report = repo.diff("--branch-coverage")
    assert "Note: The data has no branches: only lines are counted.\n" in report.out


# Bad input: one clear line and exit code 1.


def complaint(repo: Repository, *args: str, cwd: str = ".", **environment: str) -> str:
    """The one line that a failing command prints."""
    report = repo.diff_as_typed(*args, cwd=cwd, **environment)
    assert report.code == 1
    text = report.out + report.err
    assert text.count("\n") == 1
    return text.rstrip("\n")


def test_not_a_repository(repo: Repository) -> None:
    """Outside of any."""
    (repo.folder.parent / "plain").mkdir()
    text = complaint(repo, cwd="../plain")
    assert text == "Not a git repository: run qd-cov diff in the checkout whose changes it shall report on."


def test_repository_without_commits(tmp_path: Path) -> None:
    """A new one."""
    new = Repository(tmp_path / "new")
    assert complaint(new) == "This repository has no commits yet: there is nothing to compare with."


def test_bare_repository(repo: Repository) -> None:
    """There is nothing that could have been measured."""
    repo.git("clone", "-q", "--bare", ".", "../bare.git")
    assert complaint(repo, cwd="../bare.git").startswith("This git repository has no working tree")


def test_unknown_branch(repo: Repository) -> None:
    """Named, with what there is instead."""
    assert complaint(repo, "--compare-branch", "nope") == "Unknown branch 'nope': git has no branch, tag or commit of that name."
    repo.git("update-ref", "refs/remotes/origin/dev", "main")
    assert complaint(repo, "--compare-branch", "dev").endswith("; there is origin/dev.")
    assert complaint(repo, "--compare-branch", "origin/x").endswith("; to get it: git fetch origin x.")
    assert complaint(repo, "--compare-branch=--output=x").startswith("Unknown branch '--output=x'")
    repo.git("branch", "-D", "main")
    assert complaint(repo).startswith("Nothing to compare with: there is neither a branch origin/main nor main")


def test_shallow_clone(repo: Repository) -> None:
    """diff-cover ends in a traceback; the command that helps is better."""
    repo.write("a.py", edited(TEN, {1: "x = 1\n"}))
    repo.commit()
    repo.git("checkout", "-q", "main")
    repo.write("b.py", "x = 1\n")
    repo.commit()
    repo.git("clone", "-q", "--depth", "1", "--no-single-branch", f"file://{repo.folder}", "../shallow")
    repo.git("-C", "../shallow", "checkout", "-q", "work")
    text = complaint(repo, cwd="../shallow")
    assert text == "No merge base of 'origin/main' and HEAD in this shallow clone; to get the history: git fetch --unshallow"
    repo.git("-C", "../shallow", "fetch", "-q", "--unshallow")
    assert complaint(repo, cwd="../shallow").startswith("No data to report")


def test_no_common_history(repo: Repository) -> None:
    """Not a matter of depth."""
    repo.git("checkout", "-q", "--orphan", "island")
    repo.commit()
    assert complaint(repo) == "No merge base: 'main' and HEAD have no common history."


def test_git_is_missing(repo: Repository, tmp_path: Path) -> None:
    """The program is needed."""
    import shutil

    program = shutil.which("qd-cov")
    assert program
    done = subprocess.run([program, "diff"], cwd=repo.folder, env={**repo.environment, "PATH": str(tmp_path)}, capture_output=True, text=True)
    assert done.returncode == 1
    assert "git is not installed, or not on the PATH" in done.stdout + done.stderr


def test_no_data(repo: Repository) -> None:
    """As coverage.py says it, and what to do."""
    assert complaint(repo) == "No data to report: there is no '.coverage'; run the tests under 'qd-cov run' first."


def test_data_file_in_a_folder_that_is_not_there(repo: Repository) -> None:
    """Said in terms of what was asked for."""
    assert complaint(repo, "--data-file", "no/where").startswith("No data to report: there is no 'no/where'")


def test_sparse_checkout(repo: Repository) -> None:
    """git knows of changes in files that are not here: they are not measured; with data of them something is wrong."""
    repo.write("b.py", "x = 1\n")
    repo.commit()
    repo.git("update-index", "--skip-worktree", "b.py")
    (repo.folder / "b.py").unlink()
    repo.measure({"a.py": [1]})
    assert repo.diff().rows["b.py"].missing_lines == "not in the working tree, or not readable"
    repo.measure({"b.py": [1]})
    assert complaint(repo) == f"No source for code: '{repo.folder}/b.py'."


def test_data_that_is_none(repo: Repository) -> None:
    """Nothing is deleted."""
    repo.write(".coverage", b"not a database, but longer than the header of one" * 50)
    assert "file is not a database" in complaint(repo)
    assert (repo.folder / ".coverage").exists()


def test_bad_formats_and_paths(repo: Repository) -> None:
    """Nothing is half written."""
    repo.write("a.py", edited(TEN, {1: "x = 1\n"}))
    repo.measure({"a.py": []})
    report = repo.diff("--format", "htlm")
    assert report.code == 1
    assert "unknown format 'htlm'; there are terminal, annotated, markdown, markdown-summary, html" in report.err
    assert repo.diff("--format", "html:").code == 1
    assert repo.diff("surplus").code == 1
    assert complaint(repo, "--format", "html:nowhere/x.html") == "Couldn't write 'nowhere/x.html': No such file or directory"
    assert complaint(repo, "--format", "html:.") .startswith("Couldn't write '.'")
    assert not (repo.folder / "nowhere").exists()


def test_source_that_does_not_parse(repo: Repository) -> None:
    """A measured file that is no Python any more is an error; one without data is not measured, and why."""
    repo.write("a.py", edited(TEN, {4: "x = = 1\n"}))
    repo.measure({"a.py": [1]})
    assert complaint(repo).startswith("Couldn't parse 'a.py' as Python source: ")
    repo.measure({"b.py": [1]})
    assert "Couldn't parse 'a.py' as Python source: " in repo.diff().rows["a.py"].missing_lines


# Outputs.


def test_several_formats_at_once(repo: Repository) -> None:
    """Files are written whole, '-' is standard output."""
    repo.write("a.py", edited(TEN, {1: "b1 = 1\n", 2: "b2 = 2\n"}))
    repo.measure({"a.py": [1]})
    report = repo.diff("--format", "markdown:out.md", "--format", "html:report.html,markdown-summary:-")
    assert report.code == 0
    assert report.out.startswith("**Diff coverage: 50%** · ")
    assert report.err == "Wrote markdown report to out.md\nWrote html report to report.html\n"
    assert "| 🔴 <code>a.py</code> | 50% | 2 |" in (repo.folder / "out.md").read_text()
    assert (repo.folder / "report.html").read_text().startswith("<!DOCTYPE html>")
    assert not list(repo.folder.glob("*.tmp"))


def test_no_color_in_a_pipe(repo: Repository) -> None:
    """Escape sequences are for terminals, and what files hold cannot bring them in."""
    repo.write("a.py", "b = '\x1b[31m'\n" + TEN)
    repo.measure({"a.py": []})
    assert "\x1b" not in repo.diff("--format", "annotated").out


def test_color_on_a_terminal(repo: Repository) -> None:
    """On a terminal there is colour, unless NO_COLOR says no."""
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

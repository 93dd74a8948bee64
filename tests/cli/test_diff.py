"""`qd-cov diff` on real repositories: git's changed lines, joined with coverage.py's data."""

from __future__ import annotations

import re

import pytest
from diff_repository import TEN, Repository, edited, lines

# The state of a change: committed, staged, in the working tree.


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
    """A staged text that the working tree does not have is no change: files count as they stand there."""
    repo.write("a.py", TEN + "staged = 1\n")
    repo.git("add", "a.py")
    repo.write("a.py", TEN)
    repo.measure({"a.py": [1]})
    assert "No lines with coverage information in this diff.\n" in repo.diff().out


def test_base_that_moved_on(repo: Repository) -> None:
    """Changes of others on main since are not part of the change (a two-dot diff would show them, backwards)."""
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


# Statements of a changed line.

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
    """Only statements are measured. A change without any passes."""
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


# Odd forms of git's diff.


def test_no_newline_at_end_of_file(repo: Repository) -> None:
    r"""diff-cover counts "\ No newline at end of file" as a line: lines that were added after it shifted by one."""
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
    assert repo.diff("--on-no-data=fail").code == 2


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
    """Renames, mode changes and deletions have no changed lines."""
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
    """Binary files, links and submodules are no source, and they disturb nothing beside them."""
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


def test_repositories_that_git_does_not_track(repo: Repository) -> None:
    """git lists the folder alone: its files have no lines, and a note says so, with --include-untracked too."""
    inner = Repository(repo.folder / "sub/inner")
    inner.write("new.py", "x = 1\n")
    inner.commit()
    repo.measure({"a.py": []})
    for options in ([], ["--include-untracked"]):
        report = repo.diff(*options)
        assert "Not counted: 1 untracked repository ('sub/inner/')." in report.out
        assert report.rows == {}
    repo.write("more.py", "x = 1\n")
    assert "Not counted: 1 untracked file ('more.py') and 1 untracked repository ('sub/inner/'); --incl" in repo.diff().out
    assert list(repo.diff("--include-untracked").rows) == ["more.py"]


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
    """Changes of white space count unless told otherwise."""
    repo.write("a.py", edited(TEN, {2: "a2  =  2\n", 5: "\na5 = 5\n", 8: "b8 = 8\n"}))
    repo.measure({"a.py": []})
    assert repo.diff().rows["a.py"].missing_lines == "2, 9"
    assert repo.diff("--ignore-whitespace").rows["a.py"].missing_lines == "9"


def test_merge_conflict_in_the_index(repo: Repository) -> None:
    """A file with conflict markers does not parse, which is an error; other files are reported on when errors are ignored."""
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
    """Variables that git reads do not change the diff either."""
    repo.write("a.py", edited(TEN, {1: "b1 = 1\n"}))
    repo.measure({"a.py": []})
    wanted = repo.diff().out
    assert repo.diff(GIT_EXTERNAL_DIFF="false", GIT_DIFF_OPTS="-u9", GIT_LITERAL_PATHSPECS="1", GIT_TRACE="1", LC_ALL="de_DE.UTF-8").out == wanted

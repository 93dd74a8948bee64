"""The base of `qd-cov diff`, and the part of the change that it is asked for: bases, ranges, shallow clones, the index, diffs in files."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from diff_repository import TEN, Repository, edited
from test_diff_errors import complaint


def test_tip_of_the_branch(repo: Repository) -> None:
    """Two dots: main's commits since are taken back by this tree, and so part of the difference; diff-cover's option."""
    repo.write("a.py", edited(TEN, {3: "b3 = 3\n"}))
    repo.commit()
    repo.git("checkout", "-q", "main")
    repo.write("a.py", edited(TEN, {9: "c9 = 9\n"}))
    repo.commit()
    repo.git("checkout", "-q", "work")
    repo.measure({"a.py": [1, 2, 3]})
    assert repo.diff("--diff-range-notation=...").rows["a.py"].lines == 1
    report = repo.diff("--diff-range-notation", "..")
    assert (report.rows["a.py"].lines, report.rows["a.py"].missing_lines) == (2, "9")
    assert "Diff: main..HEAD, staged and unstaged changes\n" in report.out
    assert "neither '...' nor '..'" in repo.diff("--diff-range-notation=-").err


def test_base_sha(repo: Repository) -> None:
    """One commit back, where the merge base is two back."""
    repo.write("a.py", edited(TEN, {3: "b3 = 3\n"}))
    repo.commit()
    repo.write("a.py", edited(TEN, {3: "b3 = 3\n", 5: "b5 = 5\n"}))
    repo.commit()
    repo.measure({"a.py": [1]})
    before = repo.git("rev-parse", "HEAD~1").strip()
    report = repo.diff_as_typed("--base-sha", before, "--format=terminal,markdown:out.md")
    assert report.rows["a.py"].missing_lines == "5"
    assert f"compared with `{before}` (commit `{before[:10]}`)" in (repo.folder / "out.md").read_text()
    assert "it can't be used with --compare-branch" in repo.diff("--base-sha", before).err
    assert complaint(repo, "--base-sha", "0" * 40) == f"Unknown commit '{'0' * 40}': git has no commit of that name."


def test_staged_or_unstaged_alone(repo: Repository) -> None:
    """Each line comes from one place, and keeps the number that it has in the file as it stands."""
    repo.write("a.py", TEN + "committed = 1\n")
    repo.commit()
    repo.write("a.py", "staged = 1\n" + TEN + "committed = 1\n")
    repo.git("add", "a.py")
    repo.write("a.py", "unstaged = 1\nstaged = 1\n" + edited(TEN, {6: None}) + "committed = 1\nunstaged = 2\n")
    repo.measure({"a.py": [3]})
    found = {
        options: repo.diff(*options).rows["a.py"].missing_lines
        for options in ((), ("--ignore-staged",), ("--ignore-unstaged",), ("--ignore-staged", "--ignore-unstaged"))
    }
    assert found == {
        (): "1-2, 12-13",
        ("--ignore-staged",): "1, 12-13",
        ("--ignore-unstaged",): "2, 12",
        ("--ignore-staged", "--ignore-unstaged"): "12",
    }
    titles = [repo.diff(*options).out.splitlines()[1] for options in found]
    assert titles == [
        "Diff: main...HEAD, staged and unstaged changes",
        "Diff: main...HEAD and unstaged changes",
        "Diff: main...HEAD and staged changes",
        "Diff: main...HEAD",
    ]


def test_statement_shortened_in_one_stage(repo: Repository) -> None:
    """A line taken out of the middle of a statement is a change of it, of the stage where it went."""
    text = "x = [\n    1,\n    2,\n    3,\n]\ny = 1\n"
    repo.git("checkout", "-q", "main")
    repo.write("m.py", text)
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")
    repo.write("m.py", edited(text, {3: None}))
    repo.git("add", "m.py")
    repo.measure({"m.py": [6]})
    assert repo.diff("--ignore-unstaged").rows["m.py"].missing_lines == "1"
    assert "No lines" in repo.diff("--ignore-staged").out
    repo.git("reset", "-q")
    assert repo.diff("--ignore-staged").rows["m.py"].missing_lines == "1"
    assert "No lines" in repo.diff("--ignore-unstaged").out


def add_commits(repo: Repository, branch: str, n: int) -> None:
    """History without changes, at once."""
    commit = f"commit refs/heads/{branch}\ncommitter A <a@example.com> 1700000000 +0000\ndata 1\nx\n"
    stream = commit + f"from refs/heads/{branch}^0\n" + commit * (n - 1)
    subprocess.run(["git", "fast-import", "--quiet"], cwd=repo.folder, env=repo.environment, input=stream, text=True, check=True)


def shallow_clone(repo: Repository, *options: str) -> str:
    """A clone of the last commit of the branch work, as a CI service makes one; its folder."""
    repo.git("clone", "-q", "--depth=1", "--branch=work", *options, f"file://{repo.folder}", "../shallow")
    return "../shallow"


@pytest.mark.parametrize("options", [["--no-single-branch"], ["--single-branch"]])
def test_deepen(repo: Repository, options: list[str]) -> None:
    """The history that the merge base takes is fetched, over some steps, and not all of it."""
    add_commits(repo, "main", 200)
    repo.git("checkout", "-q", "-B", "work", "main")
    add_commits(repo, "work", 30)
    repo.write("a.py", edited(TEN, {2: "b2 = 2\n"}))
    repo.commit()
    clone = shallow_clone(repo, *options)
    folder = repo.folder / clone
    subprocess.run(["git", "clean", "-qfdx"], cwd=folder, check=True)
    repo.measure({"a.py": [1]})
    data = repo.folder / ".coverage"
    # Paths of the data are those of the other checkout.
    (folder / ".coveragerc").write_text(f"[paths]\nhere =\n    .\n    {repo.folder}\n")
    arguments = ("--compare-branch=origin/main", "--data-file", str(data))
    assert repo.diff_as_typed(*arguments, cwd=clone).code == 1
    report = repo.diff_as_typed(*arguments, "--deepen", cwd=clone)
    assert report.err == ""
    assert report.rows["a.py"].missing_lines == "2"
    commits = int(repo.git("-C", clone, "rev-list", "--count", "HEAD"))
    assert 31 < commits < 200


def test_deepen_fetches_a_base_sha(repo: Repository) -> None:
    """A commit that the clone lacks."""
    base = repo.git("rev-parse", "main").strip()
    repo.write("a.py", edited(TEN, {2: "b2 = 2\n"}))
    repo.commit()
    clone = shallow_clone(repo)
    text = complaint(repo, "--base-sha", base, cwd=clone)
    assert text == f"Unknown commit '{base}': git has no commit of that name; to get it: git fetch --depth=1 origin {base}."
    (repo.folder / clone / ".coveragerc").write_text(f"[paths]\nhere =\n    .\n    {repo.folder}\n")
    repo.measure({"a.py": [1]})
    report = repo.diff_as_typed("--base-sha", base, "--deepen", "--data-file", str(repo.folder / ".coverage"), cwd=clone)
    assert report.rows["a.py"].missing_lines == "2"


def test_deepen_without_a_remote_that_answers(repo: Repository) -> None:
    """git's own error is part of the message."""
    repo.write("a.py", edited(TEN, {2: "b2 = 2\n"}))
    repo.commit()
    repo.git("checkout", "-q", "main")
    repo.git("commit", "-q", "--allow-empty", "-m", "on")
    repo.git("checkout", "-q", "work")
    clone = shallow_clone(repo, "--no-single-branch")
    repo.git("-C", clone, "remote", "set-url", "origin", "file:///nowhere/at/all")
    text = complaint(repo, "--compare-branch=origin/main", "--deepen", cwd=clone)
    assert text.startswith("Can't fetch the history of 'origin/main': '/nowhere/at/all' does not appear to be a git repository")


# A diff in a file.


def diff_file(repo: Repository, *command: str) -> Path:
    """The output of a git command, beside the repository."""
    path = repo.folder.parent / "change.diff"
    path.write_bytes(repo.git(*command).encode())
    return path


@pytest.mark.parametrize(
    "options",
    [[], ["-U0"], ["-U30"], ["--no-prefix"], ["--src-prefix=i/", "--dst-prefix=w/"], ["--relative"], ["--minimal", "--stat", "-p"]],
)
def test_diff_file(repo: Repository, options: list[str]) -> None:
    """However it was made, with the same result as git asked directly."""
    repo.write("a.py", edited(TEN, {3: "b3 = 3\n", 4: None, 7: "b7 = 7\nc7 = 7\n"}))
    repo.write("sub dir/n\u00e9w.py", "x = 1\ny = 2\n")
    repo.write("b.txt", "x\n")
    repo.commit()
    repo.measure({"a.py": [1, 3], "sub dir/n\u00e9w.py": [1]})
    path = diff_file(repo, "diff", *options, "main...HEAD")
    expected = repo.diff()
    report = repo.diff_as_typed("--diff-file", str(path))
    assert report.rows == expected.rows
    assert len(report.rows) == 2
    assert f"Diff: changes of {path}\n" in report.out
    assert report.err == ""


def test_diff_on_standard_input(repo: Repository) -> None:
    """A diff from a pipe, from a file, and from nothing; a file may be called "-"."""
    repo.write("a.py", edited(TEN, {3: "b3 = 3\n"}))
    repo.commit()
    repo.measure({"a.py": []})

    def diff(name: str, text: str, **how: Any) -> tuple[int, str]:
        command = ["qd-cov", "diff", f"--diff-file={name}", "--fail-under=90"]
        if "stdin" not in how:
            how["input"] = text
        done = subprocess.run(command, cwd=repo.folder, env=repo.environment, capture_output=True, text=True, **how)
        return done.returncode, done.stdout

    text = repo.git("diff", "main...HEAD")
    code, out = diff("-", text)
    assert (code, "Diff: changes of standard input\n" in out, "\na.py" in out) == (2, True, True)
    path = diff_file(repo, "diff", "main...HEAD")
    with path.open() as file:
        assert diff("-", "", stdin=file) == (code, out)
    # A slow writer is waited for.
    writer = subprocess.Popen(["sh", "-c", f"sleep 0.3; head -c 60 '{path}'; sleep 0.3; tail -c +61 '{path}'"], stdout=subprocess.PIPE)
    assert diff("-", "", stdin=writer.stdout) == (code, out)
    assert writer.wait() == 0
    code, out = diff("-", "")
    assert (code, "The diff 'standard input' is empty: nothing changed, unless making it failed." in out) == (0, True)
    assert diff("-", "garbled\n") == (1, "standard input: This is no unified diff: make one with 'git diff BASE...HEAD'.\n")
    command = ["sh", "-c", "qd-cov diff --diff-file=- <&-"]
    closed = subprocess.run(command, cwd=repo.folder, env=repo.environment, capture_output=True, text=True)
    assert (closed.returncode, closed.stdout) == (1, "Can't read the diff 'standard input': Bad file descriptor\n")
    repo.write("-", text)
    assert "Diff: changes of ./-\n" in diff("./-", "")[1]


def test_diff_file_made_in_a_folder(repo: Repository) -> None:
    """Paths that are relative to where the command runs."""
    repo.write("pkg/inner.py", TEN)
    repo.commit()
    repo.measure({"pkg/inner.py": [1]})
    path = diff_file(repo, "-C", "pkg", "diff", "--relative", "main...HEAD")
    assert repo.diff_as_typed("--diff-file", str(path), "--data-file=../.coverage", cwd="pkg").rows["pkg/inner.py"].missing_lines == "2-10"


def test_diff_file_with_all_kinds_of_files(repo: Repository) -> None:
    """Renames, copies, deletions, mode changes, links, binary files, an end without a line end: as git itself has them."""
    repo.git("checkout", "-q", "main")
    for name in ("moved.py", "gone.py", "mode.py", "same.py"):
        repo.write(name, TEN)
    repo.write("end.py", "x = 1\ny = 2")
    repo.write("model.py", TEN.replace("a", "model"))
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")
    repo.git("mv", "moved.py", "new place.py")
    repo.write("new place.py", edited(TEN, {5: "b5 = 5\n"}))
    repo.git("rm", "-q", "gone.py")
    (repo.folder / "mode.py").chmod(0o755)
    repo.write("end.py", "x = 1\ny = 2\nz = 3\n")
    repo.write("copy.py", TEN.replace("a", "model"))
    repo.write("binary.bin", bytes(range(256)))
    (repo.folder / "link.py").symlink_to("a.py")
    repo.commit()
    repo.measure({name: [1] for name in ("new place.py", "mode.py", "same.py", "end.py", "a.py", "copy.py")})
    for options in ([], ["--no-renames"], ["-U0", "--binary"], ["--find-copies-harder"]):
        path = diff_file(repo, "diff", *options, "main...HEAD")
        rows = repo.diff_as_typed("--diff-file", str(path)).rows
        if "--no-renames" not in options:
            assert rows == repo.diff().rows
        assert (rows["end.py"].missing_lines, rows["copy.py"].missing_lines) == ("3", "2-10")


def test_diff_file_needs_no_git(repo: Repository) -> None:
    """The files are enough, and the tools of other systems: `diff -ruN` writes no head of git's."""
    plain = repo.folder.parent / "plain"
    (plain / "old").mkdir(parents=True)
    (plain / "a.py").write_text(edited(TEN, {4: "b4 = 4\n"}))
    (plain / "old" / "a.py").write_text(TEN)
    made = subprocess.run(["diff", "-u", "old/a.py", "a.py"], cwd=plain, capture_output=True, text=True)
    (plain / "change.diff").write_text(made.stdout)
    repo.measure({"../plain/a.py": [1]})
    data = str(repo.folder / ".coverage")
    report = repo.diff_as_typed("--diff-file=change.diff", "--data-file", data, "--format=terminal,markdown:-", cwd="../plain")
    assert report.rows["a.py"].missing_lines == "4"
    assert "<sub>Made of the `changes of change.diff`</sub>" in report.out


def test_diff_file_of_another_tool(repo: Repository) -> None:
    """`diff -ru` names paths with './', which patterns do not have, and no line of a new file."""
    old = repo.folder.parent / "old"
    shutil.copytree(repo.folder, old, ignore=shutil.ignore_patterns(".git"))
    repo.write("src/a.py", TEN)
    (old / "src").mkdir()
    (old / "src/gone.py").write_text("x = 1\n")
    (old / "src/a.py").write_text(edited(TEN, {2: None, 3: None}))
    repo.write("src/new.py", "x = 1\ny = 2\n")
    repo.write("src/binary.py", b"x = 1\0\n")
    (old / "src/binary.py").write_bytes(b"y = 1\0\n")
    repo.measure({"src/a.py": [2], "src/new.py": [1]})
    made = subprocess.run(["diff", "-ru", "../old", "."], cwd=repo.folder, capture_output=True, text=True).stdout
    made = "".join(line for line in made.splitlines(keepends=True) if not line.startswith("Only in .:"))
    (repo.folder.parent / "change.diff").write_text(made)
    report = repo.diff_as_typed("--diff-file=../change.diff", "--fail-under=src/**=51", "--on-no-data=pass")
    assert {name: row.missing for name, row in report.rows.items()} == {"src/a.py": 1, "src/new.py": 1, "src/binary.py": None}
    assert (report.code, report.err) == (2, "Failure. Coverage of 'src/**' is 50% < 51%: cover 1 of the 2 missing lines to pass.\n")
    head = "    src: a.py\nSubject: [PATCH] src: a.py\n"
    (repo.folder.parent / "change.diff").write_text(head + made.replace("Only in", "Nur in").replace("Nur in ../old", "Only in ../old"))
    assert repo.diff_as_typed("--diff-file=../change.diff").rows == report.rows
    (repo.folder.parent / "change.diff").write_text(made + "Only in ./src: pkg\n")
    repo.write("src/pkg/x.py", "x = 1\n")
    assert complaint(repo, "--diff-file=../change.diff").startswith("../change.diff: The diff does not list the files of 'src/pkg'")


ADDED = TEN + "b = 1\n"


@pytest.mark.parametrize("options", [[], ["-U0"]])
@pytest.mark.parametrize(
    ("path", "text", "commits", "message"),
    [
        ("a.py", ADDED, False, "The diff removes lines of 'a.py' that are there: it is of another version, or of new to old."),
        ("a.py", ADDED, True, "The diff removes lines of 'a.py' that are there: it is of another version, or of new to old."),
        ("new.py", TEN.replace("a", "n"), True, "The diff deletes 'new.py', which is there: it is of another version, or of new to old."),
    ],
)
def test_diff_file_of_new_to_old(repo: Repository, path: str, text: str, commits: bool, message: str, options: list[str]) -> None:
    """Lines of the change that would be in no number."""
    repo.write(path, text)
    if commits:
        repo.commit()
    repo.measure({path: [1]})
    diff_file(repo, "diff", *options, *(["HEAD", "main"] if commits else ["-R"]))
    assert complaint(repo, "--diff-file=../change.diff") == f"../change.diff: {message}"


def test_diff_file_that_deletes(repo: Repository) -> None:
    """A file that git no longer tracks may be there still, and a line that is there twice may go once."""
    repo.git("checkout", "-q", "main")
    repo.write("made.py", "x = 1\n")
    repo.write("twice.py", "import os\nimport os\nx = 1\n")
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")
    repo.git("rm", "-q", "--cached", "made.py")
    repo.write("twice.py", "import os\nx = 1\n")
    repo.git("commit", "-qam", "change")
    repo.measure({"twice.py": [1]})
    for options in ([], ["-U0"]):
        diff_file(repo, "diff", *options, "main...HEAD")
        report = repo.diff_as_typed("--diff-file=../change.diff", "--fail-under=100")
        assert (report.code, report.err) == (0, "")


BAD_DIFFS = {
    "the same file twice": (
        2 * "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+a1 = 1\n",
        "The diff has two parts about 'a.py': give one diff of all changes.",
    ),
    "of another version": (
        "--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y = 1\n",
        "The diff is of another version of 'a.py': its line 1 is not what the diff says.",
    ),
    "past the end": (
        "--- a/a.py\n+++ b/a.py\n@@ -50 +50 @@\n-x\n+a1 = 1\n",
        "The diff is of another version of 'a.py': its line 50 is not what the diff says.",
    ),
    "cut off": ("--- a/a.py\n+++ b/a.py\n@@ -1,3 +1,3 @@\n a1 = 1\n", "Can't read the diff at: @@ -1,3 +1,3 @@"),
    "numbers that lie": ("--- a/a.py\n+++ b/a.py\n@@ -1 +99999999999 @@\n", "Can't read the diff at: @@ -1 +99999999999 @@"),
    "another folder": (
        "--- a/a.py\n+++ b/../../secret.py\n@@ -1 +1 @@\n-x\n+y\n",
        "The diff names '../../secret.py', which is not in this working tree.",
    ),
    "absolute": ("--- /etc/a.py\n+++ /etc/passwd\n@@ -1 +1 @@\n-x\n+y\n", "The diff names '/etc/passwd', which is not in this working tree."),
    "no such file": ("--- a/no.py\n+++ b/no.py\n@@ -1 +1 @@\n-x\n+y\n", "The diff names 'no.py', which is not in this working tree."),
    "a merge": (
        "diff --cc a.py\n--- a/a.py\n+++ b/a.py\n@@@ -1,1 -1,1 +1,1 @@@\n  a1 = 1\n",
        "The diff is one of a merge with all of its parents: make it with 'git diff BASE...HEAD'.",
    ),
    "no diff": ("all is well\n", "This is no unified diff: make one with 'git diff BASE...HEAD'."),
    "UTF-16": ("\ufeff--- a/a.py\n", "The diff is in UTF-16: write it with 'git diff --output=FILE', which leaves the encoding alone."),
}


@pytest.mark.parametrize("name", BAD_DIFFS)
def test_bad_diff_files(repo: Repository, name: str) -> None:
    """A bad diff file is never a pass by accident."""
    text, message = BAD_DIFFS[name]
    repo.write("bad.diff", text.encode("utf-16-le" if name == "UTF-16" else "utf-8"))
    repo.measure({"a.py": [1]})
    assert complaint(repo, "--diff-file=bad.diff") == f"bad.diff: {message}"


def test_diff_file_that_is_not_there(repo: Repository) -> None:
    """A missing diff file is an error, and so are options that would mean nothing with one."""
    assert complaint(repo, "--diff-file=none.diff") == "Can't read the diff 'none.diff': No such file or directory"
    repo.write("empty.diff", "")
    repo.measure({"a.py": [1]})
    assert "No lines with coverage information in this diff.\n" in repo.diff_as_typed("--diff-file=empty.diff").out
    assert "it can't be used with --ignore-staged" in repo.diff_as_typed("--diff-file=empty.diff", "--ignore-staged").err


# Several inputs.


def table_rows(page: str) -> list[list[str]]:
    """The texts of the first table's cells."""
    rows = re.findall(r"<tr.*?</tr>", page[: page.index("</table>")], re.DOTALL)
    return [[re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<t[hd].*?</t[hd]>", row, re.DOTALL)] for row in rows]


def test_inputs_of_several_jobs(repo: Repository) -> None:
    """A line is covered when one of them ran it; each keeps its own lines."""
    repo.write("a.py", edited(TEN, {2: "b2 = 2\n", 4: "b4 = 4\n", 6: "b6 = 6\n"}))
    repo.commit()
    repo.measure({"a.py": [1, 2]}, "cpu.data")
    repo.measure({"a.py": [1, 4]}, "gpu.data")
    report = repo.diff("--input=cpu=cpu.data", "--input", "cuda=gpu.data")
    assert report.rows["a.py"].missing_lines == "6"
    assert "cpu:  33.3%, 1 of 3 lines\ncuda: 33.3%, 1 of 3 lines\n" in report.out
    repo.write("b.py", "x = 1\ny = 2\n")
    repo.measure({"a.py": [1, 2], "b.py": [1]}, "cpu.data")
    page = repo.diff("--input=cpu=cpu.data", "--input", "cuda=gpu.data", "--format=html:-", "--include-untracked").out
    cells = {row[0]: row[3:5] for row in table_rows(page)}
    assert cells == {"File": ["cpu", "cuda"], "a.py": ["33.3%", "33.3%"], "b.py": ["50%", "–"], "Total": ["40%", "20%"]}


def test_files_as_arguments(repo: Repository) -> None:
    """diff-cover's way: reports first, options after; .coverage is left alone then."""
    repo.write("a.py", edited(TEN, {2: "b2 = 2\n", 4: "b4 = 4\n"}))
    repo.commit()
    repo.measure({"a.py": range(1, 11)})
    repo.write("out.info", "SF:a.py\nDA:2,1\nDA:4,0\nend_of_record\n")
    report = repo.diff_as_typed("out.info", "--compare-branch", "main", "--fail-under=80")
    assert report.code == 2
    assert report.rows["a.py"].missing_lines == "4"
    assert complaint(repo, "nothing.xml", "--compare-branch=main") == "Couldn't read 'nothing.xml': No such file or directory"

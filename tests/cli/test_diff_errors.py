"""`qd-cov diff` on bad input: one clear line and exit code 1."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from diff_repository import TEN, Repository, edited


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
    assert text == "Not a git repository: run qd-cov in the checkout whose changes it shall report on."


def test_repository_without_commits(tmp_path: Path) -> None:
    """A new one."""
    new = Repository(tmp_path / "new")
    assert complaint(new) == "This repository has no commits yet: there is nothing to compare with."


def test_bare_repository(repo: Repository) -> None:
    """A bare repository has no files that could have been measured."""
    repo.git("clone", "-q", "--bare", ".", "../bare.git")
    assert complaint(repo, cwd="../bare.git").startswith("This git repository has no working tree")


def test_unknown_branch(repo: Repository) -> None:
    """The error names the missing name, and those that there are."""
    assert complaint(repo, "--compare-branch", "nope") == "Unknown branch 'nope': git has no branch, tag or commit of that name."
    repo.git("update-ref", "refs/remotes/origin/dev", "main")
    assert complaint(repo, "--compare-branch", "dev").endswith("; there is origin/dev.")
    assert complaint(repo, "--compare-branch", "origin/x").endswith("; to get it: git fetch origin x:refs/remotes/origin/x.")
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
    assert text == "No merge base of 'origin/main' and HEAD in this shallow clone; to get the history: git fetch --unshallow, or use --deepen"
    repo.git("-C", "../shallow", "fetch", "-q", "--unshallow")
    assert complaint(repo, cwd="../shallow").startswith("No data to report")


def test_no_common_history(repo: Repository) -> None:
    """Missing common history is not a matter of depth."""
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
    """coverage.py's message, with a remedy."""
    assert complaint(repo) == "No data to report: there is no '.coverage'; run the tests under 'qd-cov run' first."


def test_data_file_in_a_folder_that_is_not_there(repo: Repository) -> None:
    """The error names the requested file."""
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
    assert complaint(repo) == f"No source for code: '{repo.folder}/b.py'; see https://coverage.readthedocs.io/en/latest/messages.html#error-no-source"


def test_the_index_of_another_repository(repo: Repository) -> None:
    """A hook's variable would make each file of the change a deleted one, and so would an index of few files."""
    repo.write("a.py", edited(TEN, {3: "b3 = 3\n"}))
    for name in ("b.py", "c.py"):
        repo.write(name, "x = 1\n")
    repo.commit()
    repo.measure({"a.py": [1]})
    other = Repository(repo.folder.parent / "other")
    other.write("o.py", "x = 1\n")
    other.commit()
    lacks = "git's index lacks {} files of HEAD that are here, and has 1: "
    text = complaint(repo, "--fail-under=100", GIT_INDEX_FILE=str(other.folder / ".git/index"))
    assert text == lacks.format(4) + "GIT_INDEX_FILE names that of another repository, or a part."
    assert repo.diff("--fail-under=100", GIT_INDEX_FILE=str(repo.folder / ".git/index")).code == 2
    shutil.copy(repo.folder / ".git/index", repo.folder.parent / "index")
    repo.git("read-tree", "--empty")
    repo.git("add", "c.py")
    assert complaint(repo, "--fail-under=100") == lacks.format(3) + "'git reset' reads them into the index."
    shutil.copy(repo.folder.parent / "index", repo.folder / ".git/index")
    repo.git("rm", "-q", "--cached", "c.py")
    assert repo.diff("--fail-under=100").code == 2


@pytest.mark.parametrize("below", [".", "sub"])
def test_relative_paths_in_the_environment(repo: Repository, below: str) -> None:
    """Paths in variables of git begin in the current folder, also in a list of them."""
    repo.write("a.py", edited(TEN, {3: "b3 = 3\n"}))
    repo.write("sub/gitconfig", "[safe]\n\tdirectory = *\n")
    repo.commit()
    repo.measure({"a.py": [1]})
    shutil.move(repo.folder / ".git/objects", repo.folder.parent / "elsewhere")
    (repo.folder / ".git/objects").mkdir()
    up = "../" if below == "." else "../../"
    variables = {"GIT_ALTERNATE_OBJECT_DIRECTORIES": f"none:{up}elsewhere", "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"}
    config = "sub/gitconfig" if below == "." else "gitconfig"
    report = repo.diff("--fail-under=100", f"--data-file={repo.folder}/.coverage", cwd=below, GIT_CONFIG_GLOBAL=config, **variables)
    assert (report.code, report.rows["a.py"].missing_lines) == (2, "3"), report


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
    assert complaint(repo, "--format", "html:a.py/x.html").startswith("Couldn't write 'a.py/x.html'")
    assert complaint(repo, "--format", "html:.").startswith("Couldn't write '.'")


def test_source_that_does_not_parse(repo: Repository) -> None:
    """A measured file that is no Python any more is an error; one without data is not measured, and why."""
    repo.write("a.py", edited(TEN, {4: "x = = 1\n"}))
    repo.measure({"a.py": [1]})
    assert complaint(repo).startswith("Couldn't parse 'a.py' as Python source: ")
    repo.measure({"b.py": [1]})
    assert "Couldn't parse 'a.py' as Python source: " in repo.diff().rows["a.py"].missing_lines


def break_blob(repo: Repository) -> None:
    """A damaged base: one of its objects has other bytes."""
    blob = repo.git("rev-parse", "main:a.py").strip()
    file = repo.folder / ".git/objects" / blob[:2] / blob[2:]
    file.chmod(0o644)
    file.write_bytes(b"x")


def lose_tree(repo: Repository) -> None:
    """An object of the base that is gone."""
    tree = repo.git("rev-parse", "main^{tree}").strip()
    (repo.folder / ".git/objects" / tree[:2] / tree[2:]).unlink()


DAMAGE: dict[str, tuple[Callable[[Repository], object], str]] = {
    "HEAD is no reference": (lambda repo: repo.write(".git/HEAD", "garbage\n"), "Not a git repository: "),
    "no objects": (lambda repo: shutil.rmtree(repo.folder / ".git/objects"), "Not a git repository: "),
    "a damaged object": (break_blob, "git can't compare the working tree: "),
    "a lost object": (lose_tree, "git can't compare the working tree: bad tree object "),
    "a damaged index": (lambda repo: repo.write(".git/index", b"\x01" * 20), "git can't compare the working tree: .git/index: "),
    "a lost index": (lambda repo: (repo.folder / ".git/index").unlink(), "git's index is empty, and HEAD has files: "),
    "a damaged configuration": (lambda repo: repo.write(".git/config", "[core"), "git can't open the repository: bad config line "),
    "a link to nowhere": (lambda repo: (repo.folder / ".git").rename(repo.folder / "git") and repo.write(".git", "gitdir: /nowhere\n"), "Not a git"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_damaged_repository(repo: Repository, damage: str) -> None:
    """One line that names the error, and no pass."""
    repo.write("a.py", edited(TEN, {5: "b5 = 5\n"}))
    repo.commit()
    repo.measure({"a.py": range(1, 11)})
    assert repo.diff("--fail-under=100").code == 0
    break_it, expected = DAMAGE[damage]
    break_it(repo)
    assert complaint(repo, "--fail-under=100").startswith(expected)

"""Revisions of --compare-branch and --base-sha: a name that means several commits is refused, while git itself only warns of it."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest
from diff_repository import TEN, Repository, edited


def commit_of(repo: Repository, name: str) -> str:
    return repo.git("rev-parse", "--verify", "--quiet", name).strip()


def git_warns(repo: Repository, name: str) -> bool:
    """The oracle."""
    done = subprocess.run(
        ["git", "rev-parse", "--verify", f"{name}^{{commit}}"], cwd=repo.folder, env=repo.environment, capture_output=True, text=True
    )
    return f"refname '{name}' is ambiguous" in done.stderr


@pytest.fixture
def change(repo: Repository) -> Repository:
    """Two commits on the branch work; the data says that none of their two lines ran. A reference that stands at HEAD hides them."""
    repo.write("a.py", edited(TEN, {5: "b5 = 5\n"}))
    repo.commit()
    repo.write("a.py", edited(TEN, {5: "b5 = 5\n", 7: "b7 = 7\n"}))
    repo.commit()
    repo.measure({"a.py": []})
    return repo


def set_reference(reference: str, at: str = "HEAD") -> Callable[[Repository], None]:
    return lambda repo: repo.git("update-ref", reference, at) and None


def beside_a_remote(*references: str) -> Callable[[Repository], None]:
    """origin/main is where main is, and other references are at HEAD."""

    def build(repo: Repository) -> None:
        repo.git("update-ref", "refs/remotes/origin/main", "refs/heads/main")
        for reference in references:
            repo.git("update-ref", reference, "HEAD")

    return build


def annotated_tag(repo: Repository) -> None:
    repo.git("tag", "-a", "-m", "tag", "main")


def tag_alone_beside_a_remote(repo: Repository) -> None:
    """The checkout of CI: no branch main, but that of the remote, and all tags."""
    beside_a_remote("refs/tags/main")(repo)
    repo.git("branch", "-D", "main")


AMBIGUOUS = {
    "tag": ("main", set_reference("refs/tags/main")),
    "annotated tag": ("main", annotated_tag),
    "branch of a remote called so": ("main", set_reference("refs/remotes/main")),
    "head of a remote called so": ("main", set_reference("refs/remotes/main/HEAD")),
    "reference of another kind": ("main", set_reference("refs/main")),
    "local branch with the name of one of a remote": ("origin/main", beside_a_remote("refs/heads/origin/main")),
    "tag with the name of a branch of a remote": ("origin/main", beside_a_remote("refs/tags/origin/main")),
    "branch HEAD": ("HEAD", set_reference("refs/heads/HEAD", "main")),
    "tag HEAD": ("HEAD", set_reference("refs/tags/HEAD", "main")),
    "expression": ("main~0", set_reference("refs/tags/main")),
    "expression of a branch of a remote": ("origin/main^{commit}", beside_a_remote("refs/heads/origin/main")),
    "tag alone": ("main", tag_alone_beside_a_remote),
}


@pytest.mark.parametrize("option", ["--compare-branch", "--base-sha"])
@pytest.mark.parametrize("case", AMBIGUOUS)
def test_a_name_of_several_commits_is_refused(change: Repository, case: str, option: str) -> None:
    name, build = AMBIGUOUS[case]
    build(change)
    base = name.split("~")[0].split("^")[0]
    assert case == "tag alone" or git_warns(change, base)
    report = change.diff_as_typed(option, name, "--fail-under=90")
    assert report.code == 1
    assert report.out.startswith(f"The name '{base}' is ambiguous: it may be ")
    # Every one of the names that the error offers means one commit.
    offered = [word for word in report.out.replace("(", " ").split() if word.startswith("refs/")]
    assert len(set(offered)) == (1 if "HEAD" in case else 2)
    codes = [change.diff_as_typed(option, one, "--fail-under=90").code for one in offered]
    assert 2 in codes
    assert set(codes) <= {0, 2}


def test_names_in_full(change: Repository) -> None:
    """Full names of revisions are taken literally, and are shown as short as that can be."""
    change.git("tag", "main")
    beside_a_remote("refs/heads/origin/main", "refs/heads/refs/heads/main", "refs/tags/refs/remotes/origin/main")(change)
    change.git("update-ref", "refs/remotes/up/dev", "refs/heads/main")
    for name, shown, missing in (
        ("refs/heads/main", "heads/main", 2),
        ("refs/tags/main", "tags/main", 0),
        ("heads/main", "heads/main", 2),
        ("refs/remotes/origin/main", "remotes/origin/main", 2),
        ("refs/remotes/up/dev", "up/dev", 2),
        ("refs/heads/main~0", "heads/main~0", 2),
    ):
        report = change.diff_as_typed("--compare-branch", name)
        assert (report.code, report.total()[1]) == (0, missing), report.out
        assert f"Diff: {shown}...HEAD" in report.out
    # A branch may be called refs/heads/dev: that is not the branch dev.
    change.git("update-ref", "refs/heads/refs/heads/dev", "HEAD")
    assert change.diff_as_typed("--compare-branch", "refs/heads/dev").out.startswith("Unknown branch 'refs/heads/dev'")


def test_the_default_is_a_branch(change: Repository) -> None:
    """Neither a tag nor a local branch takes the place of origin/main, or of main."""
    change.git("tag", "main")
    change.git("tag", "origin/main")
    report = change.diff_as_typed("--fail-under=90")
    assert (report.code, report.total()) == (2, (2, 2))
    beside_a_remote("refs/heads/origin/main")(change)
    report = change.diff_as_typed("--fail-under=90")
    assert (report.code, report.total()) == (2, (2, 2))


def test_the_same_commit_by_several_names(change: Repository) -> None:
    """Nothing is in doubt."""
    for reference in ("refs/tags/main", "refs/remotes/origin/main", "refs/heads/origin/main"):
        change.git("update-ref", reference, "main")
    for name in ("main", "origin/main", "main~0"):
        assert git_warns(change, name.removesuffix("~0"))
        assert change.diff_as_typed("--compare-branch", name).total() == (2, 2)


def test_a_tag_says_that_it_is_one(change: Repository) -> None:
    change.git("tag", "v1", "main")
    report = change.diff_as_typed("--compare-branch", "v1")
    assert "Diff: tags/v1...HEAD" in report.out
    assert report.total() == (2, 2)


def test_names_like_ids(change: Repository) -> None:
    """git takes a whole id for the commit, and a reference before the beginning of an id."""
    whole = commit_of(change, "HEAD~1")
    for name in (whole[:4], whole[:7], whole[:12], f"v1-3-g{whole[:8]}"):
        assert change.diff_as_typed("--base-sha", name).total() == (1, 1)
        for kind in ("heads", "tags"):
            change.git("update-ref", f"refs/{kind}/{name}", "HEAD")
            for option in ("--base-sha", "--compare-branch"):
                report = change.diff_as_typed(option, name, "--fail-under=90")
                assert (report.code, f"The name '{name}' is ambiguous: it may be refs/{kind}/{name}" in report.out) == (1, True), report.out
                assert f"commit {whole}" in report.out
            change.git("update-ref", "-d", f"refs/{kind}/{name}")
    change.git("update-ref", f"refs/tags/{whole}", "HEAD")
    change.git("update-ref", f"refs/heads/{whole}", "HEAD")
    for option in ("--base-sha", "--compare-branch"):
        assert change.diff_as_typed(option, whole).total() == (1, 1)
    unknown = "0123456789" * 4
    change.git("update-ref", f"refs/tags/{unknown}", "HEAD")
    assert change.diff_as_typed("--base-sha", unknown).out.startswith(f"Unknown commit '{unknown}'")
    # A name of digits that begins no id is a name.
    change.git("tag", "20240101", "HEAD~1")
    assert change.diff_as_typed("--base-sha", "20240101").total() == (1, 1)


def test_a_name_like_an_id_in_a_shallow_clone(change: Repository) -> None:
    """The commit may be one that the clone lacks."""
    lacking = commit_of(change, "main")[:9]
    change.git("tag", lacking)
    change.git("clone", "-q", "--depth=1", f"file://{change.folder}", "../clone")
    report = change.diff_as_typed("--base-sha", lacking, "--fail-under=90", cwd="../clone")
    assert report.code == 1
    assert report.out.startswith(
        f"The name '{lacking}' is ambiguous: refs/tags/{lacking} has it, and the id of a commit that this shallow clone lacks"
    )


def test_where_else_a_name_is_given(change: Repository) -> None:
    """Names in configurations, and for `qd-cov check`."""
    change.git("tag", "main")
    words = "The name 'main' is ambiguous: it may be refs/heads/main"
    change.write("qd-cov.toml", '[diff]\ncompare_branch = "main"\n')
    assert change.diff_as_typed("--fail-under=90").out.startswith(words)
    change.write("qd-cov.toml", "")
    change.write("cover.toml", '[tool.diff_cover]\ncompare_branch = "main"\n')
    assert change.diff_as_typed("-c", "cover.toml", "--fail-under=90").out.startswith(words)
    command = ["qd-cov", "check", "untested-changes", "--compare-branch=main"]
    done = subprocess.run(command, cwd=change.folder, env=change.environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout.startswith(words)) == (1, True)


def test_deepening_by_id_and_by_tag(change: Repository) -> None:
    """The history between HEAD and a commit, or a tag, that a shallow clone lacks."""
    base = commit_of(change, "main")
    change.git("tag", "v1", "main")
    for name in (base, "refs/tags/v1"):
        change.git("clone", "-q", "--depth=1", "--no-tags", f"file://{change.folder}", f"../{name[-4:]}")
        text = change.diff_as_typed("--compare-branch", name, cwd=f"../{name[-4:]}").out
        assert text.startswith(f"Unknown branch '{name}'")
        assert (f"; to get it: git fetch --depth=1 origin {base}" in text) == (name == base)
        report = change.diff_as_typed("--compare-branch", name, "--deepen", f"--data-file={change.folder}/.coverage", cwd=f"../{name[-4:]}")
        assert report.rows["a.py"].lines == 2, report.out

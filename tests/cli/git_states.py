"""Situations of git by the state of the index and the working tree, and by the environment."""

from __future__ import annotations

import os
import subprocess

from diff_repository import Repository
from git_changes import from_a_folder, submodule_moved_on
from git_configuration import configured
from git_situations import OLD, base_has, on_main, situation, situations, with_line

# Files that git is told to ignore changes of.


@situation(note="Changes in 'a.py' count, although git is told to ignore it (assume-unchanged or skip-worktree).")
def assume_unchanged(repo: Repository) -> None:
    repo.git("update-index", "--assume-unchanged", "a.py")
    repo.write("a.py", with_line(3))


@situation(note="Changes in 'a.py' count, although git is told to ignore it")
def skip_worktree(repo: Repository) -> None:
    repo.git("update-index", "--skip-worktree", "a.py")
    repo.write("a.py", with_line(3))


@situation(note="Changes in 'a.py' count, although git is told to ignore it")
def assume_unchanged_below_edits(repo: Repository) -> None:
    repo.write("a.py", with_line(9))
    repo.commit()
    repo.git("update-index", "--assume-unchanged", "a.py")
    repo.write("a.py", "new0 = 0\nnew00 = 0\n" + with_line(9))


@situation("--ignore-unstaged", note="Changes in 'a.py' count, although git is told to ignore it")
def assume_unchanged_and_not_staged(repo: Repository) -> None:
    repo.write("a.py", with_line(9))
    repo.commit()
    repo.git("update-index", "--assume-unchanged", "a.py")
    repo.write("a.py", "old0 = 0\n" + with_line(9))


@situation(note="Changes in 'a.py' and 'b.py' count, although git is told to ignore them")
def ignore_stat(repo: Repository) -> None:
    repo.git("config", "core.ignoreStat", "true")
    edited = with_line(1, "old = 1\n")
    repo.write("a.py", edited)  # only files that git adds now are ignored
    repo.write("b.py", OLD)
    repo.commit()
    repo.git("branch", "-f", "main", "work")
    repo.write("a.py", with_line(3, source=edited))
    repo.write("b.py", with_line(4))


@situation()
def monitor_that_lies(repo: Repository) -> None:
    repo.write(".git/monitor", "#!/bin/sh\nprintf 'token\\0'\n")
    (repo.folder / ".git/monitor").chmod(0o755)
    repo.git("config", "core.fsmonitor", str(repo.folder / ".git/monitor"))
    repo.git("update-index", "--fsmonitor")
    repo.git("status")
    repo.write("a.py", with_line(3))


@situation(note="git replaces an object of this repository")
def replaced_base(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.commit()
    tree = repo.git("rev-parse", "work^{tree}").strip()
    other = repo.git("commit-tree", "-m", "base", tree).strip()
    repo.git("replace", "main", other)


@situation(note="git replaces an object of this repository")
def replaced_blob(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.commit()
    repo.git("replace", repo.git("rev-parse", "main:a.py").strip(), repo.git("rev-parse", "work:a.py").strip())


@situation(note="This repository has grafts")
def grafts(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.commit()
    middle = repo.git("rev-parse", "work").strip()
    repo.write("a.py", with_line(4, "new4 = 4\n", source=with_line(3)))
    repo.commit()
    on_main(repo, "b.py", OLD)
    repo.write(".git/info/grafts", f"{repo.git('rev-parse', 'main').strip()} {middle}\n")


@situation()
def split_index(repo: Repository) -> None:
    repo.git("update-index", "--split-index")
    repo.write("a.py", with_line(3))
    repo.git("add", "a.py")


@situation(note="Changes in 'a.py' count, although git is told to ignore it")
def split_index_with_a_flag(repo: Repository) -> None:
    repo.git("update-index", "--split-index")
    repo.git("update-index", "--assume-unchanged", "a.py")
    repo.write("a.py", with_line(3))


@situation()
def index_of_version_4(repo: Repository) -> None:
    repo.git("update-index", "--index-version", "4")
    repo.git("update-index", "--untracked-cache")
    repo.write("a.py", with_line(3))


@situation()
def intent_to_add(repo: Repository) -> None:
    repo.write("b.py", "new = 1\n")
    repo.git("add", "-N", "b.py")


@situation()
def sparse_checkout(repo: Repository) -> None:
    base_has(repo, {"in/b.py": OLD, "out/c.py": OLD})
    repo.git("sparse-checkout", "set", "in")
    repo.write("in/b.py", with_line(3))
    repo.commit()


@situation()
def conflict_that_is_still_there(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.write("b.py", "new = 2\n")
    repo.commit()
    on_main(repo, "b.py", "theirs = 1\n")
    repo.git("merge", "main", check=False)
    repo.write("b.py", "new = 3\nnew = 4\n")


# The environment.


@situation(cwd="pkg", GIT_DIR="@/.git")
def git_dir_in_a_folder(repo: Repository) -> None:
    from_a_folder(repo)


@situation(cwd="pkg", GIT_DIR="../.git")
def relative_git_dir_in_a_folder(repo: Repository) -> None:
    from_a_folder(repo)


@situation(GIT_DIR=".git", GIT_INDEX_FILE=".git/index", GIT_PREFIX="")
def in_a_hook(repo: Repository) -> None:
    repo.write("pkg/b.py", "new = 1\n")
    repo.git("add", "-A")


@situation(cwd="pkg", GIT_DIR="../.git", GIT_WORK_TREE="..")
def git_dir_and_work_tree(repo: Repository) -> None:
    from_a_folder(repo)


@situation(cwd="pkg", GIT_CEILING_DIRECTORIES="@", GIT_DIR="@/.git")
def ceiling_and_git_dir(repo: Repository) -> None:
    from_a_folder(repo)


@situation(note="GIT_DIR is set and GIT_WORK_TREE is not", GIT_DIR="@/../elsewhere.git")
def repository_elsewhere(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.commit()
    repo.git("config", "core.bare", "false")
    os.rename(repo.folder / ".git", repo.folder.parent / "elsewhere.git")


@situation(GIT_INDEX_FILE="@/.git/other")
def another_index(repo: Repository) -> None:
    repo.write("b.py", "new = 1\n")
    repo.git("add", "b.py")
    os.rename(repo.folder / ".git/index", repo.folder / ".git/other")


@situation(GIT_EXTERNAL_DIFF="true", GIT_DIFF_OPTS="--unified=9", GIT_LITERAL_PATHSPECS="1", GIT_ICASE_PATHSPECS="1")
def variables_of_diff(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.commit()


@situation(GIT_CONFIG_COUNT="2", GIT_CONFIG_KEY_0="diff.noprefix", GIT_CONFIG_VALUE_0="true", GIT_CONFIG_KEY_1="diff.context", GIT_CONFIG_VALUE_1="5")
def configuration_of_the_environment(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.commit()


@situation(cwd="sub")
def in_a_submodule(repo: Repository) -> None:
    other = Repository(repo.folder.parent / "other")
    other.write("o.py", "old = 1\n")
    other.commit()
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.folder), "sub")
    repo.commit()
    repo.write("sub/o.py", "old = 1\nnew = 2\n")


# Settings again.


situations(
    configured,
    {
        "config copies": (("diff.renames", "copies"),),
        "config algorithm": (("diff.algorithm", "patience"), ("diff.indentHeuristic", "false")),
        "config check stat": (("core.checkStat", "minimal"), ("core.trustctime", "false"), ("core.fileMode", "false")),
        "config suppressed blanks": (("diff.suppressBlankEmpty", "true"), ("core.quotePath", "true"), ("diff.wsErrorHighlight", "all")),
    },
)


@situation(note="1 changed submodule ('sub')")
def config_ignored_submodules(repo: Repository) -> None:
    repo.git("config", "diff.ignoreSubmodules", "all")
    submodule_moved_on(repo)


@situation(note="1 changed submodule ('sub')")
def edited_submodule(repo: Repository) -> None:
    submodule_moved_on(repo)
    repo.git("branch", "-f", "main", "work~1")
    repo.write("sub/o.py", "edited = 1\n")


@situation(note="2 untracked files ('b.py' and 'notes/x.ipynb')")
def untracked_sources(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.commit()
    repo.write("b.py", "other = 1\n")
    repo.write("notes/x.ipynb", "{}\n")
    repo.write("notes/x.txt", "words\n")


@situation(note="1 changed notebook ('x.ipynb')")
def notebook(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.write("x.ipynb", "{}\n")
    repo.commit()


@situation(note="1 untracked file ('b.py')")
def taken_out_of_the_index(repo: Repository) -> None:
    base_has(repo, {"b.py": OLD})
    repo.git("rm", "-q", "--cached", "b.py")
    repo.write("b.py", with_line(3, "other = 1\n"))


@situation()
def tracked_and_ignored(repo: Repository) -> None:
    base_has(repo, {".gitignore": "a.py\n"})
    repo.write("a.py", with_line(3))


@situation()
def file_that_became_a_folder(repo: Repository) -> None:
    base_has(repo, {"b.py": OLD})
    (repo.folder / "b.py").unlink()
    repo.write("b.py/c.py", "new = 1\n")
    repo.commit()


@situation()
def folder_that_is_a_link(repo: Repository) -> None:
    base_has(repo, {"real/b.py": OLD})
    (repo.folder / "link").symlink_to("real")
    repo.write("real/b.py", with_line(3))
    repo.commit()


@situation()
def names_that_differ_by_case(repo: Repository) -> None:
    repo.git("config", "core.ignoreCase", "true")
    repo.write("B.py", "new = 1\n")
    repo.write("b.py", "new = 1\nnew = 2\n")
    repo.git("-c", "core.ignoreCase=false", "add", "-A")


@situation()
def merge_with_a_change_of_its_own(repo: Repository) -> None:
    on_main(repo, "b.py", OLD)
    repo.git("merge", "-q", "--no-commit", "main")
    repo.git("merge", "-q", "--no-ff", "--no-commit", "main", check=False)
    repo.write("a.py", with_line(3))
    repo.commit()


@situation()
def undone_by_a_later_commit(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.commit()
    repo.git("revert", "--no-edit", "HEAD")
    repo.write("a.py", with_line(4))
    repo.commit()


@situation()
def clone_without_blobs(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.commit()
    folder = repo.folder
    repo.git("config", "uploadpack.allowFilter", "true")
    os.rename(folder, folder.parent / "whole")
    whole = f"file://{folder.parent}/whole"
    subprocess.run(["git", "clone", "-q", "--filter=blob:none", whole, str(folder)], env=repo.environment, check=True, capture_output=True)
    repo.git("checkout", "-q", "work")
    repo.git("branch", "-q", "main", "origin/main")

"""Situations of git repositories, each built from nothing: kind of change, and state of the working tree.

A line of source that is part of the change has "new" in it, one that is not has "old":
the expected answer of a tool is in the files themselves."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from diff_repository import Repository

OLD = "".join(f"old{i} = {i}\n" for i in range(1, 13))


@dataclass
class Situation:
    """A change: `build` makes it; `options` are those of the tool, `cwd` is its current folder, `note` is part of a note in the report, and
    `environment` is the tool's ("@" stands for the repository)."""

    name: str
    build: Callable[[Repository], None]
    options: tuple[str, ...] = ()
    cwd: str = "."
    note: str = ""
    environment: dict[str, str] = field(default_factory=dict)


SITUATIONS: list[Situation] = []


def situation(
    *options: str, cwd: str = ".", note: str = "", **environment: str
) -> Callable[[Callable[[Repository], None]], Callable[[Repository], None]]:
    """Adds a situation; its name is that of the function."""

    def add(build: Callable[[Repository], None]) -> Callable[[Repository], None]:
        SITUATIONS.append(Situation(build.__name__.replace("_", " "), build, options, cwd, note, environment))
        return build

    return add


def situations(build: Callable[..., None], rows: dict[str, tuple[Any, ...]]) -> None:
    """Adds situations that differ in arguments: their names, and what `build` has behind the repository."""
    SITUATIONS.extend(Situation(name, lambda repo, more=more: build(repo, *more)) for name, more in rows.items())


def with_line(at: int, text: str = "new = 1\n", *, instead: bool = True, source: str = OLD) -> str:
    """The source with a line in place of, or before, line `at`."""
    lines = source.splitlines(keepends=True)
    lines[at - 1 : at if instead else at - 1] = [text]
    return "".join(lines)


def base_has(repo: Repository, files: dict[str, str | bytes]) -> None:
    """More files in the base."""
    repo.git("checkout", "-q", "main")
    for path, text in files.items():
        repo.write(path, text)
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")


def on_main(repo: Repository, path: str, text: str) -> None:
    """Main goes on."""
    repo.git("checkout", "-q", "main")
    repo.write(path, text)
    repo.commit()
    repo.git("checkout", "-q", "work")


# Kinds of change.


@situation()
def committed(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.commit()


@situation()
def staged(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.git("add", "a.py")


@situation()
def unstaged(repo: Repository) -> None:
    repo.write("a.py", with_line(3))


@situation()
def committed_and_unstaged_above_it(repo: Repository) -> None:
    repo.write("a.py", with_line(9))
    repo.commit()
    repo.write("a.py", "new0 = 0\nnew00 = 0\n" + with_line(9))


@situation()
def committed_staged_and_unstaged(repo: Repository) -> None:
    repo.write("a.py", with_line(9))
    repo.commit()
    repo.write("a.py", "new0 = 0\n" + with_line(9))
    repo.git("add", "a.py")
    repo.write("a.py", "new00 = 0\n\nnew0 = 0\n" + with_line(9))


@situation()
def staged_and_taken_back(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.git("add", "a.py")
    repo.write("a.py", OLD)


@situation()
def committed_and_taken_back(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.commit()
    repo.write("a.py", OLD)
    repo.write("b.py", "new = 1\n")
    repo.commit()


@situation()
def new_file(repo: Repository) -> None:
    repo.write("pkg/b.py", "new1 = 1\nnew2 = 2\n")
    repo.commit()


@situation()
def deleted_file(repo: Repository) -> None:
    repo.git("rm", "-q", "a.py")
    repo.write("b.py", "new = 1\n")
    repo.commit()


@situation()
def lines_removed_alone(repo: Repository) -> None:
    repo.write("a.py", with_line(3, ""))
    repo.commit()


@situation()
def renamed(repo: Repository) -> None:
    repo.git("mv", "a.py", "moved.py")
    repo.commit()


@situation()
def renamed_and_edited(repo: Repository) -> None:
    repo.git("mv", "a.py", "moved.py")
    repo.write("moved.py", with_line(5))
    repo.commit()


@situation()
def renamed_in_the_index(repo: Repository) -> None:
    repo.git("mv", "a.py", "moved.py")
    repo.write("moved.py", with_line(5))


@situation()
def renamed_from_no_code(repo: Repository) -> None:
    base_has(repo, {"b.py.in": "new1 = 1\nnew2 = 2\n", "c.txt": "new3 = 3\n", "d.pyw": OLD})
    repo.git("mv", "b.py.in", "b.py")
    repo.git("mv", "c.txt", "c.cc")
    repo.git("mv", "d.pyw", "d.py")
    repo.commit()


@situation()
def mode_changed(repo: Repository) -> None:
    (repo.folder / "a.py").chmod(0o755)
    repo.write("b.py", "new = 1\n")
    repo.commit()


@situation()
def file_that_became_a_link(repo: Repository) -> None:
    base_has(repo, {"b.py": OLD})
    (repo.folder / "b.py").unlink()
    (repo.folder / "b.py").symlink_to("a.py")
    repo.write("c.py", "new = 1\n")
    repo.commit()


@situation("--include-untracked")
def untracked_on_request(repo: Repository) -> None:
    repo.write("b.py", "new = 1\n")


@situation("--include-untracked")
def untracked_beside_a_name_of_other_case(repo: Repository) -> None:
    repo.git("config", "core.ignoreCase", "true")
    repo.write("A.py", "new = 1\n")


@situation(note="1 changed submodule ('sub')")
def submodule_moved_on(repo: Repository) -> None:
    other = Repository(repo.folder.parent / "other")
    other.write("o.py", "old = 1\n")
    other.commit()
    repo.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other.folder), "sub")
    repo.commit()
    repo.git("branch", "-f", "main", "work")
    other.write("o.py", "old = 2\n")
    other.commit()
    repo.git("-C", "sub", "pull", "-q")
    repo.write("a.py", with_line(3))
    repo.commit()


@situation()
def binary_file(repo: Repository) -> None:
    repo.write("b.py", bytes(range(256)))
    repo.write("a.py", with_line(3))
    repo.commit()


# Line ends, and the contents of lines.


def edited(repo: Repository, base: str, text: str) -> None:
    base_has(repo, {"b.py": base.encode()})
    repo.write("b.py", text.encode())
    repo.commit()


situations(
    edited,
    {
        "no line end before": ("old1 = 1\nold2 = 2", "old1 = 1\nold2 = 2\nnew = 3\n"),
        "no line end after": ("old1 = 1\nold2 = 2\nold3 = 3\n", "old1 = 1\nnew = 2\nold3 = 3"),
        "no line end before and after": ("old1 = 1\nold2 = 2", "old1 = 1\nold2 = 2\nnew3 = 3\nnew4 = 4"),
        "lines of windows": (OLD.replace("\n", "\r\n"), with_line(4).replace("\n", "\r\n")),
    },
)


@situation()
def lines_that_look_like_a_diff(repo: Repository) -> None:
    text = 'new1 = """\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n"""\nnew2 = 1\n'
    repo.write("b.py", text)
    repo.commit()


@situation("--ignore-whitespace")
def white_space_alone(repo: Repository) -> None:
    base_has(repo, {"b.py": "if True:\n    old1 = 1\n    old2 = 2\n"})
    repo.write("b.py", "if True:\n        old1 = 1\n        old2 = 2\n        new = 3\n")
    repo.commit()


VALUE = "old = 1\nvalue = [  # new below\n    1,\n    2,\n]\n"
situations(
    edited,
    {
        "edit on a continuation line": (VALUE, VALUE.replace("2", "3")),
        "line taken out of a statement": (VALUE, VALUE.replace("    2,\n", "")),
    },
)


@situation()
def comments_and_blank_lines(repo: Repository) -> None:
    repo.write("a.py", with_line(3, "# a comment\n\n", instead=False))
    repo.commit()


# Names.


def named(repo: Repository, *paths: str) -> None:
    for path in paths:
        repo.write(path, "new = 1\n")
    repo.commit()


situations(
    named,
    {
        "name with blanks": ("my package/my file.py",),
        "name beyond ascii": ("pkg/h\u00e9llo\u4e16.py",),
        "name with quotes": ('we"ird\\name.py',),
        "name with a line end": ("two\nlines.py",),
        "name with a leading dash": ("-rf.py",),
        "name like a prefix": ("a/b/x.py", "b/x.py"),
    },
)


# History.


@situation()
def main_went_on(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.commit()
    on_main(repo, "a.py", with_line(11, "theirs = 1\n"))


@situation()
def main_was_merged(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.commit()
    on_main(repo, "b.py", OLD)
    repo.git("merge", "-q", "-m", "merge", "main")


@situation()
def main_was_merged_and_goes_on(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.commit()
    on_main(repo, "b.py", OLD)
    repo.git("merge", "-q", "-m", "merge", "main")
    on_main(repo, "b.py", with_line(2, "theirs = 1\n"))


@situation()
def merge_that_is_not_finished(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.commit()
    on_main(repo, "a.py", with_line(3, "theirs = 1\n"))
    repo.git("merge", "main", check=False)
    repo.write("a.py", with_line(3, "new_and_theirs = 1\n"))


@situation()
def detached_head(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.commit()
    repo.git("checkout", "-q", "--detach")


@situation(cwd="../second")
def another_worktree(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.commit()
    repo.git("checkout", "-q", "--detach", "main")
    repo.git("worktree", "add", "-q", "../second", "work")


@situation(cwd="pkg")
def from_a_folder(repo: Repository) -> None:
    repo.write("pkg/b.py", "new = 1\n")
    repo.write("a.py", with_line(3))
    repo.commit()


# Configuration and environment.


def configured(repo: Repository, *settings: tuple[str, str]) -> None:
    """A renamed and edited file, in a repository whose owner likes it otherwise."""
    repo.git("mv", "a.py", "moved.py")
    repo.write("moved.py", with_line(5))
    repo.commit()
    for key, value in settings:
        repo.git("config", key, value)


situations(
    configured,
    {
        "config noprefix": (("diff.noprefix", "true"),),
        "config mnemonic prefix": (("diff.mnemonicPrefix", "true"),),
        "config prefixes of ones own": (("diff.srcPrefix", "before/"), ("diff.dstPrefix", "after/")),
        "config no renames": (("diff.renames", "false"),),
        "config external diff": (("diff.external", "true"),),
        "config colors": (("color.ui", "always"), ("color.diff", "always")),
        "config context of hunks": (("diff.context", "9"), ("diff.interHunkContext", "9")),
    },
)


@situation()
def config_order_and_relative(repo: Repository) -> None:
    repo.write(".order", "*.txt\n")
    configured(repo, ("diff.orderFile", ".order"), ("diff.relative", "true"))


@situation()
def textconv(repo: Repository) -> None:
    repo.write(".gitattributes", "*.py diff=shout\n")
    repo.write("a.py", with_line(3))
    repo.commit()
    repo.git("config", "diff.shout.textconv", "tr a-z A-Z <")


@situation()
def attribute_that_hides_the_diff(repo: Repository) -> None:
    repo.write(".gitattributes", "*.py -diff\n")
    repo.write("a.py", with_line(3))
    repo.commit()


@situation()
def shallow_but_deep_enough(repo: Repository) -> None:
    repo.write("a.py", with_line(3))
    repo.commit()
    folder = repo.folder
    os.rename(folder, folder.parent / "whole")
    subprocess.run(
        ["git", "clone", "-q", "--depth=2", "--no-single-branch", f"file://{folder.parent}/whole", str(folder)], env=repo.environment, check=True
    )
    repo.git("checkout", "-q", "work")
    repo.git("branch", "-q", "main", "origin/main")


# Attributes and filters: git compares other text than that of the files.

CC = "".join(f"int old{i} = {i};\n" for i in range(1, 9))
SCRIPT = "#!/usr/bin/env python3\n" + OLD


def hidden(repo: Repository, path: str, base: str, edited: str, attributes: str) -> None:
    """A file of which git shows no lines."""
    base_has(repo, {path: base, ".gitattributes": attributes})
    repo.write(path, edited)
    repo.commit()


NEW_CC = with_line(3, "int new_one = 1;\n", source=CC)
situations(
    hidden,
    {
        "attribute that hides cpp": ("b.cc", CC, NEW_CC, "*.cc -diff\n"),
        "attribute that makes cpp binary": ("b.cc", CC, NEW_CC, "*.cc binary\n"),
        "attribute that hides a script": ("tool", SCRIPT, with_line(4, source=SCRIPT), "tool -diff\n"),
    },
)


@situation()
def attributes_of_the_clone(repo: Repository) -> None:
    repo.write(".git/info/attributes", "*.py binary\n")
    repo.write("a.py", with_line(3))


@situation()
def driver_that_is_binary(repo: Repository) -> None:
    hidden(repo, "b.cc", CC, NEW_CC, "*.cc diff=c\n")
    repo.git("config", "diff.c.binary", "true")


@situation()
def driver_with_a_command(repo: Repository) -> None:
    hidden(repo, "b.cc", CC, NEW_CC, "*.cc diff=c\n")
    repo.git("config", "diff.c.command", "true")


@situation()
def files_too_big_for_a_diff(repo: Repository) -> None:
    hidden(repo, "b.cc", CC, NEW_CC, "")
    repo.git("config", "core.bigFileThreshold", "20")


def filtered(repo: Repository, clean: str, smudge: str, base: str, edited: str) -> None:
    """A file of the working tree (first as it was, then edited) that a filter changes on its way into git."""
    repo.git("config", "filter.f.clean", clean)
    repo.git("config", "filter.f.smudge", smudge)
    base_has(repo, {".gitattributes": "b.py filter=f\n", "b.py": base})
    repo.write("b.py", edited)


DEBUG = "#debug 1\n#debug 2\n#debug 3\n"


@situation()
def filter_that_takes_lines_out(repo: Repository) -> None:
    filtered(repo, "grep -v '^#debug'", "cat", DEBUG + OLD, DEBUG + with_line(5))


@situation()
def filter_that_takes_lines_out_and_a_commit(repo: Repository) -> None:
    filtered(repo, "grep -v '^#debug'", "cat", DEBUG + OLD, DEBUG + with_line(5))
    repo.commit()


@situation("--ignore-staged")
def filter_and_what_is_not_staged(repo: Repository) -> None:
    filtered(repo, "grep -v '^#debug'", "cat", DEBUG + OLD, DEBUG + with_line(5))


IN_THE_MIDDLE = with_line(4, DEBUG, instead=False), with_line(4, DEBUG, instead=False, source=with_line(9))
situations(
    filtered,
    {
        "filter that takes lines out in the middle": ("grep -v '^#debug'", "cat", *IN_THE_MIDDLE),
        "filter that adds lines": ("cat; echo '# end'", "sed '$d'", OLD, with_line(5)),
        "filter that puts lines before": ("printf '# a\\n# b\\n'; cat", "tail -n +3", OLD, with_line(5)),
    },
)


@situation()
def filter_that_changes_each_line(repo: Repository) -> None:
    base, edited = ("".join(f"name_new{i} = {i + plus}\n" for i in (1, 2)) for plus in (0, 5))
    filtered(repo, "sed 's/^/> /'", "sed 's/^> //'", base, edited)


@situation()
def line_ends_that_git_converts(repo: Repository) -> None:
    repo.git("config", "core.autocrlf", "true")
    repo.write("a.py", with_line(4).replace("\n", "\r\n").encode())


@situation()
def line_ends_by_attribute(repo: Repository) -> None:
    base_has(repo, {".gitattributes": "*.py text eol=crlf\n"})
    repo.write("a.py", with_line(4).replace("\n", "\r\n").encode())
    repo.commit()


@situation()
def encoding_of_the_working_tree(repo: Repository) -> None:
    base_has(repo, {".gitattributes": "b.py working-tree-encoding=latin-1\n", "b.py": b"# coding: latin-1\nold = '\xe9'\n"})
    repo.write("b.py", b"# coding: latin-1\nold = '\xe9'\nnew = 1\n")


@situation()
def ident(repo: Repository) -> None:
    base_has(repo, {".gitattributes": "*.py ident\n", "b.py": "# $Id$\n" + OLD})
    (repo.folder / "b.py").unlink()
    repo.git("checkout", "b.py")
    repo.write("b.py", (repo.folder / "b.py").read_text() + "new = 1\n")


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
    repo.write("b.py", OLD)
    repo.commit()
    repo.git("branch", "-f", "main", "work")
    repo.write("a.py", with_line(3))
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

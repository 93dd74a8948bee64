"""Situations of git repositories, each built from nothing: what changed, how, and in which state the working tree is.

A line of source that is part of the change has "new" in it, one that is not has "old":
what a tool should say is in the files themselves."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import dataclass

from diff_repository import Repository

OLD = "".join(f"old{i} = {i}\n" for i in range(1, 13))


@dataclass
class Situation:
    """How it comes about; `options` are those of the tool, `cwd` is where it runs."""

    name: str
    build: Callable[[Repository], None]
    options: tuple[str, ...] = ()
    cwd: str = "."


SITUATIONS: list[Situation] = []


def situation(*options: str, cwd: str = ".") -> Callable[[Callable[[Repository], None]], None]:
    """Adds a situation; its name is that of the function."""

    def add(build: Callable[[Repository], None]) -> None:
        SITUATIONS.append(Situation(build.__name__.replace("_", " "), build, options, cwd))

    return add


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


# What changed.


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


@situation()
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


# How lines end, and what they hold.


@situation()
def no_line_end_before(repo: Repository) -> None:
    base_has(repo, {"b.py": "old1 = 1\nold2 = 2"})
    repo.write("b.py", "old1 = 1\nold2 = 2\nnew = 3\n")
    repo.commit()


@situation()
def no_line_end_after(repo: Repository) -> None:
    base_has(repo, {"b.py": "old1 = 1\nold2 = 2\nold3 = 3\n"})
    repo.write("b.py", "old1 = 1\nnew = 2\nold3 = 3")
    repo.commit()


@situation()
def no_line_end_before_and_after(repo: Repository) -> None:
    base_has(repo, {"b.py": "old1 = 1\nold2 = 2"})
    repo.write("b.py", "old1 = 1\nold2 = 2\nnew3 = 3\nnew4 = 4")
    repo.commit()


@situation()
def lines_of_windows(repo: Repository) -> None:
    base_has(repo, {"b.py": OLD.replace("\n", "\r\n").encode()})
    repo.write("b.py", with_line(4).replace("\n", "\r\n").encode())
    repo.commit()


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


@situation()
def edit_on_a_continuation_line(repo: Repository) -> None:
    base_has(repo, {"b.py": "old = 1\nvalue = [  # new below\n    1,\n    2,\n]\n"})
    repo.write("b.py", "old = 1\nvalue = [  # new below\n    1,\n    3,\n]\n")
    repo.commit()


@situation()
def line_taken_out_of_a_statement(repo: Repository) -> None:
    base_has(repo, {"b.py": "old = 1\nvalue = [  # new below\n    1,\n    2,\n]\n"})
    repo.write("b.py", "old = 1\nvalue = [  # new below\n    1,\n]\n")
    repo.commit()


@situation()
def comments_and_blank_lines(repo: Repository) -> None:
    repo.write("a.py", with_line(3, "# a comment\n\n", instead=False))
    repo.commit()


# Names.


@situation()
def name_with_blanks(repo: Repository) -> None:
    repo.write("my package/my file.py", "new = 1\n")
    repo.commit()


@situation()
def name_beyond_ascii(repo: Repository) -> None:
    repo.write("pkg/h\u00e9llo\u4e16.py", "new = 1\n")
    repo.commit()


@situation()
def name_with_quotes(repo: Repository) -> None:
    repo.write('we"ird\\name.py', "new = 1\n")
    repo.commit()


@situation()
def name_with_a_line_end(repo: Repository) -> None:
    repo.write("two\nlines.py", "new = 1\n")
    repo.commit()


@situation()
def name_with_a_leading_dash(repo: Repository) -> None:
    repo.write("-rf.py", "new = 1\n")
    repo.commit()


@situation()
def name_like_a_prefix(repo: Repository) -> None:
    repo.write("a/b/x.py", "new = 1\n")
    repo.write("b/x.py", "new = 1\n")
    repo.commit()


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


@situation()
def config_noprefix(repo: Repository) -> None:
    configured(repo, ("diff.noprefix", "true"))


@situation()
def config_mnemonic_prefix(repo: Repository) -> None:
    configured(repo, ("diff.mnemonicPrefix", "true"))


@situation()
def config_prefixes_of_ones_own(repo: Repository) -> None:
    configured(repo, ("diff.srcPrefix", "before/"), ("diff.dstPrefix", "after/"))


@situation()
def config_no_renames(repo: Repository) -> None:
    configured(repo, ("diff.renames", "false"))


@situation()
def config_external_diff(repo: Repository) -> None:
    configured(repo, ("diff.external", "true"))


@situation()
def config_colors(repo: Repository) -> None:
    configured(repo, ("color.ui", "always"), ("color.diff", "always"))


@situation()
def config_context_of_hunks(repo: Repository) -> None:
    configured(repo, ("diff.context", "9"), ("diff.interHunkContext", "9"))


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

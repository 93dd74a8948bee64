"""Situations of git by the settings of a repository's owner, its attributes and filters."""

from __future__ import annotations

import os
import subprocess

from diff_repository import Repository
from git_situations import OLD, base_has, situation, situations, with_line


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

"""Situations of git by what has changed: files, lines, names and history."""

from __future__ import annotations

from diff_repository import Repository
from git_situations import OLD, base_has, on_main, situation, situations, with_line

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

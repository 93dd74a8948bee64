"""`qd-cov check deleted-comments`: on the standard library, with Python's own tokenizer as the oracle for comments, and case by case."""

from __future__ import annotations

import io
import random
import re
import sysconfig
import tokenize
from dataclasses import dataclass
from pathlib import Path

import pytest
from check_runs import check, new_repository
from diff_repository import Repository

LIBRARY = Path(sysconfig.get_path("stdlib"))
MODULES = "argparse ast bdb calendar configparser copy csv dataclasses decimal dis doctest enum functools heapq inspect locale ntpath".split()
MODULES += "os pdb pickle platform random shutil socket ssl subprocess tarfile textwrap threading tokenize traceback typing uuid zipfile".split()
TRIVIA = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING, tokenize.ENDMARKER}
DIRECTIVE = re.compile(
    r"#!|#[#\s]*(noqa\b|nopep8\b|nosec\b|nolint\b|(type|pragma|pylint|pyright|mypy|ruff|flake8|isort|fmt|yapf|autopep8|qd-cov|cython|vim|coding):"
    r"|coding=|pragma |pyre-|-\*-)",
    re.IGNORECASE,
)


@dataclass
class Block:
    """Comments that belong together."""

    first: int
    last: int
    column: int
    alone: bool
    text: str
    anchor: int


def blocks_of(source: str) -> list[Block]:
    """Comments of a source, by CPython's tokenizer."""
    tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    code: dict[int, int] = {}
    for token in tokens:
        if token.type not in TRIVIA:
            code.setdefault(token.start[0], len(token.line[: token.start[1]].encode()))
    blocks: list[Block] = []
    for token in tokens:
        if token.type != tokenize.COMMENT or DIRECTIVE.match(token.string):
            continue
        line, column = token.start
        alone = not token.line[:column].strip()
        last = blocks[-1] if blocks else None
        if alone and last and last.alone and last.last == line - 1 and last.column == column:
            last.last = line
            last.text += " " + token.string
        else:
            blocks.append(Block(line, line, column, alone, token.string, line))
    for block in blocks:
        after = min((line for line in code if line > block.last), default=None)
        before = max((line for line in code if line < block.first), default=None)
        if block.alone:
            block.anchor = before if before is not None and (after is None or code[after] < block.column) else after or 0
        else:  # a string may have begun on an earlier line
            block.anchor = max(line for line in code if line <= block.first)
    return [block for block in blocks if re.search(r"\w", block.text.replace("_", ""))]


@dataclass
class Edit:
    """A source without some of its comments; each line knows which it was."""

    lines: list[tuple[int, str]]

    def remove(self, block: Block) -> None:
        """Take the lines out, or the comment behind the code."""
        if block.alone:
            self.lines = [line for line in self.lines if not block.first <= line[0] <= block.last]
        else:
            self.lines = [(n, text[: block.column].rstrip() + "\n" if n == block.first else text) for n, text in self.lines]

    def new_line(self, old: int) -> int:
        """The new number of an old line."""
        return next(i for i, (n, _) in enumerate(self.lines, 1) if n == old)

    def text(self) -> str:
        """The whole text."""
        return "".join(text for _, text in self.lines)


def library(names: list[str]) -> dict[str, str]:
    """Modules of the standard library."""
    return {f"{name}.py": (LIBRARY / f"{name}.py").read_text("utf-8") for name in names}


def on_main(repo: Repository, files: dict[str, str]) -> None:
    """Commits these files on main."""
    repo.git("checkout", "-q", "main")
    for path, text in files.items():
        repo.write(path, text)
    repo.commit()
    repo.git("checkout", "-q", "-B", "work")


def deleted(repo: Repository, *args: str) -> list[tuple[str, int, str]]:
    """Path and line of each finding, with the old lines."""
    checked = check(repo, "deleted-comments", *args)
    assert checked.code == 0, checked.out
    return [
        (path, line, found[1])
        for (path, line, _), message in zip(checked.findings, checked.messages, strict=True)
        if (found := re.search(r"was (?:deleted|replaced by another) \(lines? ([\d-]+) of the old file\): ", message))
    ]


def expectation(path: str, edit: Edit, block: Block) -> tuple[str, int, str]:
    """The finding for a removed comment: path, line now, lines then."""
    return (path, edit.new_line(block.anchor), str(block.first) if block.first == block.last else f"{block.first}-{block.last}")


def test_all_comments_of_modules(repo: Repository) -> None:
    """Every comment that CPython's tokenizer sees goes, and every one is named with its place."""
    files = library(MODULES)
    on_main(repo, files)
    expected = []
    for path, text in files.items():
        edit = Edit(list(enumerate(text.splitlines(keepends=True), 1)))
        blocks = blocks_of(text)
        for block in blocks:
            edit.remove(block)
        expected += [expectation(path, edit, block) for block in blocks]
        repo.write(path, edit.text())
    assert len(expected) > 3000
    found = deleted(repo)
    assert (set(found) - set(expected), set(expected) - set(found)) == (set(), set())
    assert len(found) == len(expected)


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def alike(a: Block, b: Block) -> bool:
    """Whether one comment might stand for the other."""
    x, y = words(a.text), words(b.text)
    return 4 * sum(min(x.count(word), y.count(word)) for word in set(x)) >= len(x) + len(y) or len(a.text) < 40 or len(b.text) < 40


@pytest.mark.parametrize("seed", range(4))
def test_random_edits(repo: Repository, seed: int) -> None:
    """Some comments go, some are moved, some have a word changed, some lose their code as well."""
    chance = random.Random(seed)
    files = library(chance.sample(MODULES, 8))
    on_main(repo, files)
    expected = []
    for path, text in files.items():
        edit = Edit(list(enumerate(text.splitlines(keepends=True), 1)))
        chosen: list[Block] = []
        blocks = blocks_of(text)
        for block in chance.sample(blocks, min(12, len(blocks))):
            if not any(alike(block, other) for other in chosen):
                chosen.append(block)
        gone: list[Block] = []
        for block in chosen:
            act = chance.choice(["delete", "delete", "move", "reword", "rewrite code"])
            if act == "reword" and block.alone and len(words(block.text)) >= 6:
                line = next(text for n, text in edit.lines if n == block.first)
                changed = re.sub(r"\w+", lambda found: "altered", line, count=1)
                edit.lines = [(n, changed if n == block.first else old) for n, old in edit.lines]
                continue
            edit.remove(block)
            if act == "move" and block.alone:
                edit.lines += [(0, "\n")] + [(0, line.strip() + "\n") for line in text.splitlines()[block.first - 1 : block.last]]
            elif act == "rewrite code" and re.fullmatch(r"\s*\w+ = \w+\s*", text.splitlines()[block.anchor - 1]):
                edit.lines = [(n, re.sub("=", "= 17 +", old) if n == block.anchor else old) for n, old in edit.lines]
            else:
                gone.append(block)
        expected += [expectation(path, edit, block) for block in gone]
        repo.write(path, edit.text())
    assert len(expected) > 10
    assert sorted(deleted(repo)) == sorted(expected)


OLD = '''\
"""What the module is for."""
import os

# The driver of 2019 hangs when it is asked twice.
value = os.getpid()  # unique among processes


def f(a):
    """Add one, as the standard says."""
    # Rounding comes first, see the paper of Knuth.
    return a + 1


class C:
    """A class for all seasons."""

    def m(self):
        # type: () -> None
        pass  # noqa
        # The end of the block.

    text = """
        # none
    """  # behind a string

    limit = [
        1,  # the least
        # The most comes last.
        9,
    ]
'''


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """One whose main has c.py."""
    repo = new_repository(tmp_path_factory.mktemp("cases") / "repo")
    on_main(repo, {"c.py": OLD})
    return repo


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("# The driver of 2019 hangs when it is asked twice.\n", "", [(4, "comment", "4")]),
        ("  # unique among processes", "", [(5, "comment", "5")]),
        ('"""What the module is for."""\n', "", [(1, "docstring of the module", "1")]),
        ('    """Add one, as the standard says."""\n', "", [(8, "docstring of 'f'", "9")]),
        ("A class for all seasons.", "It.", [(14, "docstring of 'C' was replaced by another", "15")]),
        ('    """A class for all seasons."""\n\n', "", [(14, "docstring of 'C'", "15")]),
        ("        # The end of the block.\n", "", [(19, "comment", "20")]),
        ("  # behind a string", "", [(22, "comment", "24")]),
        ("  # the least", "", [(27, "comment", "27")]),
        ("        # The most comes last.\n", "", [(28, "comment", "28")]),
        ("        # type: () -> None\n        pass  # noqa\n", "        pass\n", []),
        ("    # Rounding comes first, see the paper of Knuth.\n    return a + 1\n", "    return a\n", []),  # its code went too
        ("def f(a):", "def f(a, b=1):", []),
        ('def f(a):\n    """Add one, as the standard says."""\n', "def f(a, b=1):\n", [(8, "docstring of 'f'", "9")]),  # the definition stayed
        ('def f(a):\n    """Add one, as the standard says."""\n', "def g(a):\n", []),
        ("# The driver of 2019 hangs when it is asked twice.", "# The driver of 2019 hangs when asked twice.", []),
        ("# The driver of 2019 hangs when it is asked twice.", "# Drivers.", [(5, "comment was replaced by another", "4")]),
        ("# unique among processes", "# uniqe amongst process", []),
        ("value = os.getpid()  # unique among processes", "# unique among processes\nvalue = os.getpid()", []),
        ('    """Add one, as the standard says."""\n', "    # Add one, as the standard says.\n", []),
        ("value = os.getpid()  # unique among processes", "value = '# unique among processes'", []),
        ("# The driver of 2019 hangs when it is asked twice.\n", "# noqa: the driver of 2019 hangs when it is asked twice.\n", [(5, "comment", "4")]),
        (
            "# The driver of 2019 hangs when it is asked twice.\nvalue",
            "if 1:\n    # The driver of 2019 hangs when\n    # it is asked twice.\n    value",
            [],
        ),
    ],
)
def test_cases(shared: Repository, old: str, new: str, expected: list[tuple[int, str, str]]) -> None:
    repo = shared
    assert OLD.count(old) == 1
    repo.write("c.py", OLD.replace(old, new))
    checked = check(repo, "deleted-comments")
    found = [re.match(r"warning: The (.*?)(?: was deleted)? \(lines? ([\d-]+) of", message) for message in checked.messages]
    assert [(line, what[1], what[2]) for (_, line, _), what in zip(checked.findings, found, strict=True) if what] == expected


def test_moved_with_its_file(repo: Repository) -> None:
    """A renamed file is the same file; a copied, new or deleted one lost nothing."""
    on_main(repo, {"c.py": OLD})
    repo.git("mv", "c.py", "d.py")
    repo.write("d.py", OLD.replace("  # the least", ""))
    repo.git("add", "-A")
    assert deleted(repo) == [("d.py", 27, "27")]
    repo.git("rm", "-qf", "d.py")
    repo.write("new.py", "x = 1\n")
    repo.git("add", "-A")
    assert deleted(repo) == []


def test_line_ends_and_white_space(repo: Repository) -> None:
    """Line ends of all systems, and changes of white space that git was told to leave out."""
    on_main(repo, {"crlf.py": OLD.replace("\n", "\r\n"), "cr.py": OLD.replace("import os\n\n", "import os\r\r"), "indent.py": OLD})
    for path in ("crlf.py", "cr.py"):
        text = (repo.folder / path).read_bytes().replace(b"  # the least", b"")
        repo.write(path, text)
    head, *rest = OLD.replace("  # the least", "").splitlines(keepends=True)
    repo.write("indent.py", head + "if 1:\n" + "".join(f"    {line}" if line.strip() else line for line in rest))
    expected = [("cr.py", 27, "27"), ("crlf.py", 27, "27"), ("indent.py", 28, "27")]
    assert deleted(repo) == expected
    assert deleted(repo, "--ignore-whitespace") == expected


def test_a_part_of_the_change(repo: Repository) -> None:
    on_main(repo, {"c.py": OLD})
    repo.write("c.py", OLD.replace("  # the least", ""))
    repo.git("add", "-A")
    repo.write("c.py", OLD.replace("  # the least", "").replace("        # The end of the block.\n", ""))
    assert deleted(repo) == [("c.py", 19, "20"), ("c.py", 26, "27")]
    assert deleted(repo, "--ignore-staged") == [("c.py", 19, "20")]
    assert deleted(repo, "--ignore-unstaged") == [("c.py", 26, "27")]


def test_silence_and_settings(repo: Repository) -> None:
    on_main(repo, {"c.py": OLD})
    repo.write("c.py", OLD.replace("  # the least", "  # qd-cov: ignore[deleted-comments]").replace("asked twice", "called again and again"))
    assert deleted(repo) == []
    repo.write("qd-cov.toml", "[check]\ndeleted-comments-similarity = 0.9\n")
    assert deleted(repo) == [("c.py", 5, "4")]


def test_what_is_no_python(repo: Repository) -> None:
    """The old file or the new one; and a diff that does not have the old files."""
    on_main(repo, {"a/new.py": OLD, "a/old.py": "print 'x'  # some old words\n"})
    repo.write("a/new.py", OLD.replace("def f(a):", "def f(a:"))
    repo.write("a/old.py", "print('x')\n")
    checked = check(repo, "deleted-comments")
    assert checked.findings == [("a/new.py", 8, "deleted-comments")] and "can't be found" in checked.messages[0]
    (repo.folder.parent / "x.diff").write_text(repo.git("diff", "main"))
    checked = check(repo, "deleted-comments", "--diff-file=../x.diff")
    assert (checked.code, checked.out.split(",")[0]) == (1, "deleted-comments compares with the old files")


def test_hostile_text(repo: Repository) -> None:
    on_main(repo, {"we ird\n:\x1b.py": "x = 1  # \x1b[31m::error::<b>`%0A ünï " + "ö" * 500 + "\n"})
    repo.write("we ird\n:\x1b.py", "x = 1\n")
    out = check(repo, "deleted-comments").out
    assert "\x1b" not in out and len(out.splitlines()) == 3 and "ö…" in out
    line = check(repo, "deleted-comments", "--format=github-annotations").out
    assert line.startswith(
        "::warning file=we ird%0A%3A␛.py,line=1,title=deleted-comments::The comment was deleted (line 1 of the old file): # ␛[31m::error::<b>`%250A"
    )
    assert len(line.splitlines()) == 1

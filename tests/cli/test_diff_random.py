"""`qd-cov diff` against an independent model, on random histories.

Every line of the files is unique and lines never change places, so new lines need no diff: they are those whose text the merge base
does not have. Statements, and the executed ones, come from Python's ast and from coverage.py.
"""

from __future__ import annotations

import ast
import itertools
import random
from pathlib import Path

import coverage
import pytest
from diff_repository import Repository

Block = list[str]  # one logical line, or a comment


class Author:
    """Writes and edits files of unique lines."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.numbers = itertools.count(1)

    def block(self) -> Block:
        """A statement of one or several lines, a comment, or a text."""
        n = next(self.numbers)
        kind = self.random.randrange(6)
        if kind == 0:
            return [f"# comment {n}"]
        if kind == 1:
            return [f"v{n} = [", *(f"    {next(self.numbers)}," for _ in range(self.random.randrange(1, 5))), f"]  # end {n}"]
        if kind == 2:
            return [f'v{n} = """text {n}', f"  line {next(self.numbers)}", f'end {n}"""']
        return [f"v{n} = {n}"]

    def edit(self, blocks: list[Block]) -> list[Block]:
        """Some blocks more, some less, some changed inside."""
        result: list[Block] = []
        for block in blocks:
            action = self.random.randrange(24)
            if action == 0:
                continue
            if action == 1:
                result.append(self.block())
            if action == 2 and block[0].startswith("v"):
                block = [*block[:-1], block[-1].replace("# end", "# last") if "# end" in block[-1] else block[-1]]
            if len(block) > 2 and block[0].endswith("["):
                if action in (3, 4):
                    block = [block[0], f"    {next(self.numbers)},", *block[1:]]
                if action in (5, 6):
                    at = self.random.randrange(1, len(block) - 1)
                    block = block[:at] + block[at + 1 :]
            result.append(block)
        return result


def text_of(blocks: list[Block], end: str) -> str:
    """The file; without a line end after the last line when `end` is empty."""
    return "\n".join(line for block in blocks for line in block) + (end if blocks else "")


def touched_statements(base: str, text: str) -> set[int]:
    """First lines of the statements of `text` that have a line which `base` has not, or lack one that it had."""
    old = {line: number for number, line in enumerate(base.split("\n"))}
    new = text.split("\n")
    first: dict[int, int] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.stmt):
            assert node.end_lineno is not None
            first.update(dict.fromkeys(range(node.lineno, node.end_lineno + 1), node.lineno))
    touched = {first[number] for number, line in enumerate(new, 1) if line not in old and number in first}
    for number in range(1, len(new)):
        if number in first and first.get(number + 1) == first[number]:
            here, after = old.get(new[number - 1]), old.get(new[number])
            if here is not None and after is not None and after != here + 1:
                touched.add(first[number])
    return touched


def expand(ranges: str) -> set[int]:
    """Lines of "4-7, 9"."""
    lines: set[int] = set()
    for piece in filter(None, ranges.split(", ")):
        first, _, last = piece.partition("-")
        lines.update(range(int(first), int(last or first) + 1))
    return lines


@pytest.mark.parametrize("seed", [*range(20), 43, 47, 51])  # the last three: both versions end without a line end
def test_random_history(tmp_path: Path, seed: int) -> None:
    """Commits on both sides, then staged and unstaged edits, a rename, files without a last line end."""
    author = Author(seed)
    rnd = author.random
    repo = Repository(tmp_path / "repo")
    repo.write(".gitignore", ".coverage\n")
    names = ["one.py", "pkg/two.py", "pkg/thrée.py"]
    files = {name: [author.block() for _ in range(rnd.randrange(10, 60))] for name in names}
    ends = {name: rnd.choice(["\n", ""]) for name in names}

    def save() -> None:
        for name, blocks in files.items():
            repo.write(name, text_of(blocks, ends[name]))

    def edit() -> None:
        for name in files:
            if rnd.random() < 0.7:
                files[name] = author.edit(files[name])
                ends[name] = rnd.choice(["\n", "\n", ""])
        save()

    save()
    repo.commit("base")
    base = {name: text_of(blocks, ends[name]) for name, blocks in files.items()}
    repo.branch("work")
    for _ in range(rnd.randrange(3)):
        edit()
        repo.commit()
    if rnd.random() < 0.4:
        repo.git("checkout", "-q", "main")
        repo.write("others.py", "x = 1\n")
        repo.write("one.py", "# all new\n" + text_of(files["one.py"], "\n"))
        repo.commit("others")
        repo.git("checkout", "-q", "work")
    if rnd.random() < 0.4:
        repo.git("mv", "one.py", "pkg/moved.py")
        files["pkg/moved.py"], ends["pkg/moved.py"], base["pkg/moved.py"] = files.pop("one.py"), ends.pop("one.py"), base["one.py"]
    if rnd.random() < 0.7:
        edit()
        repo.git("add", "-A")
    if rnd.random() < 0.7:
        edit()

    executed = {}
    for name, blocks in files.items():
        n = len(text_of(blocks, ends[name]).split("\n"))
        executed[name] = [line for line in range(1, n + 1) if rnd.random() < 0.6]
    repo.measure(executed)
    report = repo.diff()
    assert report.code == 0, report.out

    oracle = coverage.Coverage(data_file=str(repo.folder / ".coverage"), config_file=False)
    oracle.load()
    for name, blocks in files.items():
        text = text_of(blocks, ends[name])
        _, statements, _, missing, _ = oracle.analysis2(str(repo.folder / name))
        touched = touched_statements(base[name], text) & set(statements)
        if not touched:
            assert name not in report.rows
            continue
        row = report.rows[name]
        assert row.lines == len(touched)
        assert row.missing == len(touched & set(missing))
        assert expand(row.missing_lines) & set(statements) == touched & set(missing)
    assert set(report.rows) <= set(files)

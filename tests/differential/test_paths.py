"""File patterns and the mapping of paths, against coverage.py's."""

from __future__ import annotations

import functools
import itertools
import os
import random
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from coverage.exceptions import ConfigError
from coverage.files import PathAliases, globs_to_regex, set_relative_directory

BUILD = Path(os.environ.get("QD_BUILD") or Path(__file__).resolve().parents[2] / "build" / "release")

PATTERNS = [
    "*.py", "a.py", "**/a.py", "*/a.py", "a/*", "a/**", "a/*/c.py", "a/**/c.py", "/x/a/*.py", "/x/**", "?.py", "[ab].py", "[^a].py", "[a-c]/*",
    "a b/*", "a.b/c", "x**", "**x", "a/**b", "***", "a/***/b", "**/**", "[", "]", "a[", "a]b", "*", "**", "/", "./a", "../a.py", "a\\b\\*.py",
    "C:\\x\\*.py", "é/*.py", "(a|b)/c+", "$x/^y", "*a*/*", "a/*b*/?c", "/**/a.py", "*/", "**/", "a//b", "a-b_c/d", "{a}/#",
]  # fmt: skip
PIECES = ["a", "b", "c.py", "a.py", "x", "é", "a b", "a.b", "A", "(a|b)", "$x", "d", "{a}", "#", ".", ".."]


def ask(questions: Sequence[tuple[str, ...]], folder: Path | None = None) -> list[str]:
    lines = "".join("\t".join(question) + "\n" for question in questions)
    program = BUILD / "tests" / "differential" / "match_paths"
    return subprocess.run([program], input=lines, cwd=folder, capture_output=True, text=True, check=True).stdout.splitlines()


def paths(die: random.Random, n: int) -> list[str]:
    result = []
    for _ in range(n):
        separator = "\\" if die.random() < 0.15 else "/"
        result.append(die.choice(["", separator, "c:" + separator]) + separator.join(die.choices(PIECES, k=die.randint(1, 4))))
    return result


def test_patterns() -> None:
    questions = [("glob", pattern, path) for pattern in PATTERNS for path in paths(random.Random(pattern), 60)]
    expected = []
    for _, pattern, path in questions:
        try:
            expected.append("yes" if globs_to_regex([pattern]).match(path) else "no")
        except ConfigError as exc:
            expected.append(str(exc))
    answers = ask(questions)
    assert [q for q, a, e in zip(questions, answers, expected) if a != e] == []
    assert {"yes", "no"} < set(expected)


@pytest.mark.parametrize("relative", [False, True])
def test_aliases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, relative: bool) -> None:
    tmp_path = tmp_path.resolve()
    for name in ["src/a.py", "src/pk/b.py", "lib/a.py", "pk/b.py"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    set_relative_directory()
    results = ["src", "./src", "lib/", ".", f"{tmp_path}/src", "nowhere", "sr*", "*", "lib/?", "./it's*", "src[a]"]
    patterns = ["/ci/*/src", "*/src", "src", "/ci/**/src/", "c:\\ci\\src", "*\\src", "other", "/ci/*", "/CI/1/SRC", "x**", "a**/b"]
    measured = ["/ci/1/src/a.py", "/ci/1/src/pk/b.py", "/ci/src/a.py", "c:\\ci\\src\\pk\\b.py", "src/a.py", f"{tmp_path}/src/a.py", "pk/b.py", "a.py"]
    questions = [("alias", "1" if relative else "0", *q) for q in itertools.product(results, patterns, measured)]
    expected = []
    for _, _, result, pattern, path in questions:
        try:
            aliases = PathAliases(relative=relative)
            aliases.add(pattern, result)
            expected.append(aliases.map(path).replace("\\", "/"))
        except ConfigError as exc:
            expected.append(str(exc))
    answers = ask(questions, tmp_path)
    assert [(q, a, e) for q, a, e in zip(questions, answers, expected) if a != e] == []
    assert sum(e != q[4] for q, e in zip(questions, expected)) > 50
    assert {e.split(":")[0] for e in expected if " " in e and not e.startswith("File pattern")} == {
        "Pattern must not end with wildcards.", "Result path must not contain wildcards"}  # fmt: skip


@pytest.mark.parametrize("relative", [False, True])
def test_sets_of_aliases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, relative: bool) -> None:
    """Several rules, of which the first that fits and leads to a file counts; relative paths add rules of their own as they come."""
    tmp_path = tmp_path.resolve()
    for name in ["src/a.py", "src/pk/b.py", "lib/a.py", "pk/b.py", "src/pk/deep/c.py"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    set_relative_directory()
    die = random.Random(3)
    roots = ["/ci/1/", "/CI/2/", "/ci/", "c:\\ci\\", "", "./", f"{tmp_path}/", "/home/x/src/", "src\\pk\\"]
    names = ["src/a.py", "src/pk/b.py", "pk/b.py", "a.py", "lib/a.py", "src/pk/deep/c.py", "SRC/a.py", "pk/deep/c.py", "src\\pk\\b.py", "gone.py"]
    rules = ["/ci/*/src", "*/src", "*/pk", "c:\\ci", "/ci/**", "/home/*/src/", "other", "*\\pk", "*/lib", f"{tmp_path}/lib"]
    questions, expected = [], []
    for _ in range(300):
        results = ["src", "lib/", "./src", ".", "pk", f"{tmp_path}/src", "gone", *["s?c"] * (die.random() < 0.3)]
        chosen = [(die.choice(results), die.choice(rules)) for _ in range(die.randint(0, 4))]
        paths = [die.choice(roots) + die.choice(names) for _ in range(die.randint(1, 8))]
        questions.append(("aliases", "1" if relative else "0", str(len(chosen)), *itertools.chain(*chosen), *paths))
        try:
            aliases = PathAliases(relative=relative)
            for result, pattern in chosen:
                aliases.add(pattern, result)
            map_path = functools.cache(aliases.map)  # as combine does, so that a rule that comes later changes no answer
            expected.append("\t".join(map_path(path).replace("\\", "/") for path in paths))
        except ConfigError as exc:
            expected.append(str(exc))
    answers = ask(questions, tmp_path)
    assert [(q, a, e) for q, a, e in zip(questions, answers, expected) if a != e] == []

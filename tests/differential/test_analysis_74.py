"""Statements and exclusions as coverage.py 7.4 has them, which reports with coverage_version = "7.4" show: lines, not possible arcs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from analysis_vectors import PATTERN_VECTORS, VECTORS, Generator
from test_analysis import DEFAULT_PATTERNS, EVERYTHING, installed_files, ours, write_all

OLD_PYTHON = Path(sys.prefix).parent / ".venv-coverage74" / "bin" / "python"
N_RANDOM_PROGRAMS = 150
KEYS = ["statements", "excluded", "no_branch"]

ORACLE = """
import json, sys, warnings
from coverage.config import DEFAULT_EXCLUDE, DEFAULT_PARTIAL, DEFAULT_PARTIAL_ALWAYS
from coverage.misc import join_regex
from coverage.parser import PythonParser

warnings.simplefilter("ignore")
for path, patterns in json.load(sys.stdin):
    exclude = patterns.get("exclude", DEFAULT_EXCLUDE)
    partial = [patterns["partial"]] if "partial" in patterns else [DEFAULT_PARTIAL, DEFAULT_PARTIAL_ALWAYS]
    try:
        parser = PythonParser(filename=path, exclude=join_regex(exclude))
        parser.parse_source()
        no_branch = parser.first_lines(parser.lines_matching(*map(join_regex, partial)))
        result = {"statements": sorted(parser.statements), "excluded": sorted(parser.excluded), "no_branch": sorted(no_branch)}
    except Exception as error:
        result = {"error": repr(error)}
    print(json.dumps({"path": path, **result}))
"""
OLD_DEFAULTS = {
    "exclude": [r"#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(cover|COVER)"],
    "partial": [r"#\s*(pragma|PRAGMA)[:\s]?\s*(no|NO)\s*(branch|BRANCH)", "while (True|1|False|0):", "if (True|1|False|0):"],
}

pytestmark = pytest.mark.skipif(not OLD_PYTHON.exists(), reason="no environment with coverage 7.4")


def dead(key: str, want: dict[str, Any], have: dict[str, Any], live: dict[str, Any]) -> bool:
    """Whether differing lines are never reached: compilers up to 3.11 leave some of those."""
    return key == "statements" and sys.version_info < (3, 12) and not (set(want[key]) ^ set(have[key])) & set(live["statements"])


def theirs(sources: list[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """coverage.py's analyses of files, each with patterns or without."""
    done = subprocess.run([OLD_PYTHON, "-c", ORACLE], input=json.dumps(sources), capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def compare(wanted: list[dict[str, Any]], tmp_path: Path, patterns: dict[str, Any] | None = None) -> tuple[list[str], int]:
    """The differences of our analyses from coverage.py's, and the number of files that it could read."""
    paths = [want["path"] for want in wanted]
    file = tmp_path / "patterns.json"
    file.write_text(json.dumps({**(patterns or OLD_DEFAULTS), "by_line": True, "by_token": True}))
    actual = ours(paths, file, sys.version_info[1])
    live = ours(
        [path for path, want in zip(paths, wanted, strict=True) if any(want.get(key) != actual[path].get(key) for key in KEYS)], EVERYTHING, 13
    )
    lines = []
    n_read = 0
    for want in wanted:
        if "error" in want:
            continue
        n_read += 1
        have = actual[want["path"]]
        if "error" in have:
            lines.append(f"{want['path']}: {have['error']}")
            continue
        for key in KEYS:
            if want[key] != have[key] and not dead(key, want, have, live[want["path"]]):
                lack, more = sorted(set(want[key]) - set(have[key])), sorted(set(have[key]) - set(want[key]))
                lines.append(f"{want['path']}: {key}: lacks {lack[:8]}, has too much {more[:8]}")
    return lines, n_read


def test_vectors(tmp_path: Path) -> None:
    """Programs in which every rule shows."""
    lines, n_read = compare(theirs([(path, {}) for path in write_all(tmp_path, VECTORS)]), tmp_path)
    assert n_read > 80
    assert not lines, "\n".join(lines)


def test_patterns(tmp_path: Path) -> None:
    """Patterns that see one line."""
    paths = write_all(tmp_path, {name: source for name, (_, _, source) in PATTERN_VECTORS.items()})
    patterns = [{"exclude": exclude, "partial": partial} for exclude, partial, _ in PATTERN_VECTORS.values()]
    for want, of_file in zip(theirs([*zip(paths, patterns, strict=True)]), patterns, strict=True):
        lines, _ = compare([want], tmp_path, of_file)
        assert not lines, "\n".join(lines)


def test_random_programs(tmp_path: Path) -> None:
    """Pragmas in random places."""
    paths = write_all(tmp_path, {f"p{seed}": Generator(seed).program() for seed in range(N_RANDOM_PROGRAMS)})
    lines, n_read = compare(theirs([(path, {}) for path in paths]), tmp_path)
    assert n_read > N_RANDOM_PROGRAMS * 0.9
    assert not lines, "\n".join(lines[:20])


def test_installed_files(tmp_path: Path) -> None:
    """The same files as for the newest version."""
    lines, n_read = compare(theirs([(path, {}) for path in installed_files()]), tmp_path)
    print(f"{n_read} files compared")
    assert n_read > 100
    assert not lines, "\n".join(lines[:40])


def test_the_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """[tool.qd-cov] coverage_version chooses the defaults; an older file of coverage.py's settings still adds to them."""
    monkeypatch.chdir(tmp_path)
    pyproject = tmp_path / "pyproject.toml"

    def shown(version: str) -> str:
        pyproject.write_text(f"[tool.qd-cov]\ncoverage_version = {version}\n[tool.coverage.report]\nexclude_also = ['mine']\n")
        return subprocess.run(["qd-cov", "debug", "config"], capture_output=True, text=True, check=False).stdout

    newest = shown("'7.17'")
    assert all(pattern in newest for pattern in DEFAULT_PATTERNS["exclude"] + DEFAULT_PATTERNS["partial"])
    old = shown("'7.4'")
    assert all(pattern in old for pattern in OLD_DEFAULTS["exclude"] + OLD_DEFAULTS["partial"])
    assert "TYPE_CHECKING" not in old and "mine" in old
    assert "TYPE_CHECKING" in shown("'7.10'")
    assert "is not a string: 7.1" in shown("7.10")
    assert "coverage_version 'new' is not a version of coverage.py" in shown("'new'")

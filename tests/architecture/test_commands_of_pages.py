"""Commands of developers' pages that are too slow for a test: their scripts, options, files, targets and tests exist."""

from __future__ import annotations

import functools
import re
import shlex
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "release"
PAGES = ("CONTRIBUTING.md", "tests/README.md")
MADE_BY_OTHERS = ("sim.py", "limit.ir", "limit.o", "cache/", "build/debug", "build/profile")
"""Files that the commands make, or that the page tells the reader to write."""


def commands(page: str) -> list[str]:
    """The lines of blocks without a language, without their comments; of blocks with a prompt, those behind it."""
    found: list[str] = []
    for block in re.findall(r"^```\n(.*?)^```$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL):
        prompted = re.findall(r"^\$ (.*(?:\n .*)*)", block, re.MULTILINE)
        found += prompted if block.startswith("$ ") else block.splitlines()
    return [line for line in found if line]


def wrong_parts(line: str) -> list[str]:
    """The words of a command that name something which does not exist."""
    wrong = []
    for part in re.split(r"&&|\||;|<|>(?=\s)|[{}]", line):
        words = [word for word in shlex.split(part, comments=True) if not re.match(r"[A-Z_]+=", word)]
        wrong += [word for word in words if not exists(word)]
        if words[:1] and words[0].startswith("ci/") and exists(words[0]):
            text = (ROOT / words[0]).read_text(encoding="utf-8")
            wrong += [f"{words[0]} {word}" for word in words[1:] if word.startswith("--") and word not in text]
        if "--target" in words:
            wrong += [target for target in words[words.index("--target") + 1 :] if not re.search(rf"^build {target}:", ninja(), re.MULTILINE)]
        if words[:1] == ["ctest"]:
            listed = subprocess.run([*words, "-N"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
            wrong += [part.strip()] if "Total Tests: 0" in listed else []
    return wrong


def exists(word: str) -> bool:
    """Whether a path of this project is there; true for other words."""
    if not re.match(r"(ci|tests|runtime|report|cli|instrument|build)/[\w./-]+$", word) or word.startswith(MADE_BY_OTHERS):
        return True
    return (ROOT / word).exists() or bool(re.search(rf"\b{re.escape(word.removeprefix('build/release/'))}\b", ninja()))


@functools.cache
def ninja() -> str:
    return (BUILD / "build.ninja").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_commands_name_what_exists(page: str) -> None:
    if not (BUILD / "build.ninja").exists():
        pytest.skip("there is no build/release")
    lines = commands(page)
    assert len(lines) > 8
    assert {line: wrong for line in lines if (wrong := wrong_parts(line))} == {}


def test_wrong_commands_are_noticed() -> None:
    if not (BUILD / "build.ninja").exists():
        pytest.skip("there is no build/release")
    for line, wrong in {
        "ci/nothing --all": ["ci/nothing"],
        "ci/test --everything   # all": ["ci/test --everything"],
        "cmake --build build/release --target unit_nothing": ["unit_nothing"],
        "ctest --test-dir build/release -R nothing_like_this": ["ctest --test-dir build/release -R nothing_like_this"],
        "QD_ALL=1 pytest tests/cli/test_nothing.py && git diff": ["tests/cli/test_nothing.py"],
        "build/release/tests/unit/syntax/unit_nothing": ["build/release/tests/unit/syntax/unit_nothing"],
    }.items():
        assert wrong_parts(line) == wrong


def test_file_for_git_blame_exists() -> None:
    named = re.findall(r"blame\.ignoreRevsFile (\S+)", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert named and all((ROOT / name).exists() for name in named)

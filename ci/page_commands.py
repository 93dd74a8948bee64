"""Runs the example of a page in an empty folder as a reader would: its programs as files, then its commands exactly as they stand.

Usage: page_commands.py [PAGE [FOLDER]], by default README.md; the example stays in the folder `project` of FOLDER. qd-cov, python and pytest are
those of the PATH. Programs are ```python blocks: one whose first line is a comment with a name, and one that the text calls "the program above", with
its name. Commands are lines "$ ..." of blocks without a language; lines behind a command are its output, which must be the page's."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

README = Path(__file__).resolve().parents[1] / "README.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"the program above into a new folder as\s+`(\w+\.py)`")


class Command(NamedTuple):
    """A command of a page, and its output there; None: the page has none."""

    text: str
    output: str | None


def programs(page: str) -> dict[str, str]:
    """The texts of the files that the page has, by name."""
    blocks = [text for language, text in BLOCK.findall(page) if language == "python"]
    found = {match[1]: text for text in blocks if (match := re.match(r"# ([\w/]+\.py)\n", text))}
    if named := NAMED.search(page):
        found[named[1]] = blocks[0]
    return found


def commands(page: str) -> list[Command]:
    """The commands of the page, in order."""
    found = []
    for language, text in BLOCK.findall(page):
        if not language and text.startswith("$ "):
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                line, _, output = part.partition("\n")
                found.append(Command(line, output or None))
    return found


def environment(folder: Path) -> dict[str, str]:
    """The environment of a reader without settings of Python, git or coverage, whose desktop opens files by looking whether they are there."""
    programs_of_desktop = folder / "bin"
    programs_of_desktop.mkdir(parents=True)
    opener = programs_of_desktop / "xdg-open"
    opener.write_text('#!/bin/sh\ntest -s "$1"\n')
    opener.chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("QD_", "COV", "GIT_", "PYTEST_", "PYTHONPATH"))}
    identity = {f"GIT_{who}_{what}": "reader@example.invalid" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    own = {"HOME": str(folder), "PATH": f"{programs_of_desktop}:{os.environ['PATH']}", "QD_OFFLINE_CACHE_FILE_PATH": str(folder / "cache")}
    return {**kept, **identity, **own, "GIT_CONFIG_NOSYSTEM": "1"}


def run(files: dict[str, str], steps: list[Command], folder: Path) -> list[str]:
    """Run commands in `folder`, which is made with these files. Gives those that failed or printed something else than their page has."""
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    settings = environment(folder.with_name(f"{folder.name}.home"))
    wrong = []
    for text, output in steps:
        done = subprocess.run(["bash", "-c", text], cwd=folder, env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            wrong.append(f"$ {text}\n{done.stdout}(exit code {done.returncode})")
        elif output is not None and done.stdout != output:
            wrong.append(f"$ {text}\n{done.stdout}(the page has:)\n{output}")
    return wrong


def main() -> int:
    """Run the example of the page that was named, and print what went wrong."""
    page = Path(sys.argv[1]) if len(sys.argv) > 1 else README
    text = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(sys.argv[2] if len(sys.argv) > 2 else temporary)
        wrong = run(programs(text), commands(text), folder / "project")
    print("\n".join(wrong) if wrong else f"{len(commands(text))} commands of {page.name} do what it says")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())

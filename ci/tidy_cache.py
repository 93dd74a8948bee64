"""Units of many sources that clang-tidy has found clean before: ci/tidy leaves them out.

ci/tidy_cache.py changed FOLDER ARGUMENTS PATTERN...   # puts the others' compile_commands.json into FOLDER; prints their number
ci/tidy_cache.py clean FOLDER ARGUMENTS                # notes that clang-tidy has found those in FOLDER clean, if they are still the same

A unit is known by all that clang-tidy's outcome depends on: the bytes of every file that it includes, headers of the system too, its command with
the ARGUMENTS that clang-tidy gets, the .clang-tidy files above it, and the version of clang-tidy. Paths in the checkout count from its top, so a new
clone finds what an earlier one has left in the cache, ~/.cache/qd-cov/tidy. Notes that nobody has used for a month are deleted."""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "qd-cov" / "tidy"
KEPT = 30 * 24 * 3600  # seconds


def output(*words: str | Path) -> str:
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


@functools.cache
def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def included(database: Path) -> list[list[Path]]:
    """The files of each unit of a compilation database, in its order, with those that they include."""
    rules = output("clang-scan-deps-19", "-compilation-database", database, "-j", "2", "-format=make")
    by_unit = {}
    for rule in re.sub(r"\\\n", " ", rules).splitlines():
        files = [Path(re.sub(r"\\(.)", r"\1", word)) for word in re.findall(r"(?:\\.|\S)+", rule.partition(": ")[2])]
        if files:
            by_unit[files[0]] = files
    return [by_unit[Path(entry["file"])] for entry in json.loads(database.read_text())]


def key(entry: dict[str, str], files: list[Path], more: list[str]) -> str:
    """The name of a unit with all that its outcome depends on."""
    settings = [parent / ".clang-tidy" for parent in files[0].parents if (parent / ".clang-tidy").exists()]
    parts = [entry["command"], entry["directory"], *more, *(f"{file} {digest(file)}" for file in [*settings, *files])]
    return hashlib.sha256(re.sub(rf"{re.escape(str(ROOT))}(?=[/\s'\"]|$)", ".", "\n".join(parts)).encode()).hexdigest()


def keys_of(database: Path, arguments: str) -> list[str]:
    """The names of the units of a compilation database, in its order."""
    digest.cache_clear()
    more = [arguments, output("clang-tidy-19", "--version")]
    entries = json.loads(database.read_text())
    return [key(entry, files, more) for entry, files in zip(entries, included(database), strict=True)]


def changed(folder: Path, arguments: str, patterns: list[str]) -> int:
    """Writes the units that are not known to be clean into a folder; gives their number."""
    wanted = re.compile("|".join(patterns))
    entries = [entry for entry in json.loads((ROOT / "build/release/compile_commands.json").read_text()) if wanted.search(entry["file"])]
    database = folder / "compile_commands.json"
    database.write_text(json.dumps(entries))
    keys = keys_of(database, arguments)
    unknown = [(entry, name) for entry, name in zip(entries, keys, strict=True) if not (CACHE / name).exists()]
    for name in {*keys} - {name for _, name in unknown}:
        os.utime(CACHE / name)
    database.write_text(json.dumps([entry for entry, _ in unknown]))
    (folder / "keys").write_text("\n".join(name for _, name in unknown))
    return len(unknown)


def clean(folder: Path, arguments: str) -> None:
    CACHE.mkdir(parents=True, exist_ok=True)
    for name in {*(folder / "keys").read_text().split()} & {*keys_of(folder / "compile_commands.json", arguments)}:
        (CACHE / name).touch()
    for note in CACHE.iterdir():
        if note.stat().st_mtime < time.time() - KEPT:
            note.unlink(missing_ok=True)


if __name__ == "__main__":
    if sys.argv[1] == "changed":
        print(changed(Path(sys.argv[2]), sys.argv[3], sys.argv[4:]))
    else:
        clean(Path(sys.argv[2]), sys.argv[3])

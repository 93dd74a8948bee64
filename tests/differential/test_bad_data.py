"""Data files that are damaged, foreign or in use: coverage.py's message and exit code where it has one, else a clear one, and nothing is lost."""

from __future__ import annotations

import contextlib
import io
import os
import random
import shutil
import sqlite3
import subprocess
import warnings
from collections.abc import Callable
from pathlib import Path

import coverage.cmdline
import pytest
from coverage import CoverageData
from coverage_commands import coverage_py

SOURCE = "a = 1\nif a:\n    b = 2\nelse:\n    b = 3\n"


def sql(*statements: str, arguments: tuple[object, ...] = ()) -> Callable[[Path], None]:
    def change(path: Path) -> None:
        con = sqlite3.connect(path)
        for statement in statements:
            con.execute(statement, arguments)
        con.commit()
        con.close()

    return change


def cut(size: int) -> Callable[[Path], None]:
    return lambda path: os.truncate(path, size if size >= 0 else path.stat().st_size + size)


def replaced(content: bytes) -> Callable[[Path], None]:
    return lambda path: (path.write_bytes(content), None)[1]


def folder_instead(path: Path) -> None:
    path.unlink()
    path.mkdir()


def foreign_instead(path: Path) -> None:
    path.unlink()
    sql("CREATE TABLE x (a)")(path)


DAMAGE: dict[str, Callable[[Path], None]] = {
    "empty": cut(0),
    "one byte": cut(1),
    "half of the header": cut(50),
    "one page": cut(4096),
    "a page and a half": cut(6000),
    "without its last page": cut(-4096),
    "not sqlite": replaced(b"text " * 300),
    "foreign": foreign_instead,
    "future schema": sql("UPDATE coverage_schema SET version = 8"),
    "schema of text": sql("UPDATE coverage_schema SET version = 'abc'"),
    "schema of nothing": sql("DELETE FROM coverage_schema"),
    "folder": folder_instead,
    "negative ids": sql("UPDATE file SET id = -id", "UPDATE line_bits SET file_id = -file_id"),
    "large ids": sql("UPDATE file SET id = id + 5000000000", "UPDATE line_bits SET file_id = file_id + 5000000000"),
    "text as id": sql("UPDATE line_bits SET file_id = 'x'"),
    "no id": sql("UPDATE line_bits SET file_id = NULL"),
    "bits of an unknown file": sql("INSERT INTO line_bits VALUES (77, 1, x'02')"),
    "zeros at the end": sql("UPDATE line_bits SET numbits = CAST(numbits || zeroblob(70000) AS blob)"),
    "empty bits": sql("UPDATE line_bits SET numbits = x''"),
    "odd bits": sql("UPDATE line_bits SET numbits = x'ffffffffffffff'"),
    **{f"without {table}": sql(f"DROP TABLE {table}") for table in ["meta", "file", "context", "line_bits", "arc", "tracer"]},
}
# Here coverage.py ends in a traceback, or passes on a file that cannot be read.
UNKNOWN_TO_COVERAGE: dict[str, tuple[Callable[[Path], None], str]] = {
    "has_arcs of text": (sql("UPDATE meta SET value = 'x' WHERE key = 'has_arcs'"), "has_arcs is 'x'"),
    "path of nothing": (sql("UPDATE file SET path = NULL"), "a value of column 'path' is not of its type"),
    "path not in UTF-8": (sql("UPDATE file SET path = CAST(x'2fff61' AS text) WHERE id = 1"), "Could not decode to UTF-8 column 'path'"),
    "context not in UTF-8": (sql("UPDATE context SET context = CAST(x'c3' AS text)"), "Could not decode to UTF-8 column 'context'"),
    "bits of nothing": (sql("UPDATE line_bits SET numbits = NULL"), "a value of column 'numbits' is not of its type"),
    "bits of text": (sql("UPDATE line_bits SET numbits = 'abc'"), "a value of column 'numbits' is not of its type"),
    "bits of a number": (sql("UPDATE line_bits SET numbits = 7"), "a value of column 'numbits' is not of its type"),
    "two kinds": (sql("INSERT INTO arc VALUES (1, 1, 2, 3)"), "it has line measurements and branch measurements"),
}


def put(path: Path, lines: list[int], source: str = "a.py") -> None:
    data = CoverageData(str(path))
    data.add_lines({str(path.parent / source): lines})
    data.touch_file(str(path.parent / "touched.py"))
    data.close()


def lines_in(path: Path) -> list[int]:
    data = CoverageData(str(path))
    data.read()
    return sorted({line for name in data.measured_files() for line in data.lines(name) or []})


def run_in(folder: Path, *command: str) -> tuple[int, str, str]:
    if command[0] == "coverage":
        done = coverage_py(command[1:], folder)
    else:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    message = "\n".join(line.split("CoverageWarning: ")[-1] for line in done.stderr.splitlines() if not line.startswith("  "))
    return done.returncode, done.stdout.split("; see https://")[0].strip(), message


def in_both(folder: Path, *arguments: str) -> list[tuple[int, str, str]]:
    """Run coverage and qd-cov in copies of `folder` that have the same name, one after the other; they stay as by-TOOL."""
    results = []
    for tool in ["coverage", "qd-cov"]:
        kept = folder.with_name(f"by-{tool}")
        shutil.copytree(folder, folder.with_name("saved"))
        results.append(run_in(folder, tool, *arguments))
        folder.rename(kept)
        folder.with_name("saved").rename(folder)
    return results


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    result = tmp_path.resolve() / "data"
    result.mkdir()
    (result / "a.py").write_text(SOURCE)
    (result / "touched.py").write_text("x = 1\n")
    put(result / ".coverage.bad", [1, 2, 3])
    return result


@pytest.mark.parametrize("kind", DAMAGE)
def test_as_an_input_of_combine(folder: Path, kind: str) -> None:
    put(folder / ".coverage.good", [1])
    DAMAGE[kind](folder / ".coverage.bad")
    theirs, ours = in_both(folder, "combine")
    assert ours[0] == 0
    if theirs[0] == 0:
        assert ours == theirs
        left = {p.name for p in folder.with_name("by-coverage").iterdir()}
        assert {p.name for p in folder.with_name("by-qd-cov").iterdir()} == left
        assert lines_in(folder.with_name("by-qd-cov") / ".coverage") == lines_in(folder.with_name("by-coverage") / ".coverage")
    else:  # it gave up in the middle, with good data deleted; we go on without the bad file
        assert theirs[1].split(": ")[1].startswith("no such table")
        assert f"no such table: {kind.split()[-1]}" in ours[2]
        assert (folder.with_name("by-qd-cov") / ".coverage.bad").exists()
        assert lines_in(folder.with_name("by-qd-cov") / ".coverage") == [1]


@pytest.mark.parametrize("kind", UNKNOWN_TO_COVERAGE)
def test_what_coverage_does_not_expect(folder: Path, kind: str) -> None:
    put(folder / ".coverage.good", [1])
    change, message = UNKNOWN_TO_COVERAGE[kind]
    change(folder / ".coverage.bad")
    code, out, err = run_in(folder, "qd-cov", "combine")
    assert (code, out) == (0, "")
    assert err == f"Couldn't use data file '{folder}/.coverage.bad': {message}\nCombined 1 file, 1 file errored"
    assert (folder / ".coverage.bad").exists()
    assert lines_in(folder / ".coverage") == [1]


# coverage.py makes a foreign database its own, and does without tables that it does not ask for; to us neither is a data file.
OTHERWISE_REPORTED = ("foreign", "without context", "without arc", "folder", "zeros at the end", "odd bits")


@pytest.mark.parametrize("kind", [kind for kind in DAMAGE if kind not in OTHERWISE_REPORTED])
def test_as_what_is_reported(folder: Path, kind: str) -> None:
    (folder / ".coverage.bad").rename(folder / ".coverage")
    DAMAGE[kind](folder / ".coverage")
    theirs, ours = in_both(folder, "report")
    assert ours[0] == theirs[0]
    if "Traceback" not in theirs[2]:
        assert ours[:2] == theirs[:2]


REPORTS = [["html", "-q", "-d", "out"], *([command, "-q", "-o", "out"] for command in ("xml", "json", "lcov")), ["annotate", "-d", "out"]]


def coverage_here(arguments: list[str]) -> tuple[int, str] | None:
    """coverage.py's exit code and output, in this process; no value when it dies of an exception."""
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = coverage.cmdline.main(arguments) or 0
    except Exception:
        return None
    return code, out.getvalue().split("; see https://")[0].strip()


@pytest.mark.parametrize("kind", [kind for kind in DAMAGE if kind not in OTHERWISE_REPORTED])
def test_as_what_every_report_reads(folder: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    (folder / ".coverage.bad").rename(folder / ".coverage")
    DAMAGE[kind](folder / ".coverage")
    content = (folder / ".coverage").read_bytes()
    for arguments in REPORTS:
        (folder / ".coverage").write_bytes(content)
        theirs = coverage_here(arguments)
        theirs_is_there = (folder / "out").exists()
        for path in (folder / "out", *folder.glob("*,cover")):
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        (folder / ".coverage").write_bytes(content)
        code, out, _ = run_in(folder, "qd-cov", *arguments)
        if theirs is None:  # a traceback
            assert code == 1 and out.startswith("Couldn't use data file '"), arguments
            continue
        assert (code, out) == theirs, arguments
        # A report of nothing coverage.py leaves as a file or folder of nothing.
        assert (folder / "out").exists() == theirs_is_there or code == 1, arguments
        for path in (folder / "out", *folder.glob("*,cover")):
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


@pytest.mark.parametrize("seed", range(30))
def test_flipped_bits(folder: Path, seed: int) -> None:
    """An input that coverage.py reads in spite of the damage gives the same result here; an input that we do not use stays."""
    die = random.Random(seed)
    put(folder / ".coverage.good", [1])
    content = bytearray((folder / ".coverage.bad").read_bytes())
    pages = [at for at in range(0, len(content), 4096) if any(content[at : at + 4096])]
    for _ in range(die.randint(1, 3)):
        content[die.choice(pages) + die.choice([die.randrange(120), die.randrange(4096)])] ^= 1 << die.randrange(8)
    (folder / ".coverage.bad").write_bytes(content)
    theirs, ours = in_both(folder, "combine")
    assert ours[0] == 0
    if theirs[0] == 0 and "errored" not in theirs[2]:
        if "errored" not in ours[2]:
            assert ours == theirs
            # Rows of a context that there is not it leaves behind.
            assert set(lines_in(folder.with_name("by-qd-cov") / ".coverage")) >= set(lines_in(folder.with_name("by-coverage") / ".coverage"))
    if "errored" in ours[2]:
        assert (folder.with_name("by-qd-cov") / ".coverage.bad").read_bytes() == content


def test_paths_of_any_characters(folder: Path) -> None:
    names = ["new\nline.py", "quote'\".py", "<b>&amp;.py", "tab\t.py", "esc\x1b[31m.py", "h\u00e9\u4e2d\U0001f600.py"]
    names += ["%s{}.py", " .py", "back\\slash.py"]
    for i, name in enumerate(names):
        if "/" not in name:
            (folder / name).write_text(SOURCE)
        put(folder / f".coverage.{i}", [1 + i], name)
    (folder / ".coverage.bad").unlink()
    theirs, ours = in_both(folder, "combine")
    assert ours == theirs
    found = {}
    for tool in ["coverage", "qd-cov"]:
        data = CoverageData(str(folder.with_name(f"by-{tool}") / ".coverage"))
        data.read()
        found[tool] = {name: sorted(data.lines(name) or []) for name in data.measured_files()}
    assert found["qd-cov"] == found["coverage"]


def test_locked_by_another_process(folder: Path) -> None:
    """An input is read all the same, as coverage.py does; the file that is added to is waited for."""
    put(folder / ".coverage", [1])
    con = sqlite3.connect(folder / ".coverage")
    con.execute("BEGIN EXCLUSIVE")
    code, out, _ = run_in(folder, "qd-cov", "combine", "--append")
    assert (code, out) == (1, f"Couldn't use data file '{folder}/.coverage': database is locked: (SQLITE_BUSY)")
    assert (folder / ".coverage.bad").exists()
    con.rollback()
    con.close()
    con = sqlite3.connect(folder / ".coverage.bad")
    con.execute("BEGIN EXCLUSIVE")
    theirs, ours = in_both(folder, "combine", "--append", "--keep")
    assert ours == theirs
    assert ours[0] == 0
    con.close()


def test_journal_of_a_writer_that_died(folder: Path) -> None:
    (folder / ".coverage.bad").rename(folder / ".coverage")
    program = (
        "import os, sqlite3\n"
        "con = sqlite3.connect('.coverage')\n"
        "con.execute('PRAGMA cache_size = 1')\n"
        "con.execute('BEGIN')\n"
        "con.executemany('INSERT INTO context (context) VALUES (?)', [(str(i) * 900,) for i in range(3000)])\n"
        "os.kill(os.getpid(), 9)\n"
    )
    subprocess.run(["python", "-c", program], cwd=folder, check=False)
    assert (folder / ".coverage-journal").exists()
    theirs, ours = in_both(folder, "report")
    assert ours[:2] == theirs[:2]
    assert ours[1] == f"Couldn't use data file '{folder}/.coverage': it has a journal file to roll back"


def test_write_ahead_log(folder: Path) -> None:
    """The newest data is beside the file; `combine`, which deletes its inputs, reads it, too."""
    program = (
        "import os, sqlite3\n"
        "con = sqlite3.connect('.coverage.bad', isolation_level=None)\n"
        "con.execute('PRAGMA journal_mode = wal')\n"
        "con.execute('PRAGMA wal_autocheckpoint = 0')\n"
        "con.execute('UPDATE line_bits SET numbits = ?', (bytes([0b10]),))\n"
        "os._exit(0)\n"
    )
    subprocess.run(["python", "-c", program], cwd=folder, check=True)
    run_in(folder, "qd-cov", "combine", "--keep")
    assert lines_in(folder / ".coverage") == [1]
    for end in ("", "-wal", "-shm"):
        (folder / f".coverage.bad{end}").rename(folder / f".coverage{end}")
    theirs, ours = in_both(folder, "report", "--format=total")
    assert ours[:2] == theirs[:2]
    assert ours[1] != "100"
    put(folder / ".coverage.good", [2])
    run_in(folder, "qd-cov", "combine", "--append")
    assert lines_in(folder / ".coverage") == [1, 2]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")
def test_without_permission(folder: Path) -> None:
    put(folder / ".coverage.good", [1])
    (folder / ".coverage.bad").chmod(0)
    theirs, ours = in_both(folder, "combine")
    assert ours == theirs
    folder.chmod(0o555)
    code, out, _ = run_in(folder, "qd-cov", "combine")
    folder.chmod(0o755)
    assert code == 1
    assert out.startswith(f"Couldn't use data file '{folder}/.coverage': ")
    assert (folder / ".coverage.good").exists()

"""Data files that are made to be read for ever, and sources without an end: each command refuses them at once."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from coverage_commands import coverage_py

RECURSIVE = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT {} FROM r"

# Hostile schemas: SQL that replaces a table or adds to it, and the part of the message that names it.
SCHEMAS = {
    "file is a view": ("ALTER TABLE file RENAME TO file2; CREATE VIEW file AS " + RECURSIVE.format("n AS id, '/x' || n AS path"), "view 'file'"),
    "line_bits is a view": (
        "ALTER TABLE line_bits RENAME TO bits2; CREATE VIEW line_bits AS " + RECURSIVE.format("1 AS file_id, n AS context_id, x'02' AS numbits"),
        "view 'line_bits'",
    ),
    "context is a view": (
        "ALTER TABLE context RENAME TO context2; CREATE VIEW context AS " + RECURSIVE.format("n AS id, 'c' || n AS context"),
        "view 'context'",
    ),
    "meta is a view": ("ALTER TABLE meta RENAME TO meta2; CREATE VIEW meta AS " + RECURSIVE.format("'has_arcs' AS key, '0' AS value"), "view 'meta'"),
    "a view beside": ("CREATE VIEW more AS SELECT 1", "view 'more'"),
    "a trigger": ("CREATE TRIGGER t AFTER INSERT ON file BEGIN DELETE FROM line_bits; END", "trigger 't'"),
    "a trigger on meta": ("CREATE TRIGGER t BEFORE INSERT ON meta BEGIN SELECT raise(ABORT, 'no'); END", "trigger 't'"),
    "a virtual table": ("CREATE VIRTUAL TABLE v USING fts5(x)", "virtual table 'v'"),
    "a generated column": (
        "ALTER TABLE tracer RENAME TO tracer2; CREATE TABLE tracer (file_id integer primary key, tracer text AS (hex(zeroblob(100000000))))",
        "generated column 'tracer.tracer'",
    ),
    "an index of an expression": ("CREATE INDEX i ON file (abs(id))", "index of expressions 'i'"),
}

# Each opens the data file.
COMMANDS = [
    "report",
    "html -q",
    "xml -q",
    "json -q",
    "lcov -q",
    "annotate",
    "debug data",
    "diff --compare-branch main",
    "which-tests a.py:1",
    "badge -o b.svg",
    "check untested-changes --compare-branch main",
    "trend --append",
    "debug probes a.py",
    "combine --keep -q good .coverage",
    "combine -a --keep -q good",
    "run -a -q a.py",
]


def qd_cov(folder: Path, command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["qd-cov", *command.split()], cwd=folder, capture_output=True, text=True, check=False, timeout=30)


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository, and its data."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "a.py").write_text("x = 1\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "a.py")
    git(folder, "commit", "-qm", "a")
    coverage_py(["run", "a.py"], folder, check=True)
    (folder / "good").write_bytes((folder / ".coverage").read_bytes())
    return folder


@pytest.fixture
def folder(shared: Path) -> Iterator[Path]:
    """The repository, afterwards with the data that it had and without the files that a test made."""
    before = {*shared.iterdir()} - {shared / ".coverage"}
    yield shared
    for path in {*shared.iterdir()} - before:
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    (shared / ".coverage").write_bytes((shared / "good").read_bytes())


def change(folder: Path, script: str) -> None:
    connection = sqlite3.connect(folder / ".coverage")
    connection.executescript(script)
    connection.close()


@pytest.mark.parametrize("what", SCHEMAS)
def test_only_tables(folder: Path, what: str) -> None:
    script, words = SCHEMAS[what]
    change(folder, script)
    content = (folder / ".coverage").read_bytes()
    for command in ["report", "combine --keep -q good .coverage", "html -q"]:
        done = qd_cov(folder, command)
        # An input of combine that cannot be used is told; the others are combined.
        assert done.returncode == (0 if command.startswith("combine") else 1), (command, done)
        assert words in done.stdout + done.stderr, (command, done)
        (folder / ".coverage").write_bytes(content)
    assert qd_cov(folder, "erase").returncode == 0
    assert not (folder / ".coverage").exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_refuses_a_recursive_view(folder: Path, command: str) -> None:
    change(folder, SCHEMAS["file is a view"][0])
    content = (folder / ".coverage").read_bytes()
    done = qd_cov(folder, command)
    assert "view 'file'" in done.stdout + done.stderr, done
    if command.startswith("combine --keep -q good .coverage"):
        assert done.returncode == 0
    else:
        assert done.returncode == 1
        assert (folder / ".coverage").read_bytes() == content


def test_tables_and_columns_of_others_do_no_harm(folder: Path) -> None:
    change(folder, "CREATE TABLE more (x); INSERT INTO more VALUES (1); ALTER TABLE file ADD COLUMN more text; CREATE INDEX i ON arc (fromno)")
    done = qd_cov(folder, "report")
    assert (done.returncode, "100%" in done.stdout) == (0, True), done


def test_pages_that_are_reached_in_many_ways(folder: Path) -> None:
    """A tree of pages whose inner pages all lead to the same next one has more rows than there are atoms."""
    change(folder, "CREATE TABLE more (x); DELETE FROM line_bits;")
    connection = sqlite3.connect(folder / ".coverage")
    connection.execute("DROP TABLE arc")
    connection.execute("CREATE TABLE arc (file_id integer, context_id integer, fromno integer, tono integer)")
    connection.executemany("INSERT INTO arc VALUES (1, 1, ?, ?)", ((i, i) for i in range(300)))
    connection.execute("UPDATE meta SET value = '1' WHERE key = 'has_arcs'")
    connection.commit()
    root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'arc'").fetchone()[0]
    connection.close()
    content = bytearray((folder / ".coverage").read_bytes())
    size = int.from_bytes(content[16:18], "big")
    leaf = content[(root - 1) * size : root * size]
    first = len(content) // size + 1
    depth, cells = 8, 200
    pages = [root, *range(first, first + depth)]
    for page, below in zip(pages, pages[1:]):
        body = bytearray(size)
        place = size
        offsets = []
        for key in range(cells):
            place -= 6
            body[place : place + 6] = below.to_bytes(4, "big") + bytes([0x81 if key > 127 else 0x80, key & 127])
            offsets.append(place)
        body[0:12] = bytes([5, 0, 0]) + cells.to_bytes(2, "big") + place.to_bytes(2, "big") + b"\0" + below.to_bytes(4, "big")
        for i, offset in enumerate(offsets):
            body[12 + 2 * i : 14 + 2 * i] = offset.to_bytes(2, "big")
        if len(content) < page * size:
            content.extend(bytes(page * size - len(content)))
        content[(page - 1) * size : page * size] = body
    content.extend(bytes(pages[-1] * size - len(content)))
    content[(pages[-1] - 1) * size : pages[-1] * size] = leaf
    content[28:32] = (len(content) // size).to_bytes(4, "big")
    content[92:96] = content[24:28]
    (folder / ".coverage").write_bytes(content)
    done = qd_cov(folder, "report")
    assert done.returncode == 1 and "Couldn't use data file" in done.stdout, done


SOURCES = ["a pipe", "a device without end", "a folder", "a socket"]
REPORTS = [
    "report",
    "html -q",
    "html -q --split",
    "html -q",
    "annotate",
    "xml -q",
    "json -q",
    "lcov -q",
    "trend --append",
    "badge -o b.svg",
    "diff --compare-branch main",
    "check untested-changes --compare-branch main",
]


@pytest.mark.parametrize("what", SOURCES)
def test_sources_that_are_no_files(folder: Path, what: str) -> None:
    path = folder / "odd.py"
    if what == "a pipe":
        os.mkfifo(path)
    elif what == "a folder":
        path.mkdir()
    elif what == "a socket":
        import socket

        socket.socket(socket.AF_UNIX).bind(os.path.relpath(path)) if len(str(path)) > 100 else socket.socket(socket.AF_UNIX).bind(str(path))
    else:
        path.symlink_to("/dev/zero")
    change(folder, f"INSERT INTO file VALUES (99, '{path}'); INSERT INTO line_bits SELECT 99, context_id, numbits FROM line_bits LIMIT 1")
    for command in REPORTS:
        done = qd_cov(folder, command)
        if command.startswith(("diff", "check")):  # these look only at files that git knows
            assert done.returncode in (0, 1), (command, done)
            continue
        assert done.returncode == 1, (command, done)
        assert any(name in done.stdout + done.stderr for name in ("odd.py", "/dev/zero")), (command, done)
        assert ("Is a directory" if what == "a folder" else "not a regular file") in done.stdout + done.stderr, (command, done)


@pytest.mark.parametrize(
    "command", ["report", "html -q", "html -q --split", "xml -q", "json -q", "lcov -q", "debug data", "combine -q --keep good .coverage"]
)
def test_an_empty_path(folder: Path, command: str) -> None:
    change(folder, "INSERT INTO file VALUES (99, ''); INSERT INTO line_bits SELECT 99, context_id, numbits FROM line_bits LIMIT 1")
    done = qd_cov(folder, command)
    assert "cannot make absolute path" not in done.stdout + done.stderr
    if command.startswith(("debug", "combine")):
        assert done.returncode == 0, done
    else:
        assert done.returncode == 1 and done.stdout.startswith("No source for code: '"), done
    if command == "report":
        theirs = coverage_py(["report"], folder)
        assert theirs.stdout.split(";")[0].rstrip(".\n") == done.stdout.rstrip(".\n")

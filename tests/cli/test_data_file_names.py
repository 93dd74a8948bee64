"""A data file's name that is another file's: that file is neither overwritten nor deleted."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from coverage import CoverageData
from coverage_commands import coverage_py
from run_program import qd_cov


def database(*statements: str) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        connection = sqlite3.connect(path)
        for statement in statements:
            connection.execute(statement)
        connection.commit()
        connection.close()

    return make


def text(content: str) -> Callable[[Path], None]:
    return lambda path: path.write_text(content) and None


def link_to_source(path: Path) -> None:
    (path.parent / "linked.py").write_text("kept = 1\n")
    path.symlink_to("linked.py")


def database_with_log(path: Path) -> None:
    """A database whose tables are all in the log beside it."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=wal")
    connection.execute("PRAGMA wal_autocheckpoint=0")
    connection.execute("CREATE TABLE precious (x)")
    connection.execute("INSERT INTO precious VALUES (1)")
    connection.commit()
    for name in (path, path.with_name(path.name + "-wal")):
        shutil.copy(name, name.with_name("copy-" + name.name))
    connection.close()
    for name in (path, path.with_name(path.name + "-wal")):
        shutil.move(name.with_name("copy-" + name.name), name)


# Existing files of other kinds, and their names.
OTHERS: dict[str, tuple[str, Callable[[Path], None]]] = {
    "a source": ("source.py", text("x = 1\n")),
    "a source with the names of coverage.py's tables": ("source.py", text("x = 'SQLite format 3 CREATE TABLE coverage_schema'\n")),
    "an empty source": ("__init__.py", lambda path: path.touch()),
    "a configuration": (".coverage", text("[run]\nbranch = true\n")),
    "bytes": ("data", lambda path: path.write_bytes(b"\0\1\2" * 999) and None),
    "a database": ("data.db", database("CREATE TABLE people (name)", "INSERT INTO people VALUES ('Ann')")),
    "a database of the default name": (".coverage", database("CREATE TABLE people (name)")),
    "a database with a log": ("data.db", database_with_log),
    "a folder": ("folder", lambda path: path.mkdir()),
    "a folder of the default name": (".coverage", lambda path: path.mkdir()),
    "a link": ("link", link_to_source),
    "a pipe": ("pipe", lambda path: os.mkfifo(path)),
    "a report": ("coverage.xml", text("<coverage/>\n")),
}


def content_of(folder: Path) -> dict[str, object]:
    found: dict[str, object] = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        found[name] = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else path.stat().st_mode
    return found


def put_data(path: Path) -> None:
    data = CoverageData(str(path))
    data.add_lines({"/x/a.py": [1, 2]})
    data.close()


# Those that write or delete a data file.
WAYS = {
    "erase": ["erase"],
    "erase --data-file": ["erase", "--data-file={}"],
    "run": ["run", "program.py"],
    "run --data-file": ["run", "--data-file={}", "program.py"],
    "run -a": ["run", "-a", "program.py"],
    "run --no-host": ["run", "--no-host", "--", "true"],
    "combine": ["combine", "other.data"],
    "combine --data-file": ["combine", "--data-file={}", "other.data"],
    "combine -a": ["combine", "-a", "other.data"],
}


@pytest.mark.parametrize("what", OTHERS)
@pytest.mark.parametrize("way", WAYS)
def test_it_stays(tmp_path: Path, what: str, way: str) -> None:
    name, make = OTHERS[what]
    (tmp_path / "program.py").write_text("open('ran', 'w')\n")
    make(tmp_path / name)
    put_data(tmp_path / "other.data")
    arguments = [argument.format(name) for argument in WAYS[way]]
    environment = {}
    if "--data-file" not in way and "a " in way:
        environment["COVERAGE_FILE"] = name
    elif "--data-file" not in way:
        (tmp_path / ".coveragerc").write_text(f"[run]\ndata_file = {name}\n")
    before = content_of(tmp_path)
    done = qd_cov(tmp_path, *arguments, **environment)
    assert done.returncode == 1
    assert name in done.stdout + done.stderr
    assert content_of(tmp_path) == before  # the program has not run either: its data would be lost


def test_parts_that_are_none(tmp_path: Path) -> None:
    """`erase` and `combine` take all that begins with the name of the data file."""
    (tmp_path / ".coveragerc").write_text("[run]\nparallel = true\ndata_file = data\n")
    for name in ("data", "data.1", "data.host.pid1.Xabcdefx"):
        put_data(tmp_path / name)
    kept = {"data.py": "x = 1\n", "data.md": "# Data\n", "data.json": "{}"}
    for name, content in kept.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "data.d").mkdir()
    database("CREATE TABLE t (x)")(tmp_path / "data.db")
    done = qd_cov(tmp_path, "erase")
    assert done.returncode == 1
    assert all(name in done.stdout for name in [*kept, "data.d", "data.db"]), done.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([".coveragerc", *kept, "data.d", "data.db"])
    assert all((tmp_path / name).read_text() == content for name, content in kept.items())
    put_data(tmp_path / "data.1")
    done = qd_cov(tmp_path, "combine")
    assert done.returncode == 0 and "Combined 1 file, 5 files errored" in done.stderr, done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([".coveragerc", "data", *kept, "data.d", "data.db"])


def test_a_duplicate_by_its_name_alone(tmp_path: Path) -> None:
    """coverage.py believes the hash in a name, and deletes the file unread."""
    put_data(tmp_path / ".coverage.a.pid1.Xabcdefx.HABCDEFGHIJh")
    (tmp_path / ".coverage.b.pid2.Xabcdefx.HABCDEFGHIJh").write_text("x = 1\n")
    done = qd_cov(tmp_path, "combine")
    assert (done.returncode, done.stderr) == (0, "Combined 1 file, skipped 1\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".coverage", ".coverage.b.pid2.Xabcdefx.HABCDEFGHIJh"]


def old_schema(path: Path) -> None:
    put_data(path)
    database("UPDATE coverage_schema SET version = 2")(path)


def cut(path: Path) -> None:
    put_data(path)
    path.write_bytes(path.read_bytes()[:9000])


def of_coverage_itself(path: Path) -> None:
    (path.parent / "measured.py").write_text("x = 1\n")
    coverage_py(["run", f"--data-file={path}", "measured.py"], path.parent, check=True)


# Data of any version, damaged or not.
DATA: dict[str, Callable[[Path], None]] = {
    "of this version": put_data,
    "of coverage run": of_coverage_itself,
    "of an old schema": old_schema,
    "of a new schema": lambda path: (put_data(path), database("UPDATE coverage_schema SET version = 99")(path)) and None,
    "of coverage.py 4": text('!coverage.py: This is a private format, don\'t read it directly!{"lines":{"/x/a.py":[1]}}'),
    "cut off": cut,
    "with a view": lambda path: (put_data(path), database("CREATE VIEW v AS SELECT 1")(path)) and None,
    "of a database without tables": database("PRAGMA user_version = 1"),
}


@pytest.mark.parametrize("way", ["erase", "run", "combine", "parts"])
@pytest.mark.parametrize("kind", [*DATA, "empty", "a link"])
def test_data_goes(tmp_path: Path, kind: str, way: str) -> None:
    name = ".coverage" if kind == "empty" else "data"
    path = tmp_path / (f"{name}.part" if way == "parts" else name)
    if kind == "empty":
        path.touch()
    elif kind == "a link":
        put_data(tmp_path / "target")
        path.symlink_to("target")
    else:
        DATA[kind](path)
    (tmp_path / "program.py").write_text("x = 1\n")
    put_data(tmp_path / "other.data")
    (tmp_path / ".coveragerc").write_text(f"[run]\ndata_file = {name}\nparallel = {way == 'parts'}\n")
    arguments = {"erase": ["erase"], "parts": ["erase"], "run": ["run", "-q", "program.py"], "combine": ["combine", "-q", "--keep", "other.data"]}[
        way
    ]
    done = qd_cov(tmp_path, *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    if way in ("erase", "parts"):
        assert not os.path.lexists(path)
        return
    data = CoverageData(str(path))
    data.read()
    assert {os.path.basename(file) for file in data.measured_files()} == ({"program.py"} if way == "run" else {"a.py"})
    assert path.is_symlink() == (kind == "a link")


def test_parallel_mode_leaves_what_has_the_base_name(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("x = 1\n")
    assert qd_cov(tmp_path, "run", "-p", "-q", "--data-file=program.py", "program.py").returncode == 0
    assert (tmp_path / "program.py").read_text() == "x = 1\n"
    assert len(list(tmp_path.glob("program.py.*"))) == 1


@pytest.mark.parametrize("content", ["x = 1\n", ""])
def test_journals_that_are_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "_qd_kcov-journal.7").write_text(content)
    (tmp_path / "_qd_kcov.7").write_text(content)
    for command, named in (("recover", "_qd_kcov-journal.7"), ("combine", "_qd_kcov-journal.7"), ("erase", "_qd_kcov.7")):
        done = qd_cov(tmp_path, command)
        assert done.returncode == 1 and named in done.stdout + done.stderr
        assert (tmp_path / "_qd_kcov-journal.7").read_text() == (tmp_path / "_qd_kcov.7").read_text() == content


def test_an_empty_file_for_the_data(tmp_path: Path) -> None:
    """An empty file, as of COVERAGE_FILE=$(mktemp), which coverage.py takes."""
    (tmp_path / "t.py").write_text("x = 1\n")
    (tmp_path / "tmp.Ab12").touch()
    done = subprocess.run(
        ["qd-cov", "run", "-q", "--", "python", "t.py"], cwd=tmp_path, env={**os.environ, "COVERAGE_FILE": "tmp.Ab12"}, capture_output=True, text=True
    )
    assert (done.returncode, (tmp_path / "tmp.Ab12").stat().st_size > 0) == (0, True), done.stderr

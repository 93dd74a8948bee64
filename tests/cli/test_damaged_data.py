"""Data files in which a byte is another one: other numbers come with an error or a note."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from coverage_commands import coverage_py
from diff_repository import Repository
from kernel_project import measure, qd_cov

SOURCE = """\
def f(a, b):
    if a:
        x = 1
    else:
        x = 2
    while b:
        b -= 1
        if b == 3:
            break
    return x


f(1, 5)
f(0, 0)
"""


def report(folder: Path) -> tuple[int, str, str]:
    done = subprocess.run(
        ["qd-cov", "report", "-m", "--data-file=damaged"], cwd=folder, capture_output=True, text=True, errors="replace", check=False
    )
    return done.returncode, done.stdout, done.stderr


def pages(path: Path, *names: str) -> list[int]:
    """The numbers of the root pages of tables and indexes, from 0."""
    rows = sqlite3.connect(path).execute("SELECT name, rootpage FROM sqlite_master").fetchall()
    return [root - 1 for name, root in rows if name in names]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "m.py").write_text(SOURCE)
    return tmp_path


@pytest.mark.parametrize("own_tables", [False, True])
def test_branches(folder: Path, own_tables: bool) -> None:
    """All bytes of the rows of arcs and of their index, also where SQLite reads the file because it has tables of our own."""
    coverage_py(["run", "--branch", "m.py"], folder, check=True)
    if own_tables:
        (folder / "x.info").write_text("SF:x.c\nDA:1,1\nend_of_record\n")
        subprocess.run(["qd-cov", "combine", "-q", "--append", "x.info"], cwd=folder, check=True)
    data = (folder / ".coverage").read_bytes()
    shutil.copy(folder / ".coverage", folder / "damaged")
    good = report(folder)
    assert good[0] == 0
    told = 0
    for page in pages(folder / ".coverage", "arc", "sqlite_autoindex_arc_1"):
        used = [at for at in range(4096 * page, 4096 * (page + 1)) if data[at]]
        for at in used[8 :: 7 if not own_tables else 15]:
            damaged = bytearray(data)
            damaged[at] ^= 1 << at % 8
            (folder / "damaged").write_bytes(damaged)
            found = report(folder)
            assert found == good or found[0] == 1 or found[2], (at, found)
            told += found != good
    assert told > 10


def test_tables_of_kernels(tmp_path: Path) -> None:
    """What SQLite alone reads is looked at as a whole, too: tables of ours, their names, the names of contexts."""
    measure(tmp_path)
    (tmp_path / ".coverage").rename(tmp_path / "data")
    data = (tmp_path / "data").read_bytes()
    commands = (["report", "--kernel-states"], ["report", "--contexts=qd:"])

    def reports() -> list[tuple[int, str, str]]:
        done = [qd_cov(tmp_path, *command, "--data-file=data") for command in commands]
        return [(one.returncode, one.stdout, one.stderr) for one in done]

    good = reports()
    assert [one[0] for one in good] == [0, 0]
    names = [f"{kind}{name}" for name in ("context", "qd_function", "qd_probe") for kind in ("", "sqlite_autoindex_")]
    places = [data.index(b"CREATE TABLE qd_function") + len("CREATE TABLE qd_")]
    for page in pages(tmp_path / "data", *names, *(f"{name}_1" for name in names)):
        places += [at for at in range(4096 * page, 4096 * (page + 1)) if data[at]][8::5]
    for at in places:
        damaged = bytearray(data)
        damaged[at] ^= 1 << at % 8
        (tmp_path / "data").write_bytes(damaged)
        for found, before in zip(reports(), good, strict=True):
            assert found == before or found[0] == 1 or found[2], (at, found)
    assert len(places) > 20


def test_bits_of_lines_are_what_they_are(folder: Path) -> None:
    """A data file has them once: no reader can tell one that is another, and lines after the end of the source change no number."""
    coverage_py(["run", "m.py"], folder, check=True)
    with sqlite3.connect(folder / ".coverage") as data:
        data.execute("UPDATE line_bits SET numbits = CAST(numbits || x'0001' AS BLOB)")
    (folder / ".coverage").rename(folder / "damaged")
    code, out, err = report(folder)
    assert (code, err) == (0, "") and "m.py       11      0   100%" in out


def test_a_file_without_a_number(folder: Path) -> None:
    """One byte of the schema: then no row of a file belongs to any."""
    coverage_py(["run", "--branch", "m.py"], folder, check=True)
    data = (folder / ".coverage").read_bytes()
    at = data.index(b"id integer primary key,\n    path text") + 3
    (folder / "damaged").write_bytes(data[:at] + b"h" + data[at + 1 :])
    code, out, err = report(folder)
    assert code == 1 and "a value of column 'id' is not of its type" in out + err


PARTS = {"report": [], "json": ["-q"], "xml": ["-o", "-"], "html": ["-q"], "lcov": ["-q"], "badge": ["-q"]}


@pytest.mark.parametrize("command", PARTS)
def test_a_part_that_cannot_be_read_misses_gates(tmp_path: Path, command: str) -> None:
    """It may have files that nothing else has. Other files only have the names of parts."""
    (tmp_path / "m.py").write_text("x = 1\n")
    (tmp_path / "n.py").write_text("import sys\nif len(sys.argv) > 9:\n    x = 1\n    y = 2\n")
    for name in ("m.py", "n.py"):
        coverage_py(["run", f"--data-file=.coverage.{name}", name], tmp_path, check=True)
    (tmp_path / ".coverage.txt").write_text("notes\n")
    part = tmp_path / ".coverage.n.py"
    part.write_bytes(part.read_bytes()[:20000])
    for gate, code in ((["--fail-under=90"], 2), ([], 0)):
        done = qd_cov(tmp_path, command, *PARTS[command], *gate)
        assert (done.returncode, part.exists()) == (code, True), done.stdout + done.stderr
        assert ("Coverage failure: data file '.coverage.n.py' could not be read as a whole.\n" in done.stdout) == (code == 2)
    part.unlink()
    done = qd_cov(tmp_path, "report", "--fail-under=90")
    assert (done.returncode, ".coverage.txt" in done.stderr) == (0, True)


def test_a_part_that_cannot_be_read_and_copies_of_sources(folder: Path) -> None:
    """A command without a number has no threshold to miss, as in coverage.py; hashes it asks for by itself."""
    coverage_py(["run", "m.py"], folder, check=True)
    (folder / ".coverage.n").write_bytes((folder / ".coverage").read_bytes()[:20000])
    (folder / ".coveragerc").write_text("[report]\nfail_under = 1\n")
    codes = [qd_cov(folder, *command).returncode for command in (["annotate"], ["annotate", "--require-hashes"], ["report"])]
    assert codes == [0, 2, 2] and coverage_py(["annotate"], folder).returncode == 0


@dataclass
class Shard:
    """A file that `combine` cannot read, and how it is given."""

    name: str
    content: bytes | None  # None: half of a data file
    named: bool = False
    lost: bool = True


SHARDS = {
    "half": Shard(".coverage.n", None),
    "half, named": Shard("half", None, named=True),
    "empty": Shard(".coverage.n", b""),
    "empty report": Shard("n.info", b"TN:\n", named=True),
    "page of an error": Shard(".coverage.host.pid7.Xabcdefx.Habcdefghijh", b"<html>Not found"),
    "kernels": Shard("_qd_kcov.vm.pid7.Xabcdefx", b"notes\n"),
    "journal": Shard("_qd_kcov-journal.vm.pid7.Xabcdefx", b"notes\n"),
    "journal of another version": Shard("_qd_kcov-journal.vm.pid7.Xabcdefx", b"QDKCOVJ1" + bytes(99)),
    "journal without a byte": Shard("_qd_kcov-journal.vm.pid7.Xabcdefx", b""),
    "named": Shard("notes.txt", b"notes\n", named=True),
    "another file": Shard(".coverage.txt", b"notes\n", lost=False),
}


@pytest.mark.parametrize("kind", SHARDS)
def test_an_input_of_combine_that_cannot_be_read_misses_gates(repo: Repository, kind: str) -> None:
    """The reports behind it know, wherever the file was, until it is read or deleted and something is combined again."""
    folder, shard = repo.folder, SHARDS[kind]
    lost = folder / "shards" / shard.name
    lost.parent.mkdir()
    repo.write("b.py", "x = 1\n")
    repo.commit()
    repo.measure({"b.py": [1]}, "shards/.coverage.b")
    repo.measure({"a.py": [1]}, "shards/whole")
    whole = (folder / "shards/whole").read_bytes()
    lost.write_bytes(whole[:20000] if shard.content is None else shard.content)
    done = qd_cov(folder, "combine", "shards", *([f"shards/{shard.name}"] if shard.named else []))
    assert (done.returncode, done.stderr.splitlines()[-1], lost.exists()) == (0, "Combined 1 file, 1 file errored", True)

    def check(code: int) -> None:
        done = qd_cov(folder, "report", "--fail-under=1")
        assert (done.returncode, f"Coverage failure: data file '{shard.name}' could not be read as a whole.\n" in done.stdout) == (code, code == 2)
        assert [qd_cov(folder, "html", "-q", "--fail-under=1").returncode for _ in range(2)] == [code, code]
        assert repo.diff("--fail-under-total=1").code == code
        assert repo.diff("--fail-under=100").code == qd_cov(folder, "report").returncode == 0
        assert qd_cov(folder, "json", "-q", "--record-commit").returncode == qd_cov(folder, "trend", "--append").returncode == code // 2

    check(2 if shard.lost else 0)
    (folder / "shards").rename(folder / "elsewhere")
    check(2 if shard.lost else 0)
    (folder / "elsewhere").rename(folder / "shards")
    if shard.content is None:
        lost.write_bytes(whole)
        assert qd_cov(folder, "combine", "--append", f"shards/{shard.name}").returncode == 0
    else:
        lost.unlink()
        assert qd_cov(folder, "combine", "--append", "shards/whole").returncode == 0
    check(0)


def test_data_of_an_unread_input_on_another_machine(repo: Repository) -> None:
    """Its folders have the same names there, as on all machines of a CI service, and not the file: it was not deleted."""
    repo.measure({"a.py": [1]}, ".coverage.a")
    (repo.folder / ".coverage.b").write_bytes((repo.folder / ".coverage.a").read_bytes()[:20000])
    assert qd_cov(repo.folder, "combine").returncode == 0
    (repo.folder / ".coverage").rename(repo.folder / ".coverage.job")
    (repo.folder / ".coverage.b").unlink()
    assert qd_cov(repo.folder, "combine").returncode == 0
    done = qd_cov(repo.folder, "report", "--fail-under=1")
    assert (done.returncode, "data file '.coverage.b' could not be read as a whole." in done.stdout) == (2, True)


@pytest.mark.parametrize("place", [".", "shards"])
def test_a_killed_run_that_cannot_be_recovered_misses_gates(repo: Repository, place: str) -> None:
    """Its data is in a folder that `combine` leaves alone."""
    run = repo.folder / place / ".qd-cov-run.vm.pid7.Xabcdefx"
    run.mkdir(parents=True)
    (run / "run.json").write_text("{")
    repo.measure({"a.py": [1]}, f"{place}/.coverage.a")
    done = qd_cov(repo.folder, "combine", *([place] if place != "." else []))
    assert (done.returncode, f"{run.name}' is left alone: its 'run.json' cannot be read" in done.stderr) == (0, True)
    done = qd_cov(repo.folder, "report", "--fail-under=1")
    assert (done.returncode, f"data file '{run.name}' could not be read as a whole." in done.stdout) == (2, True)
    shutil.rmtree(run)
    repo.measure({"a.py": [2]}, ".coverage.b")
    assert qd_cov(repo.folder, "combine", "--append").returncode == qd_cov(repo.folder, "report", "--fail-under=1").returncode == 0


def test_data_of_a_test_session_that_cannot_be_read_misses_gates(repo: Repository) -> None:
    """pytest-cov combines its parts, and our plugin adds to the result what it has read of copies of them."""
    repo.measure({"a.py": [1]}, "whole")
    copy = repo.folder / "copies/.coverage.part"
    copy.parent.mkdir()
    copy.write_bytes((repo.folder / "whole").read_bytes()[:20000])
    assert qd_cov(repo.folder, "combine", "--keep", "--data-file=lacking", "whole", str(copy)).returncode == 0
    for older in (copy, repo.folder / "lacking"):
        for option in ("--parts", "--older"):
            shutil.copy(repo.folder / "whole", repo.folder / ".coverage")
            assert qd_cov(repo.folder, "report", "--fail-under=1").returncode == 0
            assert qd_cov(repo.folder, "note-session", option, str(older), "--", ".coverage", "pytest").returncode == 0
            done = qd_cov(repo.folder, "report", "--fail-under=1")
            assert (done.returncode, "data file '.coverage.part' could not be read as a whole." in done.stdout) == (2, True), (older, option, done)


def test_a_killed_run_that_is_not_combined_misses_gates(repo: Repository) -> None:
    """It may have data of files that nothing else has."""
    repo.measure({"a.py": [1]})
    run = repo.folder / ".qd-cov-run.vm.pid7.Xabcdefx"
    run.mkdir()
    (run / "run.json").write_text("{")
    for command in (["report"], ["html", "-q"], ["xml", "-q"]):
        done = qd_cov(repo.folder, *command, "--fail-under=1")
        assert (done.returncode, f"Coverage failure: data in '{run.name}' is not combined.\n" in done.stdout) == (2, True), done.stdout + done.stderr
    assert f"The data of the killed run '{run.name}' is not combined yet" in qd_cov(repo.folder, "report").stderr
    assert qd_cov(repo.folder, "json", "-q", "--record-commit").returncode == 1
    assert (repo.diff("--fail-under-total=1").code, repo.diff("--fail-under=1").code, repo.diff("--fail-under-total=1", ".coverage").code) == (
        2,
        0,
        0,
    )
    shutil.rmtree(run)
    assert qd_cov(repo.folder, "report", "--fail-under=1").returncode == repo.diff("--fail-under-total=1").code == 0


def as_another_user(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The program without root's right to read all files."""
    rights = "-dac_override,-dac_read_search"
    another = ["setpriv", f"--inh-caps={rights}", f"--bounding-set={rights}"] if os.geteuid() == 0 else []
    return subprocess.run([*another, "qd-cov", *arguments], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", [".coverage.n", "_qd_kcov.n"])
def test_an_input_that_nobody_may_read_misses_gates(repo: Repository, name: str) -> None:
    """Its content may be measured data."""
    repo.measure({"a.py": [1]})
    repo.measure({"a.py": [1]}, name)
    (repo.folder / name).chmod(0)
    if name.startswith(".coverage"):
        done = as_another_user(repo.folder, "report", "--fail-under=1")
        assert (done.returncode, f"data file '{name}' could not be read as a whole." in done.stdout) == (2, True), done.stdout + done.stderr
    assert as_another_user(repo.folder, "diff", "--fail-under-total=1").returncode == 2
    repo.measure({"a.py": [1]}, ".coverage.m")
    assert as_another_user(repo.folder, "combine", "--append").returncode == 0
    assert as_another_user(repo.folder, "report", "--fail-under=1").returncode == 2
    (repo.folder / name).chmod(0o644)
    assert qd_cov(repo.folder, "combine", "--append").returncode == 0
    assert qd_cov(repo.folder, "report", "--fail-under=1").returncode == 0


def test_a_folder_that_nobody_may_read(repo: Repository) -> None:
    """Shards that are named, and not seen: nothing is combined."""
    repo.measure({"a.py": [1]}, ".coverage.a")
    shards = repo.folder / "shards"
    shards.mkdir()
    repo.measure({"a.py": [2]}, "shards/.coverage.b")
    shards.chmod(0o100)
    done = as_another_user(repo.folder, "combine", ".", "shards")
    shards.chmod(0o700)
    assert (done.returncode, done.stdout) == (1, "Couldn't combine from 'shards': Permission denied\n")
    assert (repo.folder / ".coverage.a").exists()


def test_a_whole_file_of_the_same_name_as_a_damaged_one(folder: Path) -> None:
    """It is no duplicate: coverage.py deletes it unread."""
    coverage_py(["run", "-p", "m.py"], folder, check=True)
    (whole,) = folder.glob(".coverage.*")
    for place in ("1", "2"):
        (folder / place).mkdir()
        shutil.copy(whole, folder / place)
    whole.unlink()
    (folder / "1" / whole.name).write_bytes((folder / "1" / whole.name).read_bytes()[:20000])
    assert "Combined 1 file, 1 file errored" in qd_cov(folder, "combine", "1", "2").stderr
    assert qd_cov(folder, "report", "--fail-under=100").returncode == 0


def test_a_part_that_cannot_be_read_misses_gates_of_the_total(repo: Repository) -> None:
    """Changed lines that only it covers are missing anyway."""
    repo.write("b.py", "x = 1\n")
    repo.commit()
    repo.measure({"b.py": [1]})
    repo.measure({"a.py": []}, ".coverage.part")
    assert repo.diff("--fail-under-total=50", "--fail-under=100").code == 2
    part = repo.folder / ".coverage.part"
    part.write_bytes(part.read_bytes()[:20000])
    report = repo.diff("--fail-under-total=50", "--fail-under=100")
    assert (report.code, report.err.count("Failure")) == (2, 1)
    assert "Failure. Total coverage is not known: data file '.coverage.part' could not be read as a whole.\n" in report.err
    for excuse in (["--fail-under=100"], ["--fail-under-total=50", "--on-no-data=pass"]):
        assert repo.diff(*excuse).code == 0

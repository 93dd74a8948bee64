"""Journals in lines, as report/data/JOURNAL_LINES.md specifies them: made by plain Python, read by each command that reads journals."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import sqlite3
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest
from diff_repository import Repository
from run_program import qd_cov

SOURCE = """\
def clip(v, top):
    if v > top:
        return top
    return v


def other():
    return 1
"""
NAME = "_qd_kcov-journal.vm.pid4.Xabcdefx"
ARCS = [[0, -1, 2], [0, -1, 3], [0, 2, 3], [0, -1, 4], [0, 2, 4]]


def record(kind: str, **members: Any) -> bytes:
    text = json.dumps({"kind": kind, **members}).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def hit(number: int) -> bytes:
    text = b"h%08x" % number
    return text + b"%06x\n" % (zlib.crc32(text) & 0xFFFFFF)


def start(**members: Any) -> bytes:
    writer = {"host": "vm", "boot": "b", "pid_namespace": 1, "pid": 4, "started": 5, "lock": 1}
    return b"qd-cov lines 1\n" + record("start", **{"number": 7, "branch": True, "relative_to": "", "writer": writer, **members})


def code(folder: Path, first: int = 0, arguments: str = "v=int64", arcs: Any = ARCS, **more: Any) -> bytes:
    function = {"file": str(folder / "sim.py"), "first_line": 1, "name": "clip", "kernel": True}
    return record("code", first=first, arch="numba:cpu", arguments=arguments, functions=[function], arcs=arcs, **more)


def report(folder: Path, *options: str) -> list[str]:
    """The row of sim.py in the table."""
    done = qd_cov(folder, "report", "-m", *options)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(line.split() for line in done.stdout.splitlines() if line.startswith("sim.py"))


def combined(folder: Path, journal: bytes) -> str:
    (folder / "sim.py").write_text(SOURCE)
    (folder / NAME).write_bytes(journal)
    done = qd_cov(folder, "combine", "--data-file=.coverage")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_hits_and_what_was_not_reached(tmp_path: Path) -> None:
    combined(tmp_path, start() + code(tmp_path) + hit(0) + hit(1) + hit(2))
    assert report(tmp_path, "--arch=numba:cpu")[:5] == ["sim.py", "6", "4", "2", "1"]
    assert not (tmp_path / NAME).exists()
    probes = qd_cov(tmp_path, "debug", "probes").stdout
    assert "clip" in probes and "not hit: 4" in probes, probes


def test_contexts(tmp_path: Path) -> None:
    labels = record("context", label="a|run") + hit(1) + record("context", label="") + hit(3)
    combined(tmp_path, start() + code(tmp_path) + hit(0) + labels)
    tests = qd_cov(tmp_path, "which-tests", "sim.py:3").stdout
    assert "a" in tests.split(), tests
    assert report(tmp_path, "--contexts=^a")[6:] == ["1-2,", "4-8"]


def test_variants_of_one_function(tmp_path: Path) -> None:
    combined(tmp_path, start() + code(tmp_path) + code(tmp_path, 5, "v=float64") + hit(0) + hit(1) + hit(5) + hit(8) + hit(7) + hit(4))
    assert report(tmp_path)[6:] == ["1,", "7-8"], "each took one way of the branch"
    with contextlib.closing(sqlite3.connect(tmp_path / ".coverage")) as database:
        rows = database.execute(
            "SELECT arguments, fromno, tono FROM qd_variant_arc JOIN qd_variant ON qd_variant.id = variant_id WHERE taken AND fromno > 0"
        )
        assert set(rows) == {("v=int64", 2, 4), ("v=float64", 2, 3)}


def decision(outcomes: list[str], function: int = 0) -> list[Any]:
    return [function, "if", [2, 7, 2, 24], [[2, 7, 2, 14], [2, 19, 2, 24]], outcomes]


def test_conditions(tmp_path: Path) -> None:
    recorded = code(tmp_path, decisions=[decision(["F-F", "TFF", "TTT"])])
    combined(tmp_path, start() + recorded + code(tmp_path, 8, "v=float64") + hit(0) + hit(5) + hit(8) + hit(7))
    (tmp_path / "sim.py").write_text(SOURCE.replace("v > top:", "v > top and v < 5:"))
    said = qd_cov(tmp_path, "report", "--conditions", "-m").stdout
    assert "v < 5 never false" in said and "never true" not in said, said
    assert "MC/DC: 50%, 1 of 2 conditions shown to decide alone." in said, said


def test_lines_alone(tmp_path: Path) -> None:
    combined(tmp_path, start(branch=False) + code(tmp_path) + hit(0) + hit(2) + hit(3))
    assert report(tmp_path)[:3] == ["sim.py", "6", "4"]


def test_relative_names(tmp_path: Path) -> None:
    combined(tmp_path, start(relative_to=str(tmp_path)) + code(tmp_path) + hit(0))
    shown = qd_cov(tmp_path, "debug", "data").stdout
    assert str(tmp_path / "sim.py") not in shown and "sim.py" in shown, shown


@pytest.mark.parametrize(
    "spoilt",
    [
        hit(1).replace(b"1", b"2", 1),
        b"h0000000\n",
        record("context", label="x").replace(b"x", b"y"),
        hit(99),
        record("code", first=0),
        code(Path("/"), first=3),
        code(Path("/"), first=5, arcs=[[4, 1, 2]]),
        code(Path("/"), first=5, decisions=[decision(["TF"])]),
        code(Path("/"), first=5, decisions=[decision(["TFT"], function=1)]),
        b"\xff\xfe\n",
    ],
)
def test_damage_is_told_and_the_rest_counts(tmp_path: Path, spoilt: bytes) -> None:
    said = combined(tmp_path, start() + code(tmp_path) + hit(0) + spoilt + hit(3) + hit(4))
    assert f"is damaged: {len(spoilt)} of " in said, said
    assert report(tmp_path)[6:] == ["1,", "3,", "7-8"]
    assert list(tmp_path.glob("_qd_kcov-damaged.*")), "the damaged journal is kept"


def test_damage_misses_gates(tmp_path: Path) -> None:
    """Of the total, whichever command reads the journal, until the damaged journal is deleted and something is combined again."""
    repo = Repository(tmp_path)
    repo.write("sim.py", SOURCE)
    repo.commit()
    repo.git("checkout", "-q", "-b", "work")
    repo.write("sim.py", SOURCE.replace("v > top:", "v > top and v < 5:"))
    conditions = code(tmp_path, decisions=[decision(["F-F"])])
    damaged = start() + conditions + hit(0) + hit(5) + b"h0000000\n"

    def check(expected: int) -> None:
        for gate in ("--fail-under-total=1", "--require-archs=numba:cpu", "--fail-under=numba:cpu=0", "--fail-under-conditions=0"):
            assert repo.diff(gate).code == repo.diff(gate, ".coverage").code == expected, gate
        done = qd_cov(tmp_path, "report", "--fail-under=1")
        assert done.returncode == expected, done.stdout
        assert (f"Coverage failure: data file '{NAME}' could not be read as a whole.\n" in done.stdout) == (expected == 2)

    (tmp_path / NAME).write_bytes(damaged)
    report = repo.diff("--fail-under-total=1")
    assert (report.code, "is damaged: 9 of " in report.err) == (2, True)
    for read in (["combine"], ["combine", "--keep"], ["recover", "-q"]):
        (tmp_path / NAME).write_bytes(damaged)
        qd_cov(tmp_path, *read)
        if read[0] == "recover":
            assert qd_cov(tmp_path, "combine", "--data-file=.coverage").returncode == 0
        check(2)
        (tmp_path / "other").write_bytes(start(number=8) + conditions + hit(0))
        assert qd_cov(tmp_path, "combine", "--append", "other").returncode == 0
        check(2)
        for journal in (*tmp_path.glob("_qd_kcov-damaged.*"), *tmp_path.glob(NAME)):
            journal.unlink()
        (tmp_path / "other").write_bytes(start(number=9) + conditions + hit(0))
        assert qd_cov(tmp_path, "combine", "--append", "other").returncode == 0
        check(0)


def test_line_that_was_cut_off(tmp_path: Path) -> None:
    said = combined(tmp_path, start() + code(tmp_path) + hit(0) + hit(3)[:9])
    assert "damaged" not in said, said
    assert report(tmp_path)[6:] == ["1,", "3-8"]


def test_unknown_records_are_passed_over(tmp_path: Path) -> None:
    said = combined(tmp_path, start() + record("later", x=1) + code(tmp_path) + hit(0))
    assert "damaged" not in said and report(tmp_path)


def test_journal_of_a_running_process_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / NAME).write_bytes(start() + code(tmp_path) + hit(0))
    with (tmp_path / NAME).open("r+b") as file:
        fcntl.fcntl(file, fcntl.F_OFD_SETLK, struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0))
        assert qd_cov(tmp_path, "recover").returncode == 1
        assert (tmp_path / NAME).exists()
    mark = {"host": "vm", "boot": "", "pid_namespace": 1, "pid": 4, "started": 5, "lock": 1}
    (tmp_path / NAME).write_bytes(start(writer=mark) + code(tmp_path) + hit(0))
    assert qd_cov(tmp_path, "recover").returncode == 0
    assert not (tmp_path / NAME).exists() and list(tmp_path.glob("_qd_kcov.*"))


def test_start_alone_is_no_data(tmp_path: Path) -> None:
    combined(tmp_path, start())
    assert "No data to report" in qd_cov(tmp_path, "report").stdout

"""`qd-cov combine` that is killed, interrupted, or out of room at each of its changes of the file system: nothing is lost."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
from pathlib import Path

import pytest
from coverage import CoverageData

INPUTS = {".coverage.one": 1, ".coverage.two": 2, "_qd_kcov.three": 3}
PRESENT = 9  # the line that the data file has before


@pytest.fixture(scope="module")
def end_at_call(tmp_path_factory: pytest.TempPathFactory) -> Path:
    library = tmp_path_factory.mktemp("preload") / "end_at_call.so"
    source = Path(__file__).parent / "end_at_call.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return library


def lines_in(path: Path) -> set[int]:
    data = CoverageData(str(path))
    data.read()
    return set(data.lines("/src/a.py") or [])


def put_inputs(folder: Path) -> None:
    for name, line in [*INPUTS.items(), (".coverage", PRESENT)]:
        data = CoverageData(str(folder / name))
        data.add_lines({"/src/a.py": [line]})
        data.close()


def check_nothing_is_lost(folder: Path, append: bool) -> None:
    left = [name for name in INPUTS if (folder / name).exists()]
    for name in left:
        assert lines_in(folder / name) == {INPUTS[name]}
    result = set(INPUTS.values()) | ({PRESENT} if append else set())
    assert lines_in(folder / ".coverage") in ([{PRESENT}, result] if len(left) == len(INPUTS) else [result])


def combine(folder: Path, library: Path, append: bool, **environment: str) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"LD_PRELOAD": str(library)} | environment
    arguments = ["--append"] if append else []
    return subprocess.run(["qd-cov", "combine", *arguments], cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("append", [False, True], ids=["anew", "append"])
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM], ids=lambda s: s.name)
def test_ended_at_any_moment(tmp_path: Path, end_at_call: Path, how: signal.Signals, append: bool) -> None:
    counts = tmp_path / "counts"
    whole = tmp_path / "whole"
    whole.mkdir()
    put_inputs(whole)
    assert combine(whole, end_at_call, append, END_COUNTS=str(counts)).returncode == 0
    check_nothing_is_lost(whole, append)
    n = int(counts.read_text())
    assert n > 15
    for call in range(1, n + 1):
        folder = tmp_path / str(call)
        folder.mkdir()
        put_inputs(folder)
        done = combine(folder, end_at_call, append, END_AT=str(call), END_WITH=str(int(how)))
        check_nothing_is_lost(folder, append)
        if how != signal.SIGKILL:
            assert done.returncode in (-how, 0)
            assert {p.name for p in folder.iterdir()} <= {*INPUTS, ".coverage"}
            # With some of them left, combining again would make less.
            assert len([name for name in INPUTS if (folder / name).exists()]) in (0, len(INPUTS))
        else:
            assert done.returncode == -how


def test_inputs_go_when_the_result_is_on_the_disk(tmp_path: Path, end_at_call: Path) -> None:
    (tmp_path / "data").mkdir()
    put_inputs(tmp_path / "data")
    assert combine(tmp_path / "data", end_at_call, False, END_NAMES=str(tmp_path / "names")).returncode == 0
    names = (tmp_path / "names").read_text().split()
    # The file, its name, the folder that has the name; then the inputs.
    assert names[names.index("rename") - 1 :][:3] == ["fsync", "rename", "fsync"]
    assert set(names[names.index("rename") + 2 :]) <= {"remove", "unlink"} and len(names[names.index("rename") + 2 :]) >= len(INPUTS)
    assert not {"remove", "unlink"} & set(names[: names.index("rename")])


@pytest.mark.parametrize("kilobytes", [0, 1, 4, 20, 50])
def test_no_room_for_the_result(tmp_path: Path, kilobytes: int) -> None:
    put_inputs(tmp_path)
    size = kilobytes * 1024
    done = subprocess.run(
        ["qd-cov", "combine"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)),
    )
    assert done.returncode == 1
    assert done.stdout.startswith(f"Couldn't use data file '{tmp_path.resolve()}/.coverage': ")
    assert "SQLITE_FULL" in done.stdout or "SQLITE_IOERR" in done.stdout
    assert {p.name for p in tmp_path.iterdir()} == {*INPUTS, ".coverage"}
    check_nothing_is_lost(tmp_path, append=False)

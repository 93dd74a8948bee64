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


def check_the_next_completes(folder: Path, append: bool) -> None:
    """The next combine, plain or not, keeps everything that an interrupted one had in its result, and nothing else is left."""
    result = set(INPUTS.values()) | ({PRESENT} if append else set())
    in_place = lines_in(folder / ".coverage") == result
    arguments = [] if in_place or not append else ["--append"]
    done = subprocess.run(["qd-cov", "combine", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert lines_in(folder / ".coverage") == result
    assert (done.returncode, done.stdout) in ((0, ""), (1, "No data to combine\n"))
    assert [p.name for p in folder.iterdir()] == [".coverage"]


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
        check_the_next_completes(folder, append)


def test_inputs_go_when_the_result_is_on_the_disk(tmp_path: Path, end_at_call: Path) -> None:
    (tmp_path / "data").mkdir()
    put_inputs(tmp_path / "data")
    assert combine(tmp_path / "data", end_at_call, False, END_NAMES=str(tmp_path / "names")).returncode == 0
    names = (tmp_path / "names").read_text().split()
    # The file, the list of inputs, its name, the folder that has the name; then the inputs, and the list.
    rename = names.index("renameat2")
    assert names[rename - 3 : rename + 2] == ["fsync", "pwrite", "fsync", "renameat2", "fsync"]
    assert set(names[rename + 2 :]) <= {"remove", "unlink", "ftruncate"} and len(names[rename + 2 :]) >= len(INPUTS)
    assert not {"remove", "unlink"} & set(names[:rename])


def test_a_new_input_after_an_interrupted_combine(tmp_path: Path, end_at_call: Path) -> None:
    """The result is as if the first one had not been interrupted, and the next one were to add."""
    put_inputs(tmp_path)
    combine(tmp_path, end_at_call, False, END_NAMES=str(tmp_path / "names"), END_AT=str(kill_after_rename(tmp_path, end_at_call)), END_WITH="9")
    (tmp_path / "names").unlink()
    assert lines_in(tmp_path / ".coverage") == set(INPUTS.values())
    assert 0 < len([name for name in INPUTS if (tmp_path / name).exists()]) < len(INPUTS)
    data = CoverageData(str(tmp_path / ".coverage.new"))
    data.add_lines({"/src/a.py": [7]})
    data.close()
    done = subprocess.run(["qd-cov", "combine"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr == "Completed a combination that was interrupted. Combined 1 file\n"
    assert lines_in(tmp_path / ".coverage") == {*INPUTS.values(), 7}
    assert [p.name for p in tmp_path.iterdir()] == [".coverage"]


def test_named_inputs_of_an_interrupted_combine(tmp_path: Path, end_at_call: Path) -> None:
    put_inputs(tmp_path)
    combine(tmp_path, end_at_call, False, END_AT=str(kill_after_rename(tmp_path, end_at_call)), END_WITH="9")
    done = subprocess.run(["qd-cov", "combine", *INPUTS], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stderr == "Completed a combination that was interrupted\n"
    assert lines_in(tmp_path / ".coverage") == set(INPUTS.values())


def test_a_report_completes_an_interrupted_combine(tmp_path: Path, end_at_call: Path) -> None:
    put_inputs(tmp_path)
    combine(tmp_path, end_at_call, False, END_AT=str(kill_after_rename(tmp_path, end_at_call)), END_WITH="9")
    subprocess.run(["qd-cov", "report", "-i"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert [p.name for p in tmp_path.iterdir()] == [".coverage"]
    assert lines_in(tmp_path / ".coverage") == set(INPUTS.values())


def test_an_input_that_was_written_anew_is_not_of_the_interrupted_combine(tmp_path: Path, end_at_call: Path) -> None:
    put_inputs(tmp_path)
    combine(tmp_path, end_at_call, False, END_AT=str(kill_after_rename(tmp_path, end_at_call)), END_WITH="9")
    (left,) = [name for name in INPUTS if (tmp_path / name).exists()][-1:]
    (tmp_path / left).unlink()
    data = CoverageData(str(tmp_path / left))
    data.add_lines({"/src/a.py": [70, 71]})
    data.close()
    assert subprocess.run(["qd-cov", "combine", "-q"], cwd=tmp_path, check=False).returncode == 0
    assert lines_in(tmp_path / ".coverage") == {*INPUTS.values(), 70, 71}


def test_a_list_that_somebody_else_wrote_deletes_nothing(tmp_path: Path, end_at_call: Path) -> None:
    put_inputs(tmp_path)
    combine(tmp_path, end_at_call, False, END_AT=str(kill_after_rename(tmp_path, end_at_call)), END_WITH="9")
    (note,) = tmp_path.glob(".qd-cov*.lock")
    note.chmod(0o666)
    left = {name: (tmp_path / name).read_bytes() for name in INPUTS if (tmp_path / name).exists()}
    assert subprocess.run(["qd-cov", "combine", "--keep", "-q"], cwd=tmp_path, check=False).returncode == 0
    assert {name: (tmp_path / name).read_bytes() for name in left} == left


def kill_after_rename(folder: Path, library: Path) -> int:
    """The number of the call before which one input is deleted and others are not."""
    whole = folder / "whole"
    whole.mkdir()
    put_inputs(whole)
    combine(whole, library, False, END_NAMES=str(folder / "calls"))
    names = (folder / "calls").read_text().split()
    for path in [folder / "calls", *whole.iterdir()]:
        path.unlink()
    whole.rmdir()
    return names.index("renameat2") + 1 + 1 + 1 + 2  # counted from 1; the folder's fsync, the old data file, one input


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

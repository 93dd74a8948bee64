"""`qd-cov run` with a full disk, a read-only folder, or an interrupt: a message, an exit code, and the data is somewhere."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from coverage import CoverageData

PROGRAM = "import time\nx = 1\nprint('ready', flush=True)\ntime.sleep(0 if len(__import__('sys').argv) < 2 else 60)\ny = 2\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    work = (tmp_path / "work").resolve()
    work.mkdir()
    monkeypatch.chdir(work)
    for name in ("COVERAGE_FILE", "COVERAGE_RCFILE", "COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    Path("program.py").write_text(PROGRAM)
    return work


def lines(file: str) -> set[int]:
    data = CoverageData(file)
    data.read()
    return set(data.lines(os.path.abspath("program.py")) or [])


def test_the_folder_goes_while_the_program_runs(folder: Path) -> None:
    """The data stays where the processes left it, and the last line says where."""
    (folder / "out").mkdir()
    Path("program.py").write_text("import os\nos.rmdir('out')\nopen('out', 'w').close()\n")
    done = subprocess.run(["qd-cov", "run", "-q", "--data-file=out/data", "program.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    found = re.search(r"^The data of this run is in '(.*)'\.$", done.stderr, re.MULTILINE)
    assert found, done
    (file,) = Path(found[1], "host").iterdir()
    assert lines(str(file)) == {1, 2, 3}


@pytest.mark.parametrize("value", ["/not/there", sys.executable], ids=["nothing", "a file"])
@pytest.mark.parametrize("name", ["TMPDIR", "TEMP"])
def test_a_temporary_folder_that_is_none(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in Python's tempfile, another one is taken."""
    monkeypatch.delenv("TMPDIR")
    monkeypatch.setenv(name, value)
    done = subprocess.run(["qd-cov", "run", "-q", "program.py"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert lines(".coverage") == {1, 2, 3, 4, 5}


@pytest.mark.parametrize("command", [["report"], ["run", "program.py"], ["diff"], ["erase"]], ids=lambda command: command[0])
def test_a_current_folder_that_is_gone(folder: Path, command: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "gone").mkdir()
    monkeypatch.chdir("gone")
    (folder / "gone").rmdir()
    done = subprocess.run(["qd-cov", *command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "Couldn't use the current folder: No such file or directory\n"), done


def test_a_full_disk(folder: Path) -> None:
    """The old data file is as it was; the program's own exit code counts when it is an error."""
    subprocess.run(["qd-cov", "run", "-q", "program.py"], check=True, capture_output=True)
    before = Path(".coverage").read_bytes()
    Path("program.py").write_text(PROGRAM + "import sys\nsys.exit(7)\n")

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    done = subprocess.run(["qd-cov", "run", "-q", "program.py"], capture_output=True, text=True, check=False, preexec_fn=limit)
    assert done.returncode in (1, 7), done
    assert "Couldn't" in done.stderr
    assert Path(".coverage").read_bytes() == before
    assert not [name for name in os.listdir() if name.endswith(".tmp")]


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_interrupted_while_the_program_runs(name: str) -> None:
    command = ["qd-cov", "run", "-q", "program.py", "wait"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stdout and process.stdout.readline() == "ready\n"
        os.killpg(process.pid, getattr(signal, name)) if name == "SIGINT" else process.send_signal(signal.SIGTERM)
        code = process.wait(60)
    assert code == 128 + getattr(signal, name)
    assert Path(".coverage").exists()
    if name == "SIGINT":
        assert lines(".coverage") | {4} == {1, 2, 3, 4}  # the interrupt may come before line 4 begins


def test_interrupted_at_any_moment() -> None:
    """The data afterwards is whole, old or new, and no folder of ours stays behind."""
    subprocess.run(["qd-cov", "run", "-q", "program.py"], check=True, capture_output=True)
    for i in range(12):
        command = ["qd-cov", "run", "-q", "program.py"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True) as process:
            time.sleep(0.06 * i)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
            assert process.wait(60) in (0, 1, -signal.SIGINT, 128 + signal.SIGINT)
        assert lines(".coverage") <= {1, 2, 3, 4, 5}
        assert not [name for name in os.listdir() if name not in ("program.py", ".coverage")]

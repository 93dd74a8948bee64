"""Output that cannot be written is an error: a full disk, or a closed stream, as standard output and as the file of a report."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from coverage_commands import coverage_py
from diff_repository import TEN, Repository

FULL = "No space left on device"

# Each writes something to standard output.
COMMANDS = [
    "--help",
    "--version",
    "",
    "help",
    "help report",
    "report --help",
    "report --version",
    "report",
    "report --format=total",
    "report --kernel-states",
    "diff --compare-branch main",
    "diff --compare-branch main --format markdown",
    "diff --compare-branch main --format json:-",
    "check untested-changes --compare-branch main",
    "check --list",
    "debug data",
    "debug sys",
    "debug config",
    "which-tests a.py:1",
    "xml -o -",
    "json -o -",
    "lcov -o -",
    "badge -o -",
    "completion bash",
    "completion zsh",
    "completion fish",
    "man",
]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a change, and its data."""
    repo = Repository(tmp_path_factory.mktemp("full") / "repo")
    repo.write(".gitignore", ".coverage\n")
    repo.write("a.py", TEN)
    repo.commit()
    repo.branch("work")
    repo.write("a.py", TEN + "extra = 1\nif not extra:\n    extra = 2\n")
    repo.commit()
    coverage_py(["run", "--context=test_a", "a.py"], repo.folder, check=True)
    return repo.folder


@pytest.fixture
def folder(shared: Path) -> Iterator[Path]:
    """The repository, afterwards without the files that a test made."""
    before = {*shared.iterdir()}
    data = (shared / ".coverage").read_bytes()
    yield shared
    for path in {*shared.iterdir()} - before:
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    (shared / ".coverage").write_bytes(data)


def shell(folder: Path, command: str, redirection: str, code: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(["sh", "-c", f"{code}qd-cov {command} {redirection}"], cwd=folder, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_standard_output(folder: Path, command: str) -> None:
    shown = shell(folder, command, "")
    if not shown.stdout or shown.returncode not in (0, 2):  # an option that there is not, say
        pytest.fail(f"no example of something that is written: {shown}")
    done = shell(folder, command, "> /dev/full")
    assert done.returncode == 1
    assert FULL in done.stderr and done.stderr.count(FULL) == 1, done.stderr
    assert "terminate" not in done.stderr


@pytest.mark.parametrize("command", ["report", "--version", "diff --compare-branch main", "json -o -", "debug sys"])
def test_a_closed_standard_output(folder: Path, command: str) -> None:
    """No file that is opened gets its number, and then the output."""
    before = (folder / ".coverage").read_bytes()
    done = shell(folder, command, ">&-")
    assert (done.returncode, done.stderr.count("Bad file descriptor")) == (1, 1), done.stderr
    assert (folder / ".coverage").read_bytes() == before


@pytest.mark.parametrize(
    "command", ["xml -o out", "json -o out", "html -d out", "lcov -o out", "badge -o out", "combine --keep --data-file=out .coverage"]
)
def test_what_writes_nothing_there_needs_no_standard_output(folder: Path, command: str) -> None:
    assert shell(folder, command, ">&- 2>&-").returncode == 0
    assert shell(folder, command, "> /dev/full").returncode == 0
    with_all = shell(folder, command.replace("out", "again"), "")
    assert with_all.returncode == 0
    if not (folder / "out").is_dir() and not command.startswith(("combine", "xml", "json")):  # these have times
        assert (folder / "out").read_bytes() == (folder / "again").read_bytes()


def test_errors_come_through(folder: Path) -> None:
    """coverage.py's errors go to standard output; when that takes nothing, to standard error."""
    done = shell(folder, "report --data-file=nothing", "> /dev/full")
    assert done.returncode == 1 and done.stderr.startswith("No data to report.\nThere is no '")
    assert shell(folder, "report --data-file=nothing", ">&- 2>&-").returncode == 1
    assert shell(folder, "what", "> /dev/full 2> /dev/full").returncode == 1
    assert shell(folder, "report --rcfile=nothing", "> /dev/full 2> /dev/full").returncode == 1


def test_a_full_standard_error_changes_no_result(folder: Path) -> None:
    (folder / ".coveragerc").write_text("[run]\nunknown = 1\n[report]\nfail_under = 1\n")  # a warning
    assert shell(folder, "report", "> out 2> /dev/full").returncode == 0
    assert "TOTAL" in (folder / "out").read_text()
    assert shell(folder, "report --fail-under=100", "2> /dev/full").returncode == 2
    assert shell(folder, "run a.py", "2> /dev/full").returncode == 0
    assert shell(folder, "run -- sh -c 'exit 7'", "2> /dev/full").returncode == 7


def test_a_gate_that_fails_stays_an_error(folder: Path) -> None:
    assert shell(folder, "report --fail-under=100", "").returncode == 2
    assert shell(folder, "report --fail-under=100", "> /dev/full").returncode == 1


def test_a_reader_that_has_gone(folder: Path) -> None:
    """A reader that has gone ends the program by SIGPIPE, as any other program; where that is ignored, the write is an error."""
    for ignored in (False, True):
        read_end, write_end = os.pipe()
        os.close(read_end)
        handler = signal.SIG_IGN if ignored else signal.SIG_DFL
        done = subprocess.run(
            ["qd-cov", "report"],
            cwd=folder,
            stdout=write_end,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            restore_signals=False,
            preexec_fn=lambda handler=handler: signal.signal(signal.SIGPIPE, handler),
        )
        os.close(write_end)
        assert done.returncode == (1 if ignored else -signal.SIGPIPE)
        assert ("Broken pipe" in done.stderr) == ignored


def test_a_command_finds_its_streams_as_they_were(folder: Path) -> None:
    """`run` does not give the command something else in the place of a closed stream."""
    (folder / "streams.py").write_text(
        "import json, os\nopen('open', 'w').write(json.dumps([os.path.exists(f'/proc/self/fd/{n}') for n in (0, 1)]))\n"
    )
    assert shell(folder, "run -q --no-host -- python3 streams.py", "<&- >&-").returncode == 0
    # Python's own file has the first free number.
    assert json.loads((folder / "open").read_text())[1] is False


def test_a_full_file_system(tmp_path: Path, folder: Path) -> None:
    """Reports leave nothing half-written, and the files from before."""
    small = tmp_path / "small"
    small.mkdir()
    script = f"mount -t tmpfs -o size=64k none {small} && cd {folder} && echo old > {small}/out && head -c 100k /dev/zero > {small}/fill; "
    commands = [
        "xml -o",
        "json -o",
        "html -d",
        "lcov -o",
        "badge -o",
        "diff --compare-branch main --format html:",
        "combine --keep -a --data-file=",
    ]
    for command in commands:
        target = f"{small}/{'new' + command[:1] if 'combine' in command or '-d' in command else 'out'}"
        blank, more = ("" if command.endswith((":", "=")) else " "), (" .coverage" if "combine" in command else "")
        run = f"qd-cov {command}{blank}{target}{more} > {folder}/said 2>&1"
        script += f'{run}; echo "$? $(tail -n 1 {folder}/said)"; cat {small}/out; ls -A {small} | grep -v new | wc -l; '
    done = subprocess.run(["unshare", "-m", "sh", "-c", script], capture_output=True, text=True, check=False, timeout=120)
    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip("needs to mount")
    lines = done.stdout.splitlines()
    assert len(lines) == 3 * len(commands), done.stdout + done.stderr
    for command, code, old, n in zip(commands, lines[0::3], lines[1::3], lines[2::3]):
        assert code.startswith("1 ") and (FULL in code or "SQLITE_FULL" in code), (command, code)
        assert (old, n.strip()) == ("old", "2"), (command, old, n)


def test_reports_without_proc(tmp_path: Path, folder: Path) -> None:
    """In a chroot without /proc an open file gets no name: new files and those from before are written all the same."""
    outputs = {"xml -o": "x.xml", "json -o": "x.json", "html -d": "htmlcov", "lcov -o": "x.info", "badge -o": "x.svg", "annotate -d": "copies"}
    script = "mount -t tmpfs none /proc || exit; " + "".join(f"qd-cov {words} {tmp_path}/{name};" * 2 for words, name in outputs.items())
    done = subprocess.run(["unshare", "-m", "sh", "-c", script], cwd=folder, capture_output=True, text=True, check=False, timeout=120)
    if "mount" in done.stderr or "unshare" in done.stderr:
        pytest.skip("needs to mount")
    assert "Couldn't write" not in done.stdout + done.stderr
    assert sorted(path.name for path in tmp_path.iterdir() if path != folder) == sorted(outputs.values())

"""Reports that are files: written whole or not at all, whatever happens meanwhile."""

from __future__ import annotations

import contextlib
import json
import os
import resource
import signal
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from condition_project import KERNELS, measure
from coverage import CoverageData

REPORTS = {"xml": "coverage.xml", "json": "coverage.json", "lcov": "coverage.lcov"}
SOURCE = "a = 1\nif a:\n    b = 3\n" * 200


@pytest.fixture(name="project")
def project_fixture(tmp_path: Path) -> Path:
    """One measured file, and a report of earlier."""
    (tmp_path / "a.py").write_text(SOURCE)
    data = CoverageData(str(tmp_path / ".coverage"))
    data.add_lines({str(tmp_path / "a.py"): [1, 2]})
    data.close()
    for name in REPORTS.values():
        (tmp_path / name).write_text("earlier")
    return tmp_path


def qd_cov(folder: Path, *arguments: str, prepare: Callable[[], None] | None = None) -> tuple[int, str]:
    """Exit code and standard output."""
    done = subprocess.run(["qd-cov", *arguments], cwd=folder, stdout=subprocess.PIPE, text=True, check=False, preexec_fn=prepare)
    return done.returncode, done.stdout


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("command", REPORTS)
def test_the_disk_is_full(project: Path, command: str) -> None:
    """The earlier report stays, and nothing else does."""
    before = names_in(project)
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))  # noqa: E731
    report = REPORTS[command]
    assert qd_cov(project, command, prepare=limit) == (1, f"Couldn't write '{report}': File too large\n")
    assert (project / report).read_text() == "earlier"
    assert names_in(project) == before
    assert qd_cov(project, command, "-o", "new.report", prepare=limit) == (1, "Couldn't write 'new.report': File too large\n")
    assert names_in(project) == before
    assert qd_cov(project, command, "-o", "/dev/full") == (1, "Couldn't write '/dev/full': No space left on device\n")


def test_the_disk_is_full_for_a_copy(project: Path) -> None:
    (project / "a.py,cover").write_text("earlier")
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))  # noqa: E731
    assert qd_cov(project, "annotate", prepare=limit) == (1, f"Couldn't write '{project}/a.py,cover': File too large\n")
    assert (project / "a.py,cover").read_text() == "earlier"


@pytest.mark.parametrize("command", REPORTS)
def test_places_that_take_no_file(project: Path, command: str) -> None:
    assert qd_cov(project, command, "-o", ".") == (1, "Couldn't write '.': Is a directory\n")
    assert qd_cov(project, command, "-o", "a.py/report") == (1, "Couldn't write 'a.py/report': Not a directory\n")
    assert qd_cov(project, command, "-o", "") == (1, "Couldn't write '': No such file or directory\n")
    assert (project / "a.py").read_text() == SOURCE


@pytest.mark.parametrize("command", REPORTS)
def test_a_link_stays_a_link_and_a_file_keeps_its_mode(project: Path, command: str) -> None:
    target = project / "target"
    target.write_text("earlier")
    target.chmod(0o640)
    (project / "link").symlink_to("target")
    assert qd_cov(project, command, "-q", "-o", "link")[0] == 0
    assert (project / "link").is_symlink()
    assert len(target.read_text()) > 1000
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    umask = os.umask(0)
    os.umask(umask)
    assert qd_cov(project, command, "-q", "-o", "fresh")[0] == 0
    assert stat.S_IMODE((project / "fresh").stat().st_mode) == 0o666 & ~umask


def has_begun(process: subprocess.Popen[bytes], folder: Path) -> bool:
    """Whether the program has begun: it has a file without a name open, which will be the report."""
    links = [os.readlink(path) for path in Path(f"/proc/{process.pid}/fd").iterdir() if path.is_symlink()]
    return any(link.startswith(str(folder)) and link.endswith("(deleted)") for link in links)


@pytest.mark.parametrize("command", REPORTS)
def test_an_interrupt_leaves_the_earlier_report(tmp_path: Path, command: str) -> None:
    """An interrupt comes while the report is made; should the program be quicker, its report is whole."""
    data = CoverageData(str(tmp_path / ".coverage"))
    for i in range(60):
        (tmp_path / f"a{i}.py").write_text(SOURCE * 10)
    data.add_lines({str(tmp_path / f"a{i}.py"): [1, 2] for i in range(60)})
    data.close()
    (tmp_path / REPORTS[command]).write_text("earlier")
    before = names_in(tmp_path)
    with subprocess.Popen(["qd-cov", command, "-q"], cwd=tmp_path) as running:
        with contextlib.suppress(OSError):
            while running.poll() is None and not has_begun(running, tmp_path):
                pass
        running.send_signal(signal.SIGINT)
    assert running.returncode in (0, -signal.SIGINT)
    assert names_in(tmp_path) == before
    text = (tmp_path / REPORTS[command]).read_text()
    assert text == "earlier" if running.returncode else len(text) > 100_000


def test_kernels_stand_in_reports_like_any_code(tmp_path: Path) -> None:
    """Tables of ours disturb nothing: coverage.py makes the same of the same data."""
    (tmp_path / "k.py").write_text(KERNELS)
    measure(tmp_path)
    for tool in ("coverage", "qd-cov"):
        for command in ("lcov", "json", "xml"):
            subprocess.run([tool, command, "-q", "-o", f"{tool}.{command}"], cwd=tmp_path, check=True)
        subprocess.run([tool, "annotate", "-d", tool], cwd=tmp_path, check=True)
    assert (tmp_path / "qd-cov.lcov").read_text() == (tmp_path / "coverage.lcov").read_text()
    assert (tmp_path / "qd-cov" / "k.py,cover").read_text() == (tmp_path / "coverage" / "k.py,cover").read_text()
    ours, theirs = (json.loads((tmp_path / f"{tool}.json").read_text()) for tool in ("qd-cov", "coverage"))
    assert list(ours) == list(theirs)
    assert (ours["files"], ours["totals"]) == (theirs["files"], theirs["totals"])
    lines = [(tmp_path / f"{tool}.xml").read_text().splitlines()[4:] for tool in ("qd-cov", "coverage")]
    assert lines[0] == lines[1]


def test_conditions_in_json(tmp_path: Path) -> None:
    """An object of our own when conditions are asked for; without it nothing tells that there are any."""
    (tmp_path / "k.py").write_text(KERNELS)
    measure(tmp_path)
    assert qd_cov(tmp_path, "json", "-q")[0] == 0
    assert "qd_cov" not in (tmp_path / "coverage.json").read_text()
    assert qd_cov(tmp_path, "json", "-q", "--conditions", "--pretty-print")[0] == 0
    report = json.loads((tmp_path / "coverage.json").read_text())
    numbers = {"num_decisions": 4, "num_outcomes": 16, "seen_outcomes": 6, "num_mcdc": 8, "shown_mcdc": 1, "num_decisions_without_mcdc": 0}
    assert report["qd_cov"] == {"summary": numbers}
    own = report["files"]["k.py"]["qd_cov"]
    assert own["summary"] == numbers
    assert len(own["decisions"]) == 4
    first = own["decisions"][0]
    assert (first["line"], first["kind"], first["measured"]) == (8, "if", True)
    assert first["conditions"][1] == {
        "line": 8,
        "text": "x[i] < low",
        "constant": None,
        "true_seen": False,
        "false_seen": True,
        "decides_alone": False,
    }
    assert qd_cov(tmp_path, "json", "-q", "--fail-under-conditions=90")[0] == 2

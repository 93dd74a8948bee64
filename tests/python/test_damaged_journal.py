"""A damaged journal of a process that died: the commands warn, use its undamaged records, and keep the file."""

from __future__ import annotations

import random
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from coverage import CoverageData
from test_nothing_lost import BODY, NEGATIVE, environment, lines, project, run

__all__ = ["project"]

MORE = "".join(f"\n\n@qd.kernel\ndef more{i}(x: qd.i32) -> qd.i32:\n    y = x + {i}\n    return y\n" for i in range(6))
PROGRAM = "import os\nimport signal\nimport kernels\nimport qd\nqd.init(log_level='error')\nkernels.sign(-3)\n" + "".join(
    f"kernels.more{i}(1)\n" for i in range(6)
)


def qd_cov(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["qd-cov", *arguments], cwd=folder, env=environment(), capture_output=True, text=True, check=False)


@pytest.fixture
def journal(project: Path) -> Path:
    (project / "kernels.py").write_text((project / "kernels.py").read_text() + MORE)
    (project / "program.py").write_text(PROGRAM + "os.kill(os.getpid(), signal.SIGKILL)\n")
    assert run(project, "") == -signal.SIGKILL
    (journal,) = project.glob("_qd_kcov-journal.*")
    return journal


def damage(journal: Path) -> None:
    """Damages the record that declares a kernel in the middle."""
    content = bytearray(journal.read_bytes())
    content[content.find(b"more3")] ^= 1
    journal.write_bytes(content)


def body(i: int, project: Path) -> int:
    return (project / "kernels.py").read_text().split("\n").index(f"    y = x + {i}") + 1


def check_what_is_left(project: Path) -> None:
    found = lines(project)
    assert found & BODY == NEGATIVE
    assert [i for i in range(6) if body(i, project) in found] == [0, 1, 2, 4, 5]
    gate = qd_cov(project, "report", "--fail-under=1")
    assert (gate.returncode, "could not be read" in gate.stdout) == (2, True)


def test_combine(project: Path, journal: Path) -> None:
    damage(journal)
    content = journal.read_bytes()
    done = qd_cov(project, "combine")
    assert done.returncode == 0
    assert re.search(r"CoverageWarning: Kernel coverage journal '.*' is damaged: \d+ of 65536 bytes cannot be used", done.stderr), done.stderr
    check_what_is_left(project)
    (kept,) = project.glob("_qd_kcov*")
    assert kept.name == journal.name.replace("-journal", "-damaged") and str(kept) in done.stderr
    assert kept.read_bytes() == content
    assert (qd_cov(project, "combine").stdout, lines(project) & BODY) == ("No data to combine\n", NEGATIVE)


def test_combine_keep(project: Path, journal: Path) -> None:
    damage(journal)
    assert "is damaged" in qd_cov(project, "combine", "--keep").stderr
    assert journal.exists()
    check_what_is_left(project)


def test_recover(project: Path, journal: Path) -> None:
    damage(journal)
    done = qd_cov(project, "recover")
    assert done.returncode == 1
    assert "is damaged" in done.stderr and "_qd_kcov-damaged." in done.stderr
    assert len(list(project.glob("_qd_kcov-damaged.*"))) == 1
    assert qd_cov(project, "combine").returncode == 0
    check_what_is_left(project)


def test_report_on_it(project: Path, journal: Path) -> None:
    damage(journal)
    done = qd_cov(project, "report", "--fail-under=1", f"--data-file={journal.name}")
    assert done.returncode == 2 and "is damaged" in done.stderr and "kernels.py" in done.stdout
    assert journal.exists()


@pytest.mark.parametrize("content", [b"", b"nothing of it" * 100, bytes(65536)], ids=["empty", "text", "zeros"])
def test_nothing_is_left(project: Path, journal: Path, content: bytes) -> None:
    journal.write_bytes(content)
    done = qd_cov(project, "combine")
    assert (done.returncode, done.stdout) == (1, "No usable data files\n")
    assert "it is no kernel coverage journal, or nothing of it is left" in done.stderr
    assert journal.read_bytes() == content
    done = qd_cov(project, "recover")
    assert done.returncode == 1 and journal.read_bytes() == content
    data = CoverageData(str(project / ".coverage.other"))
    data.add_lines({str(project / "kernels.py"): [1]})
    data.close()
    done = qd_cov(project, "combine", "--mixed")
    assert done.returncode == 0 and "nothing of it is left" in done.stderr and journal.exists()


def test_random_damage(project: Path, journal: Path) -> None:
    """The program as a whole; unit_instrument has thousands of damages of larger journals."""
    rng = random.Random(13)
    whole = journal.read_bytes()
    assert qd_cov(project, "combine", "-q", "--keep").returncode == 0
    hits = lines(project)
    used = len(whole.rstrip(b"\0"))
    for i in range(60):
        folder = project / str(i)
        folder.mkdir()
        content = bytearray(whole)
        at = rng.randrange(used)
        if i % 3 == 0:
            del content[at:]
        elif i % 3 == 1:
            content[at] ^= 1 << rng.randrange(8)
        else:
            content[at : at + 64] = bytes(64)
        if content == whole:
            continue
        (folder / journal.name).write_bytes(content)
        done = qd_cov(folder, "combine")
        assert done.returncode in (0, 1)
        assert "damaged" in done.stderr or "nothing of it is left" in done.stderr
        assert len(list(folder.glob("_qd_kcov*"))) == 1
        if done.returncode == 0:
            assert lines(folder) <= hits
        shutil.rmtree(folder)


def test_a_run_keeps_what_it_could_not_read(project: Path) -> None:
    (project / "kernels.py").write_text((project / "kernels.py").read_text() + MORE)
    spoil = """
import glob
for name in glob.glob(os.environ["QD_KERNEL_COVERAGE_DIR"] + "/_qd_kcov-journal.*"):
    content = bytearray(open(name, "rb").read())
    content[content.find(b"more3")] ^= 1
    open(name, "r+b").write(content)
os._exit(0)
"""
    (project / "program.py").write_text(PROGRAM + spoil)
    done = qd_cov(project, "run", "-q", sys.executable, "program.py")
    assert done.returncode == 0
    assert "is damaged" in done.stderr
    (folder,) = re.findall(r"The unreadable data is in '(.*)'", done.stderr)
    assert len(list(Path(folder, "kernels").glob("_qd_kcov-journal.*"))) == 1
    shutil.rmtree(folder)
    check_what_is_left(project)

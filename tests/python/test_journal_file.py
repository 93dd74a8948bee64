"""Journal of a live process that others truncate, move or delete: the program runs on, and its data file has everything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from test_nothing_lost import BODY, NEGATIVE, environment, lines, project

__all__ = ["project"]

PROGRAM = """
import os, signal, sys
import kernels, qd

caught = []
signal.signal(signal.SIGBUS, lambda *_: caught.append(1))
before = signal.getsignal(signal.SIGBUS)
qd.init(log_level="error")
kernels.sign(-3)
(name,) = (name for name in os.listdir() if name.startswith("_qd_kcov-journal."))
{what}
for n in range(3):
    assert kernels.sign(3 + n) == 1
assert signal.getsignal(signal.SIGBUS) is before
os.kill(os.getpid(), signal.SIGBUS)
assert caught == [1]
if sys.argv[1] == "die":
    os._exit(7)
"""

WHAT = {
    "cut off in the middle": "os.truncate(name, 4096)",
    "cut off by opening": "open(name, 'w').close()",
    "deleted": "os.unlink(name)",
    "replaced": "open('new', 'w').write('new'); os.rename('new', name)",
    "moved": "os.rename(name, 'away')",
    "read-only": "os.chmod(name, 0)",
    "overwritten": "open(name, 'r+b').write(b'x' * 65536)",
    "longer": "open(name, 'ab').write(b'x' * 100)",
    "limited": "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))",
    "closed": "os.closerange(3, 1000); own = [open(f'own{n}', 'w') for n in range(9)]",
}


@pytest.mark.parametrize("what", WHAT)
def test_the_program_ends_as_usual(project: Path, what: str) -> None:
    code = PROGRAM.format(what=WHAT[what])
    if what == "limited":
        code += "resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))\n"
    if what == "closed":
        code += "assert not any(os.path.getsize(file.name) for file in own)\n"
    done = subprocess.run([sys.executable, "-c", code, "end"], cwd=project, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert done.stderr.count("\n") == (what in ("limited", "closed")), done.stderr
    (file,) = project.glob("_qd_kcov.*")
    assert lines(project, file.name) & BODY == BODY
    left = [path.read_text() for path in project.glob("_qd_kcov-journal*")]
    assert left == (["new"] if what == "replaced" else []), "what is not ours stays"


@pytest.mark.parametrize("what", [what for what in WHAT if "cut off" in what or what in ("read-only", "moved")])
def test_the_program_dies(project: Path, what: str) -> None:
    """The part that was cut off has been written again."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(what=WHAT[what]), "die"], cwd=project, env=environment(), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (7, "")
    command = ["qd-cov", "combine", *(["away"] if what == "moved" else [])]
    done = subprocess.run(command, cwd=project, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "Combined 1 file\n")
    assert lines(project) & BODY == BODY


def test_cut_off_as_the_last_thing(project: Path) -> None:
    """Kernels of a journal that is cut off last are lost, with a warning."""
    code = (
        PROGRAM.format(what="os.truncate(name, 4096)")
        .replace("for n in range(3)", "for n in range(0)")
        .replace("kernels.sign(-3)", "kernels.sign(-3)")
    )
    done = subprocess.run([sys.executable, "-c", code, "die"], cwd=project, env=environment(), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (7, "")
    done = subprocess.run(["qd-cov", "combine"], cwd=project, env=environment(), capture_output=True, text=True, check=False)
    assert "damaged" in done.stderr and lines(project) & BODY == NEGATIVE

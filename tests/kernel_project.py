"""A project whose kernels are in every state: reached, not reached, not measured for each reason, not compiled."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from pathlib import Path

KERNELS = """\
import qd


@qd.func
def half(x):
    return x / 2


@qd.func
def unused_func(x):
    return x


@qd.kernel
def launched(fast: qd.template(), x: qd.f32) -> qd.f32:
    r = 0.0
    if qd.static(fast):
        r = half(x)
    else:
        r = x * 0.5
    if r < 0.0:
        r = -r
    return r


@qd.kernel
def never():
    pass


@qd.kernel
def sometimes(scale: qd.template(), x: qd.f32) -> qd.f32:
    return scale.attribute + x if qd.static(scale > 1) else x


@qd.kernel
def broken(x: qd.f32) -> qd.f32:
    return undefined_name * x
"""
PROGRAM = """\
import kernels, qd

qd.init(log_level="error")
kernels.launched(True, 3.0)
kernels.sometimes(1, 3.0)
for kernel, arguments in ((kernels.sometimes, (2, 3.0)), (kernels.broken, (1.0,))):
    try:
        kernel(*arguments)
    except qd.KernelCompilationError:
        pass
"""


def qd_cov(folder: Path, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command of qd-cov; `more` is environment."""
    env = {k: v for k, v in os.environ.items() if k.startswith("QD_OFFLINE") or not k.startswith(("COV", "QD_", "PYTEST", "NO_COLOR"))}
    return subprocess.run(["qd-cov", *arguments], cwd=folder, env={**env, **more}, capture_output=True, text=True, check=False)


def measure(folder: Path, **more: str) -> None:
    """Write the project and measure it, host and kernels, in branch mode."""
    (folder / "kernels.py").write_text(KERNELS)
    (folder / "program.py").write_text(PROGRAM)
    (folder / "plain.py").write_text("x = 1\n")
    (folder / "all.py").write_text("import plain, program\n")
    done = qd_cov(folder, "run", "--branch", "--source=.", "--", "python", "all.py", **more)
    assert done.returncode == 0, done.stdout + done.stderr


def rename_arch(data_file: Path, arch: str) -> None:
    """Turns data of the CPU into the data that another device would have given."""
    with sqlite3.connect(data_file) as db:
        db.execute("UPDATE qd_function SET arch = ?", (arch,))
        db.execute("UPDATE context SET context = replace(context, 'qd:cpu', ?)", (f"qd:{arch}",))
    db.close()

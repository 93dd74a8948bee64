"""The package's two import names: qdcov, and qd, which another project on PyPI has."""

import os
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import numpy as np
import {package} as qd
qd.init(arch=qd.{arch}, log_level="error")

@qd.kernel
def largest(x: qd.types.ndarray(dtype=qd.f32, ndim=1)) -> qd.f32:
    top = x[0]
    for i in range(x.shape[0]):
        top = qd.math.max(top, x[i])
    return top

print(largest(np.arange(5, dtype=np.float32)))
try:
    qd.kernel(lambda: nothing)
except Exception as error:
    print(type(error))
"""


def printed(program: str, folder: Path, *arguments: str) -> str:
    (folder / "program.py").write_text(program)
    return subprocess.run([sys.executable, *arguments, "program.py"], cwd=folder, capture_output=True, text=True, check=True).stdout


def test_modules_are_the_same_by_either_name() -> None:
    import qd
    import qd.math
    import qd.simt.block as block
    import qdcov
    import qdcov.simt.block
    from qd.types import ndarray

    assert qd is qdcov and qd.math is qdcov.math and block is qdcov.simt.block and ndarray is qdcov.types.ndarray
    assert qdcov.math.__spec__.name == "qdcov.math"
    with pytest.raises(ModuleNotFoundError, match="qd.nothing"):
        import qd.nothing
    assert qd.KernelNameError.__module__ == "qd" and pickle.loads(pickle.dumps(qd.KernelNameError)) is qdcov.KernelNameError


@pytest.mark.parametrize("package", ("qd", "qdcov"))
@pytest.mark.parametrize("arch", ("cpu", "python"))
def test_kernels_of_either_name(tmp_path: Path, package: str, arch: str) -> None:
    assert printed(PROGRAM.format(package=package, arch=arch), tmp_path).startswith("4.0\n")


def test_another_projects_package_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "qd").mkdir()
    (tmp_path / "qd" / "__init__.py").write_text("name = 'quick and dirty'\n")
    program = PROGRAM.format(package="qdcov", arch="cpu") + "import qd as other\nprint(other.name, qd.KernelNameError)\nimport pickle\n"
    said = printed(program + "print(pickle.loads(pickle.dumps(qd.KernelNameError)) is qd.KernelNameError)\n", tmp_path)
    assert said.startswith("4.0\n") and said.endswith("quick and dirty <class 'qdcov.KernelNameError'>\nTrue\n")


@pytest.mark.parametrize("left", ["nothing", "a folder"])
def test_a_runtime_that_is_half_removed(tmp_path: Path, left: str) -> None:
    """The package qd is there, and qdcov is not, or only its folder."""
    import qdcov

    shutil.copytree(Path(qdcov.__file__).parent.with_name("qd"), tmp_path / "qd")
    if left == "a folder":
        (tmp_path / "qdcov" / "__pycache__").mkdir(parents=True)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-S", "-c", "import qd"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    lacks = {"nothing": "not there", "a folder": "not whole: its folder is there, and its files are not"}[left]
    last = f"ModuleNotFoundError: qd is another name of the package qdcov, which is {lacks}; python -m pip install --force-reinstall qdcov"
    assert (done.returncode, done.stderr.splitlines()[-1]) == (1, last)


BRANCHES = """
qd.init(arch=qd.cpu, log_level="error")

@qd.kernel
def f(x: qd.i32) -> qd.i32:
    y = 0
    if x > 0:
        y = 1
    else:
        y = 2
    return y

f(1)
"""


def test_a_module_made_by_hand_in_the_way(tmp_path: Path) -> None:
    program = "import sys, types\nsys.modules['qd'] = types.ModuleType('qd')\nimport qdcov\nprint(qdcov.KernelNameError)\n"
    assert printed(program, tmp_path) == "<class 'qdcov.KernelNameError'>\n"


@pytest.mark.parametrize("form", ("import qdcov as qd", "import qdcov, qd", "import qdcov\nqd = qdcov"))
def test_coverage_of_kernels_of_either_name(tmp_path: Path, form: str) -> None:
    (tmp_path / "program.py").write_text(form + BRANCHES)
    program = str(Path(sys.executable).parent / "qd-cov")
    subprocess.run([program, "run", "--branch", "--", "python", "program.py"], cwd=tmp_path, capture_output=True, check=True)
    done = subprocess.run([program, "report", "-m"], cwd=tmp_path, capture_output=True, text=True, check=True)
    line = (form + BRANCHES).splitlines().index("        y = 2") + 1
    assert re.search(rf"program.py +\d+ +1 +2 +1 +\d+% +.*{line}", done.stdout), done.stdout

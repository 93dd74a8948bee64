"""Options of packages that are not there: errors name the package to install; everything else works."""

from __future__ import annotations

import importlib.metadata
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("QD_BUILD") or ROOT / "build" / "release").resolve()
TEST = """\
import qd


@qd.kernel
def one(x: qd.i32) -> qd.i32:
    return x + 1 if x > 0 and x < 9 else 0


def test_one():
    qd.init(log_level="error", offline_cache=False)
    assert one(1) == 2
"""


def link(package: str, folder: Path) -> None:
    """Makes an installed package, and those of its requirements that are here, importable from a folder."""
    for file in importlib.metadata.files(package) or []:
        top = file.parts[0]
        if top not in ("..", "__pycache__") and not (folder / top).exists():
            (folder / top).symlink_to(Path(str(importlib.metadata.distribution(package).locate_file(top))))


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python with pytest, numpy and qd, and no more."""
    folder = tmp_path_factory.mktemp("bare") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    site = next(folder.glob("lib/python3*/site-packages"))
    names = ["pytest", "pluggy", "iniconfig", "packaging", "pygments", "numpy"]
    for package in [*names, *(["exceptiongroup", "tomli", "typing_extensions"] if sys.version_info < (3, 11) else [])]:
        link(package, site)
    (site / "qd_build.pth").write_text(f"{BUILD / 'python'}\n")
    info = site / "qd_cov-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: qd-cov\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[pytest11]\nqd-cov = qd_pytest_plugin\n")
    return folder / "bin" / "python"


def run(folder: Path, *command: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
    (folder / "test_one.py").write_text(TEST)
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("QD_K", "COV", "PYTEST", "PYTHONPATH"))}
    return subprocess.run(command, cwd=folder, env={**clean, **more}, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("option", ["--cov", "--cov=.", "--cov-report=xml", "--no-cov", "--cov-conditions"])
def test_options_of_pytest_cov(python: Path, tmp_path: Path, option: str) -> None:
    done = run(tmp_path, python, "-m", "pytest", "-q", option)
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.strip() == f"ERROR: {option.split('=')[0]} needs pytest-cov, which is not installed: {python} -m pip install pytest-cov"


def test_options_in_the_configuration(python: Path, tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --cov=.\n")
    assert "--cov needs pytest-cov" in run(tmp_path, python, "-m", "pytest", "-q").stderr


def test_pytest_cov_that_is_turned_off(tmp_path: Path) -> None:
    more = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(BUILD / "python")}
    done = run(tmp_path, sys.executable, "-m", "pytest", "-q", "--cov=.", "-p", "qd_pytest_plugin", **more)
    assert done.returncode == 4
    assert "--cov needs pytest-cov, which is installed but not loaded" in done.stderr


def test_other_words_are_pytest_s(python: Path, tmp_path: Path) -> None:
    """A word that only looks like an option of pytest-cov is not taken for one."""
    assert "needs pytest-cov" not in run(tmp_path, python, "-m", "pytest", "-q", "--coverage").stderr
    done = run(tmp_path, python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "one")
    assert done.returncode == 0, done.stdout + done.stderr


def test_kernels_are_measured_without_coverage_py(python: Path, tmp_path: Path) -> None:
    done = run(tmp_path, python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--cov-conditions", QD_KERNEL_COVERAGE="1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert list(tmp_path.glob("_qd_kcov.*"))


def test_qd_cov_run(python: Path, tmp_path: Path) -> None:
    done = run(tmp_path, BUILD / "cli/qd-cov", "run", "--", str(python), "-m", "pytest", "-q")
    assert done.returncode == 1
    assert done.stdout == f"No coverage.py in {python}: install it there (pip install coverage), or measure kernels alone with --no-host\n"
    pytest_command = [str(python), "-m", "pytest", "-q", "--cov-conditions", "-p", "no:cacheprovider"]
    done = run(tmp_path, BUILD / "cli/qd-cov", "run", "--no-host", "--", *pytest_command)
    assert done.returncode == 0, done.stdout + done.stderr

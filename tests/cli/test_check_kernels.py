"""`qd-cov check unlaunched-kernels`: kernels that no test launches, in data of real launches of a program that says which it launches."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from check_runs import Checked, check_in
from diff_repository import Repository
from kernel_project import measure, qd_cov

KERNELS = '''\
import qd as language
from qd import func, kernel as k


@k
def tested(x: language.f32) -> language.f32:
    return helper(x)


@func
def helper(x):
    return x + 1.0


@k
def one_line(x: language.f32) -> language.f32: return x


@language.kernel
def demo() -> language.f32:
    return 1.0


class Solver:
    @language.kernel
    def never(self):
        pass


def make():
    @k
    def inner(x: language.f32) -> language.f32:
        return inner_func(x)

    @func
    def inner_func(x):
        return x

    return inner


@k
def skipped():
    """Nothing else."""


@func
def lost(x):
    return x


def plain():
    pass
'''
TESTS = """\
import qd
import kernels


def setup_module():
    qd.init(log_level="error")


def test_one():
    assert kernels.tested(1.0) == 2.0
    assert kernels.one_line(1.0) == 1.0


def test_inner():
    assert kernels.make()(2.0) == 2.0
"""
NO_TEST = {"Solver.never", "skipped", "lost"}


def unlaunched(folder: Path, *args: str) -> Checked:
    """Run the check."""
    environment = {name: value for name, value in os.environ.items() if name.startswith("QD_OFFLINE") or not name.startswith(("COV", "QD_", "GIT_"))}
    return check_in(folder, {**environment, "GIT_CEILING_DIRECTORIES": str(folder.parent)}, "unlaunched-kernels", *args)


def names(checked: Checked) -> set[str]:
    """The kernels and funcs that it names."""
    return {found[1] for message in checked.messages if (found := re.search(r"(?:Kernel|Func) '([^']+)'", message))}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with data of its tests, by test, and of a demo."""
    folder = tmp_path_factory.mktemp("launches") / "repo"
    Repository(folder)
    (folder / "kernels.py").write_text(KERNELS)
    (folder / "test_kernels.py").write_text(TESTS + "\n\n@qd.kernel\ndef of_tests():\n    pass\n")
    (folder / "demo.py").write_text('import qd, kernels\nqd.init(log_level="error")\nkernels.demo()\n')
    (folder / "unmeasured.py").write_text("import qd\n\n\n# head\n@qd.kernel\ndef alone():\n    pass\n")
    (folder / ".gitignore").write_text(".coverage*\nbuild\n")
    (folder / "build").mkdir()
    shutil.copy(folder / "kernels.py", folder / "build/kernels.py")
    done = qd_cov(folder, "run", "--context=test", "--", "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_kernels.py")
    assert done.returncode == 0, done.stdout + done.stderr
    shutil.copy(folder / ".coverage", folder / ".coverage-tests")
    done = qd_cov(folder, "run", "--append", "--", "python", "demo.py")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_launches_of_tests(measured: Path) -> None:
    checked = unlaunched(measured)
    assert names(checked) == NO_TEST | {"demo", "alone"}
    assert ("kernels.py", 20, "unlaunched-kernels") in checked.findings and ("unmeasured.py", 6, "unlaunched-kernels") in checked.findings
    assert "Kernel 'demo' is launched, but by no test." in checked.messages
    assert "Kernel 'alone' is launched by no test." in checked.messages
    assert "Func 'lost' is called by no kernel that a test launches." in checked.messages
    assert checked.code == 2


def test_without_the_demo(measured: Path) -> None:
    checked = unlaunched(measured, "--data-file=.coverage-tests")
    assert "Kernel 'demo' is launched by no test." in checked.messages


def test_data_of_stock_coverage(measured: Path) -> None:
    """Executed lines show launches where our tables are missing."""
    subprocess.run(
        [sys.executable, "-m", "coverage", "combine", "-q", "--keep", "--data-file=.coverage-stock", ".coverage-tests"], cwd=measured, check=True
    )
    checked = unlaunched(measured, "--data-file=.coverage-stock")
    assert names(checked) == NO_TEST | {"demo", "alone"}
    assert "Note: The data has no record of compiled kernels" in checked.out


def test_files_are_chosen(measured: Path) -> None:
    assert "alone" not in names(unlaunched(measured, "--omit=unmeasured.py"))
    assert names(unlaunched(measured, "--include=unmeasured.py")) == {"alone"}
    (measured / "qd-cov.toml").write_text('[check]\nignore = ["unlaunched-kernels:unmeasured.py"]\n')
    assert "alone" not in names(unlaunched(measured))
    (measured / "qd-cov.toml").write_text('[check]\ntest-files = ["kernels.py"]\n')
    assert names(unlaunched(measured)) == {"alone", "of_tests"}
    (measured / "qd-cov.toml").unlink()
    (measured / ".coveragerc").write_text("[run]\nsource = nowhere\n")
    checked = unlaunched(measured)
    assert (checked.code, checked.out.split(":")[0]) == (1, "No source files to look for kernels in")
    (measured / ".coveragerc").unlink()


def test_silenced(measured: Path) -> None:
    """Above the decorators, on them, or on the `def`; a comment that is not needed is found."""
    text = (measured / "unmeasured.py").read_text()
    for old, new in (
        ("# head", "# qd-cov: ignore"),
        ("@qd.kernel", "@qd.kernel  # qd-cov: ignore[unlaunched-kernels]"),
        ("():", "():  # qd-cov: ignore"),
    ):
        (measured / "unmeasured.py").write_text(text.replace(old, new))
        assert "alone" not in names(unlaunched(measured))
    (measured / "unmeasured.py").write_text(text + "    # qd-cov: ignore[unlaunched-kernels]\n")
    assert [found for found in unlaunched(measured).findings if found[2] == "unused-ignore"] == [("unmeasured.py", 8, "unused-ignore")]
    (measured / "unmeasured.py").write_text(text)


def test_states(tmp_path: Path) -> None:
    """Launches in data that names no tests, without git: any launch counts; a kernel that does not compile was not launched."""
    measure(tmp_path)
    checked = unlaunched(tmp_path)
    assert names(checked) == {"unused_func", "never", "broken"}
    assert any(m.startswith("Kernel 'broken' was never launched, it does not compile: kernels.py:38: ") for m in checked.messages)
    assert "Note: The data has no test contexts: any launch counts." in checked.out


def test_nothing_measured_is_no_pass(repo: Repository) -> None:
    repo.write("k.py", "import qd\n\n\n@qd.kernel\ndef k():\n    pass\n")
    assert unlaunched(repo.folder).code == 1
    repo.measure({"a.py": [1]})
    checked = unlaunched(repo.folder)
    assert names(checked) == {"k"} and checked.code == 2 and "Note: No kernel was measured." in checked.out
    repo.write("bad.py", "import kernel\ndef f(:\n")
    assert ("bad.py", 1, "unlaunched-kernels") in unlaunched(repo.folder).findings
    assert "Note: There is no kernel in 1 source file." in unlaunched(repo.folder, "--include=a.py").out

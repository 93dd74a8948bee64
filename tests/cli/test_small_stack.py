"""Deep sources under limits of the stack: a report, or one error, never a crash."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from coverage import CoverageData

SOURCES = {
    "sum": "x = " + "1 + " * 2_900 + "1\n",
    "elif": "if a == 0:\n    x = 0\n" + "".join(f"elif a == {i}:\n    x = {i}\n" for i in range(1, 2_500)),
    "not": "x = " + "not " * 2_900 + "1\n",
    "conditional": "x = " + "1 if a else " * 2_500 + "1\n",
    "lambda": "x = " + "lambda: " * 2_500 + "1\n",
    "attributes": "x = a" + ".b" * 2_900 + "\n",
    "subscripts": "x = a" + "[0]" * 2_900 + "\n",
    "parentheses": "x = " + "(" * 190 + "1" + ")" * 190 + "\n",
    "too many parentheses": "x = " + "(" * 10_000 + "1" + ")" * 10_000 + "\n",
    "ifs": "".join(" " * i + "if a:\n" for i in range(95)) + " " * 95 + "pass\n",
    "functions": "".join(" " * i + "def f():\n" for i in range(95)) + " " * 95 + "pass\n",
    "strings": "x = " + "'a' " * 20_000 + "\n",
    "attribute of sums": "x = " + "(a + b).c + " * 1_000 + "1\n",
    "comparisons": "x = " + "a < " * 20_000 + "a\n",
    "ands": "x = " + "a and b or " * 5_000 + "a\n",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("deep").resolve()
    data = CoverageData(str(folder / ".coverage"))
    lines = {}
    for name, source in SOURCES.items():
        path = folder / f"{name.replace(' ', '_')}.py"
        path.write_text(source)
        lines[str(path)] = [1]
    data.add_lines(lines)
    data.close()
    return folder


def run(folder: Path, stack: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    # Both limits, as the shell sets them: no process raises them again.
    command = ["bash", "-c", f'ulimit -s {stack}; exec qd-cov "$@"', "-", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    done.stdout = re.sub(r'timestamp("?[=:]) ?"[^"]*"', "", done.stdout)
    return done


COMMANDS = {
    "report": ["report", "-m", "-i"],
    "xml": ["xml", "-i", "-o", "-"],
    "json": ["json", "-i", "-o", "-"],
    "lcov": ["lcov", "-i", "-o", "-"],
    "html": ["html", "-i", "-q", "-d", "page"],
    "conditions": ["report", "-i", "--conditions"],
    "annotate": ["annotate", "-i", "-d", "annotated"],
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("stack", ["256", "1024", "unlimited"])
def test_reports_are_those_of_a_usual_stack(project: Path, command: str, stack: str) -> None:
    usual = run(project, "8192", *COMMANDS[command])
    assert usual.returncode == 0, usual.stderr
    small = run(project, stack, *COMMANDS[command])
    assert (small.returncode, small.stdout, small.stderr) == (usual.returncode, usual.stdout, usual.stderr)


@pytest.mark.parametrize("stack", ["256", "1024"])
def test_diff_and_checks(project: Path, tmp_path: Path, stack: str) -> None:
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    for path in project.glob("*.py"):
        (tmp_path / path.name).write_text(path.read_text())
    subprocess.run([*git, "init", "-q"], cwd=tmp_path, check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "0"], cwd=tmp_path, check=True)
    subprocess.run([*git, "add", "."], cwd=tmp_path, check=True)
    data = CoverageData(str(tmp_path / ".coverage"))
    data.add_lines({str(path): [1] for path in tmp_path.glob("*.py")})
    data.close()
    for arguments in (["diff", "--compare-branch=HEAD"], ["check", "--compare-branch=HEAD"]):
        usual, small = run(tmp_path, "8192", *arguments), run(tmp_path, stack, *arguments)
        assert usual.returncode in (0, 1, 2)
        assert (small.returncode, small.stdout, small.stderr) == (usual.returncode, usual.stdout, usual.stderr)


def test_a_measured_program_has_the_limits_of_the_user(tmp_path: Path) -> None:
    program = "import resource, signal\nprint(resource.getrlimit(resource.RLIMIT_STACK), signal.pthread_sigmask(signal.SIG_BLOCK, []))\n"
    (tmp_path / "program.py").write_text(program)
    done = run(tmp_path, "1024", "run", "-q", "program.py")
    assert (done.returncode, done.stdout) == (0, "(1048576, 1048576) set()\n")

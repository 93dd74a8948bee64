"""`qd-cov report` against `coverage report`: the same output and exit code for the same data and options."""

from __future__ import annotations

import functools
import os
import random
import re
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
from coverage import CoverageData
from coverage.exceptions import CoverageException
from coverage.parser import PythonParser
from coverage_commands import coverage_py
from coverage_here import coverage_here, remembered_parsers

__all__ = ["remembered_parsers"]
Result = tuple[int, list[str]]

OPTIONS = [
    "", "-m", "--show-missing --precision=2", "--precision 0 -m", "--format=text", "--format=markdown", "--format markdown -m --precision=1",
    "--format=total", "--format=total --precision=3", "--format=html", "--sort=name", "--sort=-name -m", "--sort=stmts", "--sort=-Miss",
    "--sort=cover", "--sort=+cover", "--sort=-cover", "--sort=branch", "--sort=brpart", "--sort=nothing", "--skip-covered",
    "--skip-covered --skip-empty", "--skip-empty -m", "--skip-covered --no-skip-covered", "--skip-covered --format=markdown",
    "--fail-under=0", "--fail-under=30", "--fail-under=55.55",
    "--fail-under=99.999", "--fail-under=100", "--fail-under=100 --precision=2", "--fail-under=101", "--fail-under=-1",
    "--fail-under=20.5 --precision=3",
    "--precision=-1", "--include=*a*", "--include=no_such_thing", "--omit=*a*,*b*", "--include=*.py --omit=*[c-z]*", "--omit=*", "--include=x**",
    "--contexts=one", "--contexts=^t,two$ -m", "--contexts=nothing", "--contexts=(",
]  # fmt: skip


def normalized(output: str) -> list[str]:
    """The lines of a tool's standard output, without the differences that are as they should be."""
    # Links to coverage.py's documentation, which stand in place of a message's full stop.
    output = re.sub(r"; see https://\S*(?=\n)", "", output)
    lines = [line.rstrip(".") if not line.startswith(" ") else line for line in output.splitlines()]
    # The reason why a regular expression is invalid, in the words of another library.
    return [re.sub(r"(Invalid context regex '[^']*': ).*", r"\1", line) for line in lines]


def theirs(folder: Path, options: str) -> Result:
    """`coverage report`."""
    code, out, err = coverage_here(folder, ["report", *options.split()])
    assert code is not None, err
    return code, normalized(out)


def ours(folder: Path, options: str) -> Result:
    """`qd-cov report`."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    command = ["qd-cov", "report", f"--python=3.{sys.version_info[1]}", *options.split()]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    return done.returncode, normalized(done.stdout.decode())


def assert_same(folder: Path, options: str) -> list[str]:
    """Checks that both tools agree, and returns the output."""
    expected = theirs(folder, options)
    assert ours(folder, options) == expected
    return expected[1]


def lines_of(path: Path) -> int:
    return path.read_bytes().count(b"\n")


def write_data(folder: Path, files: list[Path], branch: bool, seed: int, name: str = ".coverage") -> None:
    """Random data for files, under several contexts: possible and impossible arcs, lines in the middle of statements and beyond the end."""
    rng = random.Random(seed)
    data = CoverageData(str(folder / name))
    for context in ("", "one", "test_two"):
        data.set_context(context)
        lines: dict[str, list[int]] = {}
        jumps: dict[str, list[tuple[int, int]]] = {}
        for path in files:
            share = rng.choice([0, 0.3, 0.9, 1])
            if branch:
                arcs = possible_arcs(path)
                noise = [(rng.randint(1, 400), rng.randint(-400, 400) or 1) for _ in range(rng.choice([0, 5]))]
                arcs += [(line, line) for line, _ in arcs[::7]]
                jumps[str(path)] = [arc for arc in arcs if rng.random() < share] + noise
            else:
                lines[str(path)] = [line for line in range(1, lines_of(path) + 3) if rng.random() < share]
        if branch:
            data.add_arcs(jumps)
        else:
            data.add_lines(lines)
    data.touch_files([str(path) for path in files])
    data.write()


def possible_arcs(path: Path) -> list[tuple[int, int]]:
    try:
        parser = PythonParser(filename=str(path))
        parser.parse_source()
        return sorted(parser.arcs())
    except (CoverageException, SyntaxError, ValueError, AssertionError):
        return [(-1, 1), (1, 2)]


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Callable[[bool], Path]:
    """Random data, lines or branches, for files of the standard library and of a small tree with odd names."""
    return functools.cache(lambda branch: make_library(tmp_path_factory.mktemp("library"), branch))


def make_library(folder: Path, branch: bool) -> Path:
    stdlib = sorted(path for path in Path(sysconfig.get_path("stdlib")).glob("*/*.py") if 300 < path.stat().st_size < 20_000)
    stdlib = [path for path in stdlib if path.parent.name not in ("test", "lib2to3")]
    files = random.Random(7).sample(stdlib, 35)
    odd = ["z1.py", "z10.py", "z2.py", "Z3.py", "z02.py", "a b.py", "pkg/__init__.py", "pkg/mod_1.py", "naïve.py", "c\x1bd.py", "empty.py", "p|q*.py"]
    for i, name in enumerate(odd):
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("" if name == "empty.py" else f"a = 1\nif a:\n    b = 3\nfor i in range({i}):\n    c = 5\n    if c: continue\nd = 7\n")
        files.append(path)
    write_data(folder, files, branch, seed=3)
    return folder


# Options that choose among files have nothing to do with branches: they take lines and branches in turn.
CHOOSING = ("--include", "--omit", "--skip", "--contexts=", "--fail-under=-", "--fail-under=101", "--format=html", "--sort=nothing", "--precision=-")
CASES = [(branch, options) for at, options in enumerate(OPTIONS) for branch in (False, True) if not options.startswith(CHOOSING) or at % 2 == branch]


@pytest.mark.parametrize(("branch", "options"), CASES)
def test_options(libraries: Callable[[bool], Path], branch: bool, options: str) -> None:
    """Every option and some combinations."""
    assert_same(libraries(branch), options)


@pytest.mark.parametrize("seed", range(4 if "QD_FORMATS" in os.environ else 1))
@pytest.mark.parametrize("branch", [False, True])
def test_random_data(tmp_path: Path, branch: bool, seed: int) -> None:
    """Other files, other data."""
    stdlib = sorted(path for path in Path(sysconfig.get_path("stdlib")).rglob("*.py") if path.stat().st_size < 60_000)
    stdlib = [path for path in stdlib if "site-packages" not in path.parts and "bad" not in path.name]
    files = random.Random(seed).sample(stdlib, 25)
    write_data(tmp_path, files, branch, seed)
    output = assert_same(tmp_path, "-m -i --precision=1 --sort=cover")
    assert len(output) > 20


@pytest.mark.parametrize("branch", [False, True])
def test_arguments(libraries: Callable[[bool], Path], branch: bool) -> None:
    """Files on the command line: measured, not measured, twice, missing."""
    library = libraries(branch)
    (library / "not_measured.py").write_text("a = 1\n")
    for arguments in ("z1.py z10.py", "z1.py z1.py", f"{library}/z2.py pkg/mod_1.py", "not_measured.py", "missing.py", "pkg", "-m ./z1.py"):
        assert_same(library, arguments)


PROGRAM = '''\
"""A program with something of everything."""
import contextlib
import sys

def positive(a):
    if a > 0:
        return "yes"
    elif a == 0:
        return "zero"
    return "no"

def loops(n):
    for i in range(n):
        if i == 7:
            break
    else:
        return "done"
    while n:
        n -= 1
        if n % 2: continue
        with contextlib.suppress(ValueError):
            int("x")
            return 1
    return 2

def matches(x):
    match x:
        case 1:
            return "one"
        case [_, *rest]:
            return rest
        case _:
            raise TypeError  # pragma: no cover

class Thing:
    """A thing."""
    size: int = 3
    def unused(self):
        return self.size
    @property
    def used(self):
        try:
            return 1 / self.size
        except ZeroDivisionError:
            return None
        finally:
            self.size = 0

def one_line(): return 1
print(positive(1), positive(0), loops(3), loops(9), matches(1), Thing().used)
if len(sys.argv) > 5:
    print("many",
          "arguments")
if __name__ == "__main__":  # pragma: no branch
    print([a for a in range(3) if a])
'''


@pytest.fixture(name="program", scope="module", params=[False, True], ids=["lines", "branches"])
def program_fixture(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program that coverage.py has measured."""
    folder = tmp_path_factory.mktemp("program")
    (folder / "prog.py").write_text(PROGRAM)
    branch = ["--branch"] if request.param else []
    coverage_py(["run", *branch, "prog.py"], folder, check=True)
    return folder


CONFIGS = {
    "none": "",
    "report": "[report]\nshow_missing = true\nprecision = 2\nskip_empty = true\nsort = -cover\n",
    "exclude": "[report]\nshow_missing = true\nexclude_lines =\n    def unused\n    raise TypeError\n",
    "exclude_also": "[report]\nshow_missing = true\nexclude_also =\n    if len\\(sys\n    ^class\\s\n",
    "partial": "[report]\nshow_missing = true\npartial_branches =\n    for i in\n    if a >\n",
    "partial_also": "[report]\nshow_missing = true\npartial_also = elif\npartial_branches_always = while\n",
    "fail_under": "[report]\nfail_under = 99.5\n",
    "skip": "[report]\nskip_covered = yes\nformat = markdown\n",
    "omit": "[report]\nomit = prog*\n",
    "include": "[report]\ninclude =\n    */prog.py\n    other.py\n",
    "relative": "[run]\nrelative_files = true\n[report]\nshow_missing = true\n",
}


@pytest.mark.parametrize("name", CONFIGS)
def test_configurations(program: Path, name: str) -> None:
    """Settings of [report]; command-line options win over them."""
    (program / ".coveragerc").write_text(CONFIGS[name])
    assert_same(program, "")
    assert_same(program, "--precision=1 --no-skip-covered --sort=name --fail-under=10")


def test_other_data_file(program: Path) -> None:
    """--data-file and --rcfile."""
    (program / ".coverage").rename(program / "other.data")
    (program / "other.rc").write_text("[run]\ndata_file = other.data\n[report]\nshow_missing = 1\n")
    try:
        assert_same(program, "--data-file=other.data")
        assert_same(program, "--rcfile=other.rc")
        assert_same(program, "")
        assert_same(program, "--rcfile=missing.rc")
    finally:
        (program / "other.data").rename(program / ".coverage")


def test_no_data(tmp_path: Path) -> None:
    """Data files that are missing, empty, or something else."""
    assert assert_same(tmp_path, "") == ["No data to report"]
    (tmp_path / ".coverage").write_bytes(b"")
    assert_same(tmp_path, "")
    (tmp_path / ".coverage").write_bytes(b"something else, that is long enough to be no database" * 20)
    assert_same(tmp_path, "")


@pytest.mark.parametrize("branch", [False, True])
def test_bad_sources(tmp_path: Path, branch: bool) -> None:
    """Sources that are gone, or no Python, with and without -i."""
    files = [tmp_path / name for name in ("good.py", "bad.py", "page.html", "script", "gone.py")]
    for path, text in zip(files, ["a = 1\n", "a = 1\nb = = 2\n", "<html>\n", "if a:\n    b = 2\n", ""]):
        path.write_text(text)
    for chosen in (files, files[:3], files[2:4], files[2:3], files[4:]):
        write_data(tmp_path, chosen, branch, seed=1)
        (tmp_path / "gone.py").unlink(missing_ok=True)
        for options in ("", "-i", "--omit=bad.py", "--include=page.html", "-i --format=total"):
            assert_same(tmp_path, options)
        (tmp_path / "gone.py").touch()
        (tmp_path / ".coverage").unlink()


@pytest.mark.parametrize("keep", ["", "--keep-combined"])
@pytest.mark.parametrize("present", [False, True])
def test_implicit_combine(tmp_path: Path, keep: str, present: bool) -> None:
    """Data files of parallel runs are taken in first."""
    files = []
    for name in ("a.py", "b.py"):
        path = tmp_path / name
        path.write_text("a = 1\nif a:\n    b = 3\n" * 5)
        files.append(path)
    results = []
    for tool in (theirs, ours):
        for old in tmp_path.glob(".coverage*"):
            old.unlink()
        if present:
            write_data(tmp_path, files[:1], True, seed=1)
        write_data(tmp_path, files[:1], True, seed=2, name=".coverage.host.1")
        write_data(tmp_path, files, True, seed=3, name=".coverage.host.2")
        (tmp_path / ".coverage.bad").write_text("bad " * 100)
        results.append((tool(tmp_path, f"-m {keep}"), sorted(path.name for path in tmp_path.glob(".coverage*"))))
        results[-1] += (theirs(tmp_path, "-m --keep-combined"),)  # type: ignore[assignment]
    assert results[0] == results[1]
    assert (".coverage.host.1" in results[0][1]) == bool(keep)
    assert ".coverage.bad" in results[0][1]


def test_paths(tmp_path: Path) -> None:
    """[paths] maps measured files to the sources that are here."""
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("a = 1\nif a:\n    b = 3\n")
    data = CoverageData(str(tmp_path / ".coverage"))
    data.add_lines({"/somewhere/else/a.py": [1, 2], str(tmp_path / "src" / "a.py"): [3]})
    data.write()
    (tmp_path / ".coveragerc").write_text("[paths]\nsource =\n    src\n    /somewhere/else\n")
    assert "100%" in assert_same(tmp_path, "")[-1]


def test_kernel_hint(program: Path) -> None:
    """Kernel data that is not combined yet is pointed out, and left alone."""
    kernels = program / "_qd_kcov.17"
    kernels.write_bytes((program / ".coverage").read_bytes())
    done = subprocess.run(["qd-cov", "report"], cwd=program, capture_output=True, text=True, check=True)
    assert "_qd_kcov.* is not combined yet" in done.stderr
    assert kernels.exists()
    kernels.unlink()

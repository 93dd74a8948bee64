"""`qd-cov run`: host code and kernels of any command, in one data file, with the command's exit code.

A stand-in for the kernel runtime writes the real one's file: `_qd_kcov.<pid>` where the environment says."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from coverage import CoverageData

LIBRARY = """\
import os, subprocess, sys
def first(): return 1
def second(): return 2
def in_child(): return 3
def in_fork(): return 4
def in_pool(x): return 5
def start_child():
    subprocess.run([sys.executable, "-c", "from pk.m import in_child; in_child()"], check=True)
def fork():
    if (pid := os.fork()) == 0:
        in_fork()
        os._exit(0)
    os.waitpid(pid, 0)
def execute():
    os.execv(sys.executable, [sys.executable, "-c", "from pk.m import second; second()"])
"""

# Line 3 of pk/kernels.py ran, and a file that is not measured.
KERNELS = """\
import os
def launch():

    pass
def flush():
    from coverage import CoverageData
    if os.environ.get("QD_KERNEL_COVERAGE", "0") == "0":
        return
    data = CoverageData(os.path.join(os.environ["QD_KERNEL_COVERAGE_DIR"], f"_qd_kcov.{os.getpid()}"))
    data.set_context("qd:cpu")
    here = os.path.abspath(__file__)
    if os.environ.get("QD_KERNEL_COVERAGE_BRANCH", "1") == "1":
        data.add_arcs({here: [(-2, 3), (3, -2)], "/usr/lib/python3.11/random.py": [(-1, 1)]})
    else:
        data.add_lines({here: [3], "/usr/lib/python3.11/random.py": [1]})
    data.close()
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    project = (tmp_path / "project").resolve()
    (project / "pk").mkdir(parents=True)
    (project / "tests").mkdir()
    (project / "pk" / "__init__.py").touch()
    (project / "pk" / "m.py").write_text(LIBRARY)
    (project / "pk" / "kernels.py").write_text(KERNELS)
    (project / "conftest.py").touch()
    tests = "\n".join(f"def test_{i}():\n    import pk.m\n    pk.m.{name}()" for i, name in enumerate(["first", "second", "start_child", "fork"]))
    (project / "tests" / "test_m.py").write_text(tests + "\ndef test_kernel():\n    import pk.kernels\n    pk.kernels.flush()\n")
    monkeypatch.chdir(project)
    for name in ["COVERAGE_FILE", "COVERAGE_RCFILE", "COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG", "COV_CORE_DATAFILE", "PYTEST_ADDOPTS"]:
        monkeypatch.delenv(name, raising=False)
    for name in ["QD_KERNEL_COVERAGE", "QD_KERNEL_COVERAGE_DIR", "QD_KERNEL_COVERAGE_BRANCH"]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # the private folder must be gone in the end
    return project


def script(text: str, name: str = "sim.py") -> str:
    Path(name).write_text(text)
    return name


def run(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(["qd-cov", "run", "-q", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done


def data(name: str = ".coverage") -> CoverageData:
    data = CoverageData(name)
    data.read()
    return data


def lines(file: str) -> set[int]:
    found = data().lines(os.path.abspath(file))
    assert found is not None, f"{file} is not in the data"
    return set(found)


def functions_run() -> set[str]:
    """The called ones of the one-line functions of pk/m.py: their exits are arcs."""
    arcs = data().arcs(os.path.abspath("pk/m.py")) or []
    names = {2: "first", 3: "second", 4: "in_child", 5: "in_fork", 6: "in_pool"}
    return {names[-b] for a, b in arcs if -b in names}


def files_left() -> set[str]:
    return {p.name for p in Path().iterdir()} | {p.name for p in Path("..").iterdir()}


COMMANDS = {
    "pytest": ["pytest", "-q", "tests"],
    "python -m pytest": [sys.executable, "-m", "pytest", "-q", "tests"],
    "-m pytest": ["-m", "pytest", "-q", "tests"],
    "xdist": ["pytest", "-q", "-n", "2", "tests"],
    "shell": ["sh", "-c", "pytest -q tests"],
}


@pytest.mark.parametrize("command", COMMANDS)
def test_pytest_with_its_child_processes_and_kernels(command: str) -> None:
    run("--branch", *COMMANDS[command])
    assert functions_run() == {"first", "second", "in_child", "in_fork"}
    assert {(-2, 3), (3, -2)} <= set(data().arcs(os.path.abspath("pk/kernels.py")) or [])
    assert data().measured_contexts() == {"", "qd:cpu"}
    left = files_left()
    assert left & {"project", ".coverage"} == {"project", ".coverage"}
    assert not [name for name in left if name.startswith(("qd-cov", "_qd_kcov", ".coverage."))]


def test_pytest_warns_of_nothing_of_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An installation as pip makes it: pytest looks at the modules that it lists."""
    info = tmp_path / "site" / "qd_cov-0.1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: qd-cov\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[pytest11]\nqd-cov = qd_pytest_plugin\n")
    (info / "RECORD").write_text("qd_pytest_plugin.py,,\nqd_numba/__init__.py,,\nqd_numba/imports.py,,\n")
    instrument = Path(__file__).parents[2] / "instrument"
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, [tmp_path / "site", instrument / "python", instrument / "numba"])))
    run("--", sys.executable, "-m", "pytest", "-q", "-W", "error", "tests")


@pytest.mark.parametrize("command", [["sim.py"], ["--", "python", "sim.py"], ["-m", "sim"], ["python", "-m", "sim"], ["./sim.py"]], ids=" ".join)
def test_programs(command: list[str]) -> None:
    script(f"#!{sys.executable}\nimport sys, pk.m, pk.kernels\npk.m.first()\npk.kernels.flush()\nprint('hello', *sys.argv[1:])\nsys.exit(7)\n")
    Path("sim.py").chmod(0o755)
    done = run(*command, "--flag", "x y", code=7)
    assert done.stdout == "hello --flag x y\n"
    assert not data().has_arcs()
    assert lines("sim.py") >= {3, 4, 5, 6}
    assert 3 in lines("pk/kernels.py")


def test_everything_is_measured_from_its_first_line() -> None:
    """A module that a plug-in or conftest imports early must be measured too: def and import lines ran."""
    run("pytest", "-q", "tests")
    assert {1, 2, 3, 4, 5, 6, 7, 9} <= lines("pk/m.py")


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(method: str) -> None:
    script(
        "import multiprocessing, pk.m\nif __name__ == '__main__':\n"
        f"    with multiprocessing.get_context({method!r}).Pool(2) as pool:\n        pool.map(pk.m.in_pool, range(4))\n"
        "        pool.close()\n        pool.join()\n"
    )
    run("--branch", "--concurrency=multiprocessing", "sim.py")
    assert functions_run() == {"in_pool"}


def test_exec() -> None:
    script("import pk.m\npk.m.first()\npk.m.execute()\n")
    run("--branch", "sim.py")
    assert functions_run() == {"first", "second"}


def test_signals_and_exit_codes() -> None:
    script("import os, signal, sys\nos.kill(os.getpid(), signal.SIGKILL)\n")
    run("sim.py", code=128 + signal.SIGKILL)
    run("--no-host", "sh", "-c", "kill -TERM $$", code=128 + signal.SIGTERM)
    run("--no-host", "sh", "-c", "exit 42", code=42)
    script("assert 0\n")
    assert "AssertionError" in run("sim.py", code=1).stderr


def test_an_interrupt_reaches_the_command_and_data_is_kept() -> None:
    script("import time\ntry:\n    print('ready', flush=True)\n    time.sleep(60)\nexcept KeyboardInterrupt:\n    raise SystemExit(5)\n")
    process = subprocess.Popen(["qd-cov", "run", "-q", "sim.py"], stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout and process.stdout.readline() == "ready\n"
    os.killpg(process.pid, signal.SIGINT)
    process.stdout.close()
    assert process.wait(20) == 5
    assert 6 in lines("sim.py")


def test_the_own_sitecustomize_still_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("site").mkdir()
    script("print('from sitecustomize')\n", "site/sitecustomize.py")
    monkeypatch.setenv("PYTHONPATH", os.path.abspath("site"))
    script("import os, sys, sitecustomize\nprint(sitecustomize.__file__)\nprint([p for p in sys.path if os.path.exists(p + '/options.json')])\n")
    assert run("sim.py").stdout == f"from sitecustomize\n{os.path.abspath('site/sitecustomize.py')}\n[]\n"


SELF_MEASURING = {
    "option": (["pytest", "-q", "--cov=pk", "--cov-report=", "tests"], {}),
    "module": (["python", "-m", "pytest", "--cov", "--cov-report=", "tests"], {}),
    "environment": (["pytest", "tests"], {"PYTEST_ADDOPTS": "--cov=pk --cov-report="}),
    "pytest.ini": (["pytest", "tests"], {"pytest.ini": "[pytest]\naddopts = -q\n  --cov=pk --cov-report=\n"}),
    "pyproject.toml": (["pytest", "tests"], {"pyproject.toml": "[tool.pytest.ini_options]\naddopts = ['--cov=pk', '--cov-report=']\n"}),
    "setup.cfg": (["pytest"], {"setup.cfg": "[tool:pytest]\naddopts = --cov=pk --cov-report=\n"}),
    "-o": (["pytest", "-o", "addopts=--cov=pk --cov-report=", "tests"], {"pytest.ini": "[pytest]\n"}),
    "coverage run": (["coverage", "run", "sim.py"], {}),
    "python -m coverage": (["python", "-m", "coverage", "run", "sim.py"], {}),
}


@pytest.mark.parametrize("kind", SELF_MEASURING)
def test_a_command_that_measures_itself_is_not_measured_twice(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    report = "print(os.environ.get('PYTHONPATH', ''), os.environ.get('QD_KERNEL_COVERAGE_BRANCH'), file=open('seen', 'w'))"
    script(f"import os, pk.kernels\npk.kernels.flush()\n{report}\n")
    with open("conftest.py", "a") as conftest:
        conftest.write(f"import os\n{report}\n")
    command, settings = SELF_MEASURING[kind]
    for name, value in settings.items():
        if name.isupper():
            monkeypatch.setenv(name, value)
        else:
            Path(name).write_text(value)
    run(*command)
    seen = Path("seen").read_text()
    assert "qd-cov." not in seen
    assert "None" in seen
    assert not data().has_arcs()  # the kernels' arcs became lines, as the host's data is
    assert 3 in lines("pk/kernels.py")
    assert data().measured_contexts() == {"", "qd:cpu"}


@pytest.mark.parametrize("command", ["coverage run --source=pk", "coverage run --data-file=other --source pk", "coverage run --rcfile=my.cfg"])
def test_kernels_obey_the_options_of_a_command_that_measures_itself(command: str) -> None:
    Path("other_kernels.py").write_text(KERNELS)
    Path("my.cfg").write_text("[run]\nomit = other*\n  sim.py\n")
    script("import pk.kernels, os, other_kernels\npk.kernels.flush()\nos.getpid = lambda: 1\nother_kernels.flush()\n")
    run(*command.split(), "sim.py")
    measured = data("other" if "other" in command else ".coverage")
    # A source is looked through for files that were not imported.
    expected = {"__init__.py", "kernels.py"} | ({"m.py"} if "source" in command else set())
    assert {os.path.basename(f) for f in measured.measured_files()} == expected
    assert "qd:cpu" in measured.measured_contexts()


@pytest.mark.parametrize("options", [["--no-cov", "--cov=pk"], ["--cov-report="], ["-k", "--cov"]], ids=" ".join)
def test_options_that_only_look_like_measuring(options: list[str]) -> None:
    if "-k" in options:
        pytest.importorskip("pytest_cov")
        options = ["--cov-config=x"]
    run("--branch", "pytest", "-q", *options, "tests")
    assert functions_run() == {"first", "second", "in_child", "in_fork"}


def test_a_hidden_measurement_is_merged() -> None:
    """The command measures itself in a way that cannot be seen beforehand: its data file must not be lost."""
    script("import pk.m\npk.m.first()\n")
    run("--branch", "sh", "-c", "coverage run --branch sim.py")
    assert functions_run() == {"first"}


def test_configuration_is_honoured() -> None:
    Path(".coveragerc").write_text("[run]\nbranch = true\nrelative_files = true\nsource = pk\nomit = */kernels.py\ncontext = static\n")
    run("pytest", "-q", "tests")
    measured = data()
    assert measured.has_arcs()
    assert measured.measured_files() == {"pk/__init__.py", "pk/m.py"}
    assert measured.measured_contexts() >= {"static"}


def test_the_runtime_itself_is_measured_only_when_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A build folder is not site-packages, so coverage.py would take its files for the user's."""
    for name in ["qdcov", "qd"]:
        (tmp_path / "build" / name).mkdir(parents=True)
    for name in ["qdcov/__init__.py", "qd/__init__.py", "qd_coverage.py"]:
        (tmp_path / "build" / name).write_text("x = 1\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "build"))
    script("import qd, qdcov, qd_coverage\n")
    run("sim.py")
    assert data().measured_files() == {os.path.abspath("sim.py")}
    run("--source=qdcov", "sim.py")
    assert data().measured_files() == {str((tmp_path / "build" / "qdcov" / "__init__.py").resolve())}


def test_relative_sources_hold_in_other_folders() -> None:
    Path("sub").mkdir()
    script("import os, subprocess, sys\nos.environ['PYTHONPATH'] += os.pathsep + os.getcwd()\n"
           "subprocess.run([sys.executable, '-c', 'import pk.m; pk.m.first()'], cwd='sub', check=True)\n")  # fmt: skip
    run("--branch", "--source=pk", "--omit=pk/kernels.py", "sim.py")
    assert functions_run() == {"first"}
    assert data().measured_files() == {os.path.abspath("pk/m.py"), os.path.abspath("pk/__init__.py")}


def test_append_and_erase() -> None:
    script("import pk.m\npk.m.first()\n")
    run("--branch", "sim.py")
    script("import pk.m\npk.m.second()\n")
    run("--branch", "--append", "sim.py")
    assert functions_run() == {"first", "second"}
    run("--branch", "sim.py")
    assert functions_run() == {"second"}


def test_contexts_of_tests_that_are_none() -> None:
    """A plugin that is not loaded, in an environment without it or by an option, and a command that is no pytest."""
    note = "CoverageWarning: No test is a context of the data: '--context test' needs pytest with the plugin of qd-cov."
    script("import pk.m\n")
    for command in (["pytest", "-q", "tests", "-p", "no:qd-cov", "-p", "no:qd_pytest_plugin"], ["sim.py"]):
        assert note in run("--context", "test", "--", *command).stderr.splitlines()
    run("--context", "test", "pytest", "-q", "tests")
    assert "tests/test_m.py::test_0|run" in data().measured_contexts()
    script("raise SystemExit\n")
    for quiet in (["--context", "test", "--", "pytest", "-q", "tests"], ["--context", "nightly", "sim.py"]):
        assert note not in run(*quiet).stderr


def test_kernels_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    script("import pk.kernels\npk.kernels.flush()\n")
    run("--no-host", "sim.py")
    assert data().measured_files() == {os.path.abspath("pk/kernels.py")}
    monkeypatch.setenv("QD_KERNEL_COVERAGE", "0")
    done = run("--no-host", "sim.py")
    link = "https://coverage.readthedocs.io/en/latest/messages.html#warning-no-data-collected"
    assert done.stderr == f"CoverageWarning: No data was collected. (no-data-collected); see {link}\n"
    assert data().measured_files() == set()


def test_a_python_without_coverage(tmp_path: Path) -> None:
    venv.create(tmp_path / "bare", with_pip=False)
    python = str(tmp_path / "bare" / "bin" / "python")
    script("print('ran')\n")
    done = run(python, "sim.py", code=1)
    assert done.stdout == f"No coverage.py in {python}: install it there (pip install coverage), or measure kernels alone with --no-host\n"
    assert run("--no-host", python, "sim.py").stdout == "ran\n"
    done = run("sh", "-c", f"{python} sim.py")
    assert done.stdout == "ran\n"
    assert f"CoverageWarning: {python} ran without coverage.py: not measured" in done.stderr.splitlines()


BAD = {
    "nothing to do": ([], "Nothing to do.\nUse 'qd-cov help' for help."),
    "no module": (["-m"], "No module specified for -m\nUse 'qd-cov help' for help."),
    "unknown option": (["--what", "sim.py"], "no such option: --what\nUse 'qd-cov help' for help."),
    "no file": (["gone.py"], "No file to run: '{}/gone.py'"),
    "no program": (["gone-program"], "No program to run: 'gone-program'"),
    "unwritable output": (["--data-file=text/x", "sim.py"], "Couldn't use data file '{}/text/x': unable to open database file: (SQLITE_CANTOPEN)"),
    "output is a folder": (["--data-file=pk", "sim.py"], "Couldn't use data file '{}/pk': unable to open database file: (SQLITE_CANTOPEN)"),
    "unwritable folder": (["--data-file=/proc/x", "sim.py"], "Couldn't use data file '/proc/x': unable to open database file: (SQLITE_CANTOPEN)"),
    "append to the other kind": (["--append", "--branch", "sim.py"], "Can't append branch coverage data to existing statement data"),
    "append to a text": (["--append", "--data-file=text", "sim.py"], "Couldn't use data file 'text': file is not a database: (SQLITE_NOTADB)"),
    "bad pattern": (["--omit=a**", "sim.py"], "File pattern can't include 'a**'"),
    "bad concurrency": (["--concurrency=what", "sim.py"], "Unknown concurrency choices: what"),
    "no configuration": (["--rcfile=gone.cfg", "sim.py"], "Couldn't read 'gone.cfg' as a config file"),
}


@pytest.mark.parametrize("kind", BAD)
def test_bad_input_is_refused_before_the_command_runs(kind: str, project: Path) -> None:
    script("print('ran')\n")
    Path("text").write_text("no data " * 100)
    old = CoverageData(".coverage")
    old.add_lines({"/src/a.py": [1]})
    old.close()
    before = {p: p.read_bytes() for p in project.rglob("*") if p.is_file()}
    arguments, message = BAD[kind]
    done = run(*arguments, code=1)
    assert (done.stdout + done.stderr).strip() == message.format(project)
    assert {p: p.read_bytes() for p in project.rglob("*") if p.is_file()} == before


def test_a_folder_whose_name_is_not_utf_8(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """coverage.py measures nothing there."""
    folder = project / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    monkeypatch.chdir(folder)
    script("print('ran')\n")
    done = run("sim.py", code=1)
    assert (done.stdout + done.stderr).strip() == "The names of the current folder, of files and in the configuration have to be UTF-8."


def test_data_that_cannot_be_merged_is_not_lost() -> None:
    script("import pk.kernels\npk.kernels.flush()\n")
    done = run("sh", "-c", "coverage run --branch sim.py", code=1)
    assert "Can't combine statement coverage data with branch data" in done.stderr
    kept = Path(done.stderr.splitlines()[-1].split("'")[1])
    assert list((kept / "kernels").glob("_qd_kcov.*"))
    assert data().has_arcs()


def test_the_output_of_the_command_can_be_piped() -> None:
    """The table goes to standard error, the last of it."""
    Path(".coveragerc").write_text("[report]\nshow_missing = true\nfail_under = 100\n")
    Path(".coverage.other").touch()  # another program's: it is left alone
    script("import sys\nimport pk.m\npk.m.first()\nprint('{}')\nprint('said', file=sys.stderr)\n")
    done = subprocess.run(["qd-cov", "run", "sim.py"], capture_output=True, text=True, check=False)
    Path(".coverage.other").unlink()
    expected = subprocess.run(["coverage", "report", "--fail-under=0"], capture_output=True, text=True, check=True).stdout
    assert (done.returncode, done.stdout, done.stderr) == (0, "{}\n", "said\n" + expected)
    assert "pk/m.py" in expected


def test_a_command_line_from_the_configuration() -> None:
    script("import sys\nprint(sys.argv[1:])\n")
    Path(".coveragerc").write_text("[run]\ncommand_line = sim.py 'a b' --flag\n")
    assert run().stdout == "['a b', '--flag']\n"
    Path(".coveragerc").write_text("[run]\ncommand_line = -m sim c\n")
    assert run().stdout == "['c']\n"

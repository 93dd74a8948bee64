"""`qd-cov run` beside `coverage run`: the same exit code and data for each way of starting a program, and for each option. The output of a
program, tracebacks with it, is its output without measurement."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from coverage import CoverageData
from coverage_commands import coverage_py

SHOW = """\
import sys
def show():
    print(sys.argv, sys.path[0], __name__, __file__)
if len(sys.argv) < 9:
    show()
"""

RAISES = """\
def f(x):
    return 1 / x
try:
    f(0)
except ZeroDivisionError as exc:
    raise ValueError("bad") from exc
"""

HOOK = """\
import sys
def hook(kind, value, trace):
    print("hook", kind.__name__, file=sys.stderr)
sys.excepthook = hook
1 / 0
"""

TESTS = """\
import unittest
class T(unittest.TestCase):
    def test_one(self):
        import show
    def test_two(self):
        pass
unittest.main()
"""

PARENT = """\
import subprocess, sys
subprocess.run([sys.executable, "-I", "show.py"], check=True)
subprocess.run([sys.executable, "-E", "a_script"], check=True)
"""

SERVER = """\
import os, sys
print(os.getpid(), flush=True)
for line in sys.stdin:
    if line == "more\\n":
        print("more", flush=True)
"""

PLUGIN = """\
import coverage
class Tracer(coverage.FileTracer):
    def __init__(self, name):
        self.name = name
    def source_filename(self):
        return self.name
    def line_number_range(self, frame):
        return frame.f_lineno, frame.f_lineno
class Plugin(coverage.CoveragePlugin):
    def __init__(self, options):
        self.options = options
    def file_tracer(self, filename):
        return Tracer(filename.replace(".py", ".tmpl")) if filename.endswith("generated.py") else None
    def dynamic_context(self, frame):
        name = frame.f_code.co_name
        return f"{self.options['prefix']}:{name}" if name.startswith("show") else None
    def configure(self, config):
        config.set_option("run:omit", ["*/skipped.py"])
def coverage_init(registry, options):
    plugin = Plugin(options)
    registry.add_file_tracer(plugin)
    registry.add_configurer(plugin)
    registry.add_dynamic_context(plugin)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Programs of every kind, and the folder for both tools' data beside them."""
    work = tmp_path / "work"
    (work / "pk" / "sub").mkdir(parents=True)
    (work / "folder").mkdir()
    monkeypatch.chdir(work)
    for name in ("COVERAGE_FILE", "COVERAGE_RCFILE", "COVERAGE_PROCESS_START", "COVERAGE_PROCESS_CONFIG", "PYTHONPATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    for name in ("show.py", "a_script", "pk/__main__.py", "pk/sub/mod.py", "folder/__main__.py", "generated.py", "skipped.py"):
        Path(name).write_text(SHOW)
    Path("pk/__init__.py").write_text("x = 1\n")
    Path("raises.py").write_text(RAISES)
    Path("hook.py").write_text(HOOK)
    Path("message.py").write_text("raise SystemExit('message')\n")
    Path("three.py").write_text("import atexit, sys\natexit.register(print, 'at exit')\nsys.exit(3)\n")
    Path("leaves.py").write_text("import os\nos._exit(4)\n")
    Path("threads.py").write_text("import threading, show\nt = threading.Thread(target=show.show)\nt.start()\nt.join()\n")
    Path("imports.py").write_text("import generated, skipped, show, pk.sub.mod\nshow.show()\n")
    Path("tests.py").write_text(TESTS)
    Path("my_plugin.py").write_text(PLUGIN)
    return work


def run(tool: str, *words: str) -> subprocess.CompletedProcess[str]:
    if tool == "coverage":
        return coverage_py(["run", *words], Path.cwd())
    return subprocess.run(["qd-cov", "run", "-q", *words], capture_output=True, text=True, check=False, timeout=60, stdin=subprocess.DEVNULL)


def facts(file: str) -> set[tuple[str, str | None, str, object]]:
    data = CoverageData(file)
    data.read()
    found: set[tuple[str, str | None, str, object]] = {("", "", "", data.has_arcs())}
    for name in data.measured_files():
        found.add((name, data.file_tracer(name), "", ""))
    for context in data.measured_contexts():
        data.set_query_context(context)
        for name in data.measured_files():
            found |= {(name, "", context, line) for line in data.lines(name) or []}
            found |= {(name, "", context, arc) for arc in data.arcs(name) or []}
    return found


def both(*words: str) -> tuple[subprocess.CompletedProcess[str], subprocess.CompletedProcess[str]]:
    """Run both tools; their data lies in .theirs and .ours."""
    theirs = run("coverage", "--data-file=.theirs", *words)
    ours = run("qd-cov", "--data-file=.ours", *words)
    return theirs, ours


PROGRAMS = [
    "show.py a -b --c", "-- show.py -x", "a_script x", "./a_script", "folder", "folder/ a", "-m show a", "-m pk", "-m pk.sub.mod x", "-m folder",
    "pk", "message.py", "three.py", "raises.py", "hook.py", "--branch raises.py", "threads.py",
]  # fmt: skip
OPTIONS = [
    "--branch", "--source=.", "--source=pk", "--source=pk.sub", "--include=*/sub/*", "--omit=*/s*.py,pk/*", "--context=label", "--timid",
    "-L --include=*/json/*,imports.py", "--concurrency=thread", "--branch --source=pk,show --context=x", "--rcfile=relative.cfg",
    "--rcfile=contexts.cfg --branch", "--rcfile=plugins.cfg", "--rcfile=core.cfg",
]  # fmt: skip


@pytest.mark.parametrize("command", PROGRAMS)
def test_programs(command: str) -> None:
    theirs, ours = both(*command.split())
    words = [word for word in command.split() if word not in ("--branch", "--")]
    plain = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    assert (ours.returncode, ours.stdout, ours.stderr) == (plain.returncode, plain.stdout, plain.stderr)
    assert ours.returncode == theirs.returncode
    assert facts(".ours") == facts(".theirs")


@pytest.mark.parametrize("options", OPTIONS)
def test_options(options: str) -> None:
    Path("relative.cfg").write_text("[run]\nrelative_files = true\nbranch = true\nsource =\n  pk\n  show\n")
    Path("contexts.cfg").write_text("[run]\ndynamic_context = test_function\ncontext = static\n")
    Path("plugins.cfg").write_text("[run]\nplugins = my_plugin\n[my_plugin]\nprefix = p\n")
    Path("core.cfg").write_text("[run]\ncore = pytrace\nbranch = true\n")
    program = "tests.py" if "contexts" in options else "imports.py"
    theirs, ours = both(*options.split(), program)
    assert (ours.returncode, ours.stdout) == (theirs.returncode, theirs.stdout)
    assert facts(".ours") == facts(".theirs")
    assert len(facts(".ours")) > 3


def test_programs_that_coverage_cannot_run() -> None:
    with zipfile.ZipFile("program.pyz", "w") as archive:
        archive.writestr("__main__.py", SHOW)
    done = run("qd-cov", "program.pyz", "a")
    expected = f"['program.pyz', 'a'] {os.path.abspath('program.pyz')} __main__ {os.path.abspath('program.pyz/__main__.py')}\n"
    assert (done.returncode, done.stdout) == (0, expected)
    assert {name for name, _, _, line in facts(".coverage") if line == 5} == {os.path.abspath("program.pyz/__main__.py")}


def test_warnings_and_errors() -> None:
    commands = ["--source=nowhere show.py", "--include=nothing show.py", "-a -p show.py", "-m nowhere", "gone.py", "-p -a show.py"]
    messages = ["was never imported", "No data was collected", "Can't append to data files in parallel mode.", "No module named", "No file to run"]
    for command in commands:
        theirs, ours = both(*command.split())
        assert ours.returncode == theirs.returncode, command
        for text in messages:
            assert (text in ours.stderr + ours.stdout) == (text in theirs.stderr + theirs.stdout), (command, ours)


def test_a_module_that_is_not_there_leaves_the_data(folder: Path) -> None:
    run("qd-cov", "show.py")
    before = Path(".coverage").read_bytes()
    assert run("qd-cov", "-m", "nowhere").returncode == 1
    assert Path(".coverage").read_bytes() == before


@pytest.mark.parametrize("way", ["option", "configuration"])
def test_parallel_mode(way: str) -> None:
    options = ["-p"] if way == "option" else []
    if way == "configuration":
        Path(".coveragerc").write_text("[run]\nparallel = true\n")
    Path(".coverage").write_text("stays")
    for _ in range(2):
        assert run("qd-cov", *options, "show.py").returncode == 0
    assert Path(".coverage").read_text() == "stays"
    files = sorted(p.name for p in Path().glob(".coverage.*"))
    assert len(files) == 2
    assert all(re.fullmatch(r"\.coverage\.[^.]+\.pid\d+\.X\w{6}x", name) for name in files), files
    Path(".coverage").unlink()
    subprocess.run(["coverage", "combine", "-q"], check=True)
    assert {name for name, *_ in facts(".coverage")} == {"", os.path.abspath("show.py")}


@pytest.mark.parametrize("flags", ["-I", "-E", "-Ib", "-E -W ignore"])
def test_a_python_that_ignores_its_environment(flags: str) -> None:
    done = run("qd-cov", "--branch", sys.executable, *flags.split(), "show.py", "a")
    assert (done.returncode, done.stderr) == (0, "")
    assert (os.path.abspath("show.py"), "", "", (4, 5)) in facts(".coverage")


def test_children_that_ignore_their_environment() -> None:
    Path("parent.py").write_text(PARENT)
    assert run("qd-cov", "parent.py").returncode == 0
    assert {name for name, *_ in facts(".coverage")} == {"", *map(os.path.abspath, ("show.py", "a_script", "parent.py"))}


def test_a_python_without_site_is_told_of() -> None:
    done = run("qd-cov", sys.executable, "-S", "show.py")
    assert done.returncode == 0
    assert f"CoverageWarning: {sys.executable} -S does not let coverage.py start: its Python code is not measured\n" in done.stderr


def test_an_older_coverage() -> None:
    python = Path(sys.prefix).parent / ".venv-coverage74" / "bin" / "python"
    if not python.exists():
        pytest.skip(f"no {python}: ci/setup --tests makes it")
    assert run("qd-cov", "--branch", str(python), "show.py", "a").stderr == ""
    assert (os.path.abspath("show.py"), "", "", (4, 5)) in facts(".coverage")
    done = run("qd-cov", str(python), "-I", "show.py", "a")
    assert f"CoverageWarning: {python} -I does not let coverage.py start: its Python code is not measured\n" in done.stderr


def test_a_plugin_that_is_not_there() -> None:
    Path(".coveragerc").write_text("[run]\nplugins = gone_plugin\n")
    done = run("qd-cov", "show.py")
    assert (done.returncode, done.stdout.count("\n"), done.stderr) == (1, 1, "")
    assert "cannot import: No module named 'gone_plugin'" in done.stdout


@pytest.mark.parametrize("receiver", ["qd-cov", "program"])
@pytest.mark.parametrize("name", ["USR1", "USR2"])
def test_save_signal(name: str, receiver: str) -> None:
    Path("server.py").write_text(SERVER)
    command = ["qd-cov", "run", "-q", f"--save-signal={name}", "server.py"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin and process.stdout
        program = int(process.stdout.readline())
        for lines in ({1, 2}, {1, 2, 3, 4, 5}):
            Path(".coverage").unlink(missing_ok=True)
            os.kill(process.pid if receiver == "qd-cov" else program, getattr(signal, f"SIG{name}"))
            assert process.stdout.readline() == "Saving coverage data...\n"
            while not Path(".coverage").exists():
                assert process.poll() is None
            assert lines <= {fact[3] for fact in facts(".coverage")}
            process.stdin.write("more\n")
            process.stdin.flush()
            assert process.stdout.readline() == "more\n"
        process.stdin.close()
        assert process.wait(30) == 0
    assert {1, 2, 3, 4, 5} <= {fact[3] for fact in facts(".coverage")}
    assert run("qd-cov", "--save-signal=HUP", "show.py").returncode == 1

"""Python programs, pytest, coverage.py and diff-cover, each forked by a process that has loaded numpy or the tool: most of the time of a short run
goes there."""

from __future__ import annotations

import atexit
import functools
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

SERVER = """
import gc, importlib, json, os, sys
for module in sys.argv[1:]:
    importlib.import_module(module)

def run_program():
    # The main module of a program has no names of this text.
    import builtins, os, sys
    sys.argv.pop(0)
    sys.path[0] = os.path.dirname(os.path.abspath(sys.argv[0]))
    with open(sys.argv[0], "rb") as file:
        code = compile(file.read(), sys.argv[0], "exec")
    names = sys.modules["__main__"].__dict__
    names.clear()
    names |= {"__name__": "__main__", "__builtins__": builtins, "__file__": sys.argv[0], "__spec__": None}
    exec(code, names)
    sys.exit()

gc.freeze()
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
else:
    sys.exit()
name, command, folder, environment, outputs = json.loads(line)
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
for number, path in enumerate(outputs, 1):
    os.dup2(os.open(path, os.O_WRONLY | os.O_TRUNC), number)
os.chdir(folder)
of_server = os.environ.get("PYTHONPATH", "").split(os.pathsep)
os.environ.clear()
os.environ.update(environment)
sys.argv = [name, *command]
sys.path[:] = [folder, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)), *(p for p in sys.path[1:] if p not in of_server)]
if name == "program":
    main = run_program
elif name == "coverage":
    from coverage.cmdline import main
elif name == "pytest":
    from pytest import console_main as main
else:
    from diff_cover.diff_cover_tool import main
sys.exit(main())
"""
COVERAGE = ("cmdline", "annotate", "collector", "html", "jsonreport", "lcovreport", "report", "sqldata", "xmlreport")
PYTEST = ("main", "runner", "terminal", "python", "fixtures", "assertion.rewrite", "junitxml", "doctest", "pastebin", "faulthandler", "unittest")


class Server:
    """The process that forks, one program at a time."""

    def __init__(self, python: str, modules: tuple[str, ...]) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="qd-coverage-")
        self.outputs = [Path(self.folder.name, stream) for stream in ("out", "err")]
        self.process = subprocess.Popen(
            [python, "-c", SERVER, *modules], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        atexit.register(self.end)

    def run(
        self, name: str, command: Sequence[str], folder: Path, environment: Mapping[str, str], timeout: float | None = None
    ) -> subprocess.CompletedProcess[str]:
        assert self.process.stdin is not None and self.process.stdout is not None
        for output in self.outputs:
            output.write_bytes(b"")
        self.process.stdin.write(json.dumps([name, [*command], str(folder), {**environment}, [*map(str, self.outputs)]]) + "\n")
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], timeout)[0]:
            os.killpg(self.process.pid, signal.SIGKILL)
            _server.cache_clear()
            raise subprocess.TimeoutExpired([*command], timeout or 0, *(output.read_bytes() for output in self.outputs))
        code = int(self.process.stdout.readline())
        return subprocess.CompletedProcess([*command], code, *(output.read_bytes().decode() for output in self.outputs))

    def end(self) -> None:
        self.process.communicate()
        self.folder.cleanup()


_server = functools.cache(Server)


def forked(python: str, words: Sequence[str], folder: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """`pytest` or `coverage` of another Python, which has numpy and pytest loaded, too: most of the time of a short run goes there."""
    modules = (*(f"coverage.{module}" for module in COVERAGE), "numpy", "pytest", *(f"_pytest.{module}" for module in PYTEST), "execnet")
    return _server(python, modules).run(words[0], words[1:], folder, environment)


def coverage_py(
    command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None, check: bool = False, python: str = sys.executable
) -> subprocess.CompletedProcess[str]:
    """`coverage` with these arguments in a folder. The interpreter's own variables are those of the tests; with `check` it must end with 0."""
    server = _server(python, tuple(f"coverage.{module}" for module in COVERAGE))
    done = server.run("coverage", command, folder, os.environ if environment is None else environment)
    assert not check or done.returncode == 0, done
    return done


def diff_cover(command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """`diff-cover` with these arguments in a folder."""
    return _server(sys.executable, ("diff_cover.diff_cover_tool",)).run("diff-cover", command, folder, environment)


def program(
    words: Sequence[str | Path], folder: Path | None = None, environment: Mapping[str, str] | None = None, timeout: float | None = None
) -> subprocess.CompletedProcess[str]:
    """A Python program, its file and arguments, which finds numpy loaded. Not for programs whose start, options of Python or sessions of the terminal
    matter, nor for such as are killed by a signal to their group."""
    server = _server(sys.executable, ("numpy",))
    return server.run("program", [*map(str, words)], folder or Path.cwd(), os.environ if environment is None else environment, timeout)

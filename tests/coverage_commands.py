"""Commands of coverage.py and diff-cover, each forked by a process that has the program loaded, in a fifth of the time of `python -m coverage`."""

from __future__ import annotations

import atexit
import functools
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

SERVER = """
import gc, importlib, json, os, sys
for module in sys.argv[1:]:
    importlib.import_module(module)

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
if name == "coverage":
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
    """The process that forks."""

    def __init__(self, python: str, modules: tuple[str, ...]) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="qd-coverage-")
        self.outputs = [Path(self.folder.name, stream) for stream in ("out", "err")]
        self.process = subprocess.Popen([python, "-c", SERVER, *modules], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        atexit.register(self.end)

    def run(self, name: str, command: Sequence[str], folder: Path, environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        assert self.process.stdin is not None and self.process.stdout is not None
        for output in self.outputs:
            output.write_bytes(b"")
        self.process.stdin.write(json.dumps([name, [*command], str(folder), {**environment}, [*map(str, self.outputs)]]) + "\n")
        self.process.stdin.flush()
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

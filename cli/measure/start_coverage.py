"""Start of coverage.py before any other code of a Python process.

`qd-cov run` puts this file, named sitecustomize.py, and options.json into a
folder at the head of PYTHONPATH, so that it runs in the measured command and
in every Python process that the command starts. With --no-host it only takes
the data that Quadrants' own kernel coverage writes.
"""

from __future__ import annotations

import atexit
import contextlib
import glob
import importlib.util
import json
import os
import signal
import sys
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any

FOLDER = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(os.path.dirname(FOLDER), "kernels")
# Saved here, because the program may replace these functions while it runs.
VERSIONS = os.path.join(FOLDER, "versions")
STAT, OPEN, WRITE, CLOSE = os.stat, os.open, os.write, os.close


def read_options() -> dict[str, Any]:
    """Return the options of `qd-cov run`."""
    with open(os.path.join(FOLDER, "options.json"), encoding="utf-8") as file:
        options: dict[str, Any] = json.load(file)
    return options


def foreign_runtime() -> str | None:
    """Return the place of another project's package `qd`, if this process imported that one although the kernel runtime is installed."""
    module = sys.modules.get("qd")
    if module is None or "qdcov" in sys.modules:
        return None
    try:
        there_is_ours = importlib.util.find_spec("qdcov") is not None
    except (ImportError, ValueError):
        return None
    place = getattr(module, "__file__", None) or next(iter(getattr(module, "__path__", [])), None)
    return place if there_is_ours else None


def save(cov: Any, options: dict[str, Any]) -> None:
    """Save the data, unless `qd-cov run` is over: it does not wait for daemons."""
    if not os.path.exists(FOLDER):
        return
    cov.save()
    if foreign := foreign_runtime():
        with open(os.path.join(FOLDER, "foreign_runtime"), "a", encoding="utf-8") as file:
            file.write(f"{foreign}\n")
    imported = [name for name in options["packages"] if name in sys.modules]
    if imported:
        with open(os.path.join(FOLDER, "imported"), "a", encoding="utf-8") as file:
            file.write("".join(f"{name}\n" for name in imported))


def save_before(cov: Any, options: dict[str, Any], name: str) -> None:
    """Make os.`name`, which skips the exit handlers of the program, save the data first."""
    original: Callable[..., Any] = getattr(os, name)

    def replacement(*args: Any, **kwargs: Any) -> Any:
        with contextlib.suppress(Exception):
            save(cov, options)
        return original(*args, **kwargs)

    setattr(os, name, replacement)


def save_when_asked(cov: Any, options: dict[str, Any]) -> None:
    """Save the data at the signal of --save-signal, and tell `qd-cov run`, which then combines it."""
    number = options["save_signal"]
    if not number or os.getppid() != options["runner"]:
        return

    def handler(_signum: int, _frame: Any) -> None:
        print("Saving coverage data...", flush=True)
        save(cov, options)
        os.kill(options["runner"], number)

    signal.signal(number, handler)


class PlainData:
    """The part of coverage.py's CoverageData with which Quadrants writes its data, for a Python without coverage.py."""

    def __init__(self, basename: str) -> None:
        self._path = basename
        self._lines: dict[str, list[int]] = {}
        self._arcs: dict[str, list[tuple[int, int]]] = {}

    def add_lines(self, lines: dict[str, list[int]]) -> None:
        """Take the executed lines of files."""
        self._lines = lines

    def add_arcs(self, arcs: dict[str, list[tuple[int, int]]]) -> None:
        """Take the executed arcs of files."""
        self._arcs = arcs

    def write(self) -> None:
        """Write the data file, in coverage.py's tables."""
        import sqlite3

        with contextlib.closing(sqlite3.connect(self._path)) as database, database:
            database.executescript(
                "CREATE TABLE coverage_schema (version integer); INSERT INTO coverage_schema VALUES (7);"
                "CREATE TABLE meta (key text, value text, unique (key));"
                "CREATE TABLE file (id integer primary key, path text, unique (path));"
                "CREATE TABLE context (id integer primary key, context text, unique (context)); INSERT INTO context VALUES (1, '');"
                "CREATE TABLE line_bits (file_id integer, context_id integer, numbits blob, unique (file_id, context_id));"
                "CREATE TABLE arc (file_id integer, context_id integer, fromno integer, tono integer, unique (file_id, context_id, fromno, tono));"
                "CREATE TABLE tracer (file_id integer primary key, tracer text);"
            )
            database.execute("INSERT INTO meta VALUES ('has_arcs', ?)", ["1" if self._arcs else "0"])
            for number, path in enumerate([*self._lines, *self._arcs], 1):
                database.execute("INSERT INTO file VALUES (?, ?)", [number, path])
                arcs, lines = self._arcs.get(path, []), self._lines.get(path, [])
                database.executemany("INSERT INTO arc VALUES (?, 1, ?, ?)", [(number, *arc) for arc in arcs])
                bits = bytearray(max(lines, default=0) // 8 + 1)
                for line in lines:
                    bits[line // 8] |= 1 << line % 8
                if lines:
                    database.execute("INSERT INTO line_bits VALUES (?, 1, ?)", [number, bytes(bits)])


@contextlib.contextmanager
def coverage_or_plain_data() -> Iterator[None]:
    """Let `from coverage import CoverageData` work in a Python without coverage.py."""
    absent = "coverage" not in sys.modules and importlib.util.find_spec("coverage") is None
    if absent:
        sys.modules["coverage"] = stand_in = types.ModuleType("coverage")
        stand_in.CoverageData = PlainData  # type: ignore[attr-defined]
    try:
        yield
    finally:
        if absent:
            sys.modules.pop("coverage", None)


class QuadrantsData:
    """Finder of Quadrants' own kernel coverage, which writes its data at the exit: into our folder, not the program's.

    So no other process of that number, earlier or at the same time, has written a file there.
    """

    NAME = "quadrants.lang._kernel_coverage"
    _found = False

    def find_spec(self, name: str, _path: Any = None, _target: Any = None) -> Any:
        """Return the module's spec, with a loader that calls us at the exit, just before the module writes; None for any other module."""
        if name != self.NAME or self._found:
            return None
        self._found = True  # also where a program has wrapped the finders, and asks us again
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None and hasattr(spec.loader, "exec_module"):
            execute = spec.loader.exec_module

            def exec_module(module: Any) -> None:
                with coverage_or_plain_data():
                    execute(module)
                atexit.register(self.redirect, module)

            spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec

    @staticmethod
    def redirect(module: Any) -> None:
        """Let the module write to our folder, unless `qd-cov run` is over."""
        if os.path.isdir(KERNELS) and hasattr(module, "_coverage_dir"):
            module._coverage_dir = KERNELS


def runtime_files() -> list[str]:
    """The patterns for the files of the kernel runtime and its coverage, which a build folder may hold instead of site-packages."""
    spec = importlib.util.find_spec("qdcov")
    others = [importlib.util.find_spec(name) for name in ("qd_coverage", "qd_pytest_plugin")]
    if spec is None or spec.origin is None:
        return []
    folder = os.path.dirname(os.path.realpath(spec.origin))
    return [
        os.path.join(folder, "*"),
        os.path.join(os.path.dirname(folder), "qd", "*"),
        *(os.path.realpath(other.origin) for other in others if other is not None and other.origin),
    ]


def configured(coverage: Any, options: dict[str, Any]) -> Any:
    """Return a Coverage with the options of `qd-cov run`."""
    cov = coverage.Coverage(config_file=options["config_file"], data_file=options["data_file"], data_suffix=True)
    settings = options["settings"]
    if not options["has_source"]:
        # Leaves out the runtime and the folder of this run, as coverage.py leaves out itself.
        settings["run:omit"] += [*runtime_files(), os.path.join(os.path.dirname(FOLDER), "*")]
    for name, value in settings.items():
        cov.set_option(name, value)
    # Children that ignore PYTHONPATH (python -I, python -E) start coverage.py by its own .pth file, if it has one. That cannot import plugins beside
    # the program.
    with contextlib.suppress(Exception):  # coverage.py before 7.10 has no such option
        if not cov.get_option("run:plugins"):
            cov.set_option("run:patch", [*cov.get_option("run:patch"), "subprocess"])
    return cov


@contextlib.contextmanager
def importing_from(folders: list[str]) -> Iterator[None]:
    """Let plugins be imported from the import folders of the program, which are not in sys.path yet."""
    before = sys.path[:]
    sys.path[:0] = folders
    try:
        yield
    finally:
        sys.path[:] = before


def write_process_config() -> None:
    """Write the value of COVERAGE_PROCESS_CONFIG, by which coverage.py's own .pth file starts the same measurement; nothing without such a file."""
    import coverage

    options = read_options()
    with importing_from(options["import_folders"]):
        cov = configured(coverage, options)
    site_packages = os.path.dirname(os.path.dirname(os.path.abspath(coverage.__file__)))
    if glob.glob(os.path.join(glob.escape(site_packages), "*coverage*.pth")) and hasattr(cov.config, "serialize"):
        cov.set_option("run:patch", sorted({*cov.get_option("run:patch"), "_exit", "execv", "subprocess"}))
        with open(os.path.join(FOLDER, "process_config"), "w", encoding="utf-8") as file:
            file.write(cov.config.serialize())


def note_versions(cov: Any) -> None:
    """Note the state of each measured file when the first of its code runs: the data belongs to its text at that time."""
    original = getattr(cov, "_should_trace", None)
    if original is None:
        return

    def should_trace(filename: str, frame: Any) -> Any:
        disposition = original(filename, frame)
        with contextlib.suppress(Exception):
            path = disposition.source_filename if disposition.trace else ""
            if path:
                state = STAT(path)
                line = f"{state.st_mtime_ns} {state.st_ctime_ns} {state.st_size} {state.st_ino} {path}\0".encode(errors="surrogateescape")
                file = OPEN(VERSIONS, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
                try:
                    WRITE(file, line)
                finally:
                    CLOSE(file)
        return disposition

    cov._should_trace = should_trace
    collector = getattr(cov, "_collector", None)
    if collector is not None:  # the measurement has started
        collector.should_trace = should_trace
        for tracer in collector.tracers:
            tracer.should_trace = should_trace


def adopted(running: Any, options: dict[str, Any]) -> bool:
    """Take over the measurement that coverage.py's .pth file has started for us; false for any other measurement."""
    if running.get_option("run:data_file") != options["data_file"]:
        return False
    running._auto_save = False  # save() first checks that `qd-cov run` is still there
    return True


def start_coverage() -> None:
    """Start measuring with the options of `qd-cov run`."""
    try:
        import coverage
    except ImportError:
        with open(os.path.join(FOLDER, "without_coverage"), "a", encoding="utf-8") as marker:
            marker.write(f"{sys.executable}\n")
        return
    options = read_options()
    cov = getattr(coverage.process_startup, "coverage", None)
    if cov is not None:
        if not adopted(cov, options):
            return
        note_versions(cov)
        atexit.register(save, cov, options)
    else:
        try:
            # Warnings concern the whole run; each process would repeat them.
            with warnings.catch_warnings(), importing_from(options["import_folders"]):
                warnings.simplefilter("ignore")
                cov = configured(coverage, options)
                atexit.register(save, cov, options)
                note_versions(cov)
                cov.start()
        except Exception as exc:
            sys.stderr.write(f"{exc}\n")
            sys.stderr.flush()
            os._exit(1)
        coverage.process_startup.coverage = cov  # type: ignore[attr-defined]
    for name in ("_exit", "execv", "execve"):
        save_before(cov, options, name)
    save_when_asked(cov, options)


def import_own_sitecustomize() -> None:
    """Import the sitecustomize that this one hides, if there is one."""
    sys.path[:] = [path for path in sys.path if os.path.abspath(path) != FOLDER]
    this = sys.modules.pop("sitecustomize", None)
    try:
        __import__("sitecustomize")
    except ImportError as exc:
        if exc.name != "sitecustomize":
            raise
    if this is not None:
        sys.modules.setdefault("sitecustomize", this)


def watch_numba() -> None:
    """Let the functions that Numba compiles be measured, should the program import it. The package is in our folder."""
    import qd_numba

    qd_numba.watch()


def main() -> None:
    """Measure this process."""
    sys.meta_path.insert(0, QuadrantsData())
    watch_numba()
    if not read_options()["measures"]:
        import_own_sitecustomize()
        return
    start_coverage()
    # Stops the measurement, as `coverage run` does: Debian's Python has a sitecustomize of its own.
    started = getattr(getattr(sys.modules.get("coverage"), "process_startup", None), "coverage", None)
    if started is not None:
        started.stop()
    import_own_sitecustomize()
    if started is not None:
        started.start()


if __name__ == "__main__":
    write_process_config()
else:
    main()

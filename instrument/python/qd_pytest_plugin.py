"""pytest plugin: the coverage of kernels in pytest-cov's own report, and failures of launches in the tests that launched them.

With pytest-cov active, kernels are measured (QD_KERNEL_COVERAGE=0 opts out), and their records are left beside coverage's data file before
pytest-cov combines. This module imports neither qd nor anything of the project: coverage has not started yet when pytest loads it."""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import glob
import importlib.util
import os
import shutil
import struct
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Generator
from typing import Any

import pytest

_ON = "QD_KERNEL_COVERAGE"
_FILE = "QD_KERNEL_COVERAGE_FILE"
_FOLDER = "QD_KERNEL_COVERAGE_DIR"
_LABELS = "QD_KERNEL_COVERAGE_CONTEXT"
current_label = ""
"""The test that runs now, for kernel coverage that starts in the middle of it."""
paused = False
"""Whether pytest-cov does not measure the test that runs now."""
_measuring: Any = None
"""The configuration of the session that is measured: not those of sessions that its tests run within it."""
_died: list[str] = []
"""Workers of xdist that left no data."""
_START_FOLDER = os.getcwd()
_START_TIME = time.time()
_VERSIONS = "QD_COVERAGE_VERSIONS"
"""The file in which this process and its children note which version of a source they measured."""
_COMMAND_KNOWN = "QD_COVERAGE_COMMAND_KNOWN" in os.environ
"""Whether `qd-cov run` has noted the command that led to this process."""
_words = sys.orig_argv[:]
"""The command of this process."""
_labels = ""
"""Environment variables about labels, and the file of versions, before a test could change them."""
_versions = ""
_HAS_RUNTIME = importlib.util.find_spec("qd_coverage") is not None
"""Whether the kernel runtime is installed, which recovers journals of processes that died; else the program qd-cov does."""
_kept = ""
"""A folder with copies of data files that are about to be combined: those of kernels, and those of earlier sessions."""
_stat, _open, _write, _close = os.stat, os.open, os.write, os.close
"""Functions of os, saved: they are called while tests run, which may have put others in their place."""


def _running() -> Any:
    """The coverage.Coverage that measures this process, or None."""
    coverage = sys.modules.get("coverage")
    return coverage.Coverage.current() if hasattr(coverage, "Coverage") else None  # type: ignore[union-attr]


_measured_by = _running()
"""Coverage that was measuring before pytest-cov did: of `coverage run`."""


def _host(config: Any) -> Any:
    """The running coverage.Coverage of pytest-cov, or None."""
    plugin = config.pluginmanager.getplugin("_cov")
    return getattr(getattr(plugin, "cov_controller", None), "cov", None)


def _data_file(host: Any) -> str:
    # A test may have left the process in another folder.
    return os.path.join(_START_FOLDER, host.config.data_file)


def _kernels() -> Any:
    """The module of kernel coverage, when kernels are measured in this process."""
    return sys.modules.get("qd_coverage")


def _numba() -> Any:
    """The package that measures functions of Numba, when it watches for these in this process."""
    return sys.modules.get("qd_numba")


def _watch_numba() -> None:
    """Lets functions be measured that Numba compiles, should the program import it."""
    with contextlib.suppress(ImportError):  # this plugin alone may be in the import path
        import qd_numba

        qd_numba.watch()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds options beside those of pytest-cov."""
    group = parser.getgroup("cov", "coverage reporting with distributed testing support")
    group.addoption(
        "--cov-conditions", action="store_true", help="Record what the conditions of each decision in kernels were. Default: as [tool.qd-cov] says"
    )


def _require_pytest_cov(config: Any, parser: pytest.Parser, args: list[str]) -> None:
    """Refuses options that need pytest-cov without it: pytest knows no --cov then, and --cov-conditions needs measured kernels."""
    if config.pluginmanager.hasplugin("pytest_cov"):
        return
    options, unknown = parser.parse_known_and_unknown_args(args)
    asked = [word for word in unknown if word in ("--cov", "--no-cov") or word.startswith(("--cov=", "--cov-"))]
    if options.cov_conditions and os.environ.get(_ON, "0") in ("", "0"):
        asked.append("--cov-conditions")
    if asked:
        what = f"not installed: {sys.executable} -m pip install pytest-cov"
        if importlib.util.find_spec("pytest_cov") is not None:
            what = "installed but not loaded: -p no:pytest_cov or PYTEST_DISABLE_PLUGIN_AUTOLOAD turned it off, -p pytest_cov loads it"
        raise pytest.UsageError(f"{asked[0].split('=')[0]} needs pytest-cov, which is {what}")


@pytest.hookimpl(wrapper=True)
def pytest_load_initial_conftests(early_config: Any, parser: pytest.Parser, args: list[str]) -> Generator[None, object, object]:
    """Starts before conftest files are imported, which may run kernels. Workers of xdist and other children inherit the environment."""
    _require_pytest_cov(early_config, parser, args)
    options = early_config.known_args_namespace
    if _measuring is None and _is_worker():
        # pytest-cov would erase data of workers that ended before: this one may replace a worker that crashed.
        options.cov_append = True
    # Once pytest-cov was here, a bare --cov has left no source, but a plugin.
    asked = getattr(options, "cov_source", None) or early_config.pluginmanager.hasplugin("_cov")
    if asked and not getattr(options, "no_cov", False) and _measuring is None:
        os.environ.setdefault(_ON, "1")
        os.environ[_LABELS] = getattr(options, "cov_context", None) or ""
        _note_versions()
        _watch_numba()
    if getattr(options, "cov_conditions", False) and _measuring is None:
        os.environ["QD_KERNEL_COVERAGE_CONDITIONS"] = "1"
    pytest_configure(early_config)
    return (yield)


def _is_worker() -> bool:
    """Whether this process is a worker of xdist, before its configuration says so: its module is run by execnet, which gives it a name."""
    frame = sys._getframe()
    while frame.f_back is not None:
        frame = frame.f_back
        if frame.f_globals.get("__name__") == "__channelexec__":
            return True
    return False


def _command() -> list[str]:
    """The words by which this process was started, as its user wrote them; none where `qd-cov run` notes the command."""
    words = [word.encode(errors="replace").decode() for word in _words]
    if _COMMAND_KNOWN:
        return []
    if len(words) > 1 and os.path.isabs(words[0]) and _is_script(words[1]):
        del words[0]
        name = os.path.basename(words[0])
        if shutil.which(name) == words[0]:
            words[0] = name
    return words


def _is_script(path: str) -> bool:
    """Whether it is a program whose first line names the interpreter."""
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!" and os.access(path, os.X_OK)
    except OSError:
        return False


def _note_command(measured_by: Any, process: int) -> None:
    """Notes the command at the end of `coverage run`, which has written its data file by then."""
    if os.getpid() != process:
        return
    with contextlib.suppress(Exception):  # the tests have passed, or not
        file = measured_by._data.data_filename()  # get_data() would write the data
        if os.path.exists(file):
            _note("--command-only", "--", file, *_command())


def _note_versions() -> None:
    """Lets coverage.py note the state of each file that it measures when the first of its code runs: the data is of the text that it had then."""
    try:
        from coverage import Coverage
    except ImportError:
        return
    original = getattr(Coverage, "_should_trace", None)
    if original is None or hasattr(original, "notes_versions"):
        return
    global _versions
    if _VERSIONS not in os.environ:
        file, os.environ[_VERSIONS] = tempfile.mkstemp(prefix="qd-cov-versions.")
        os.close(file)
        atexit.register(_remove_notes, os.environ[_VERSIONS], os.getpid())
    _versions = os.environ[_VERSIONS]

    def should_trace(self: Any, filename: str, frame: Any) -> Any:
        disposition = original(self, filename, frame)
        with contextlib.suppress(Exception):  # the program that is measured has nothing to do with it
            path = disposition.source_filename if disposition.trace else ""
            if path:
                state = _stat(path)
                line = f"{state.st_mtime_ns} {state.st_ctime_ns} {state.st_size} {state.st_ino} {path}\0".encode(errors="surrogateescape")
                notes = _open(_versions, os.O_WRONLY | os.O_APPEND)
                try:
                    _write(notes, line)
                finally:
                    _close(notes)
        return disposition

    should_trace.notes_versions = True  # type: ignore[attr-defined]
    Coverage._should_trace = should_trace  # type: ignore[method-assign]
    started = Coverage.current()
    collector = getattr(started, "_collector", None)
    if collector is not None:
        collector.should_trace = started._should_trace  # type: ignore[union-attr]
        for tracer in collector.tracers:
            tracer.should_trace = collector.should_trace


def _remove_notes(path: str, process: int) -> None:
    if os.getpid() == process:
        with contextlib.suppress(OSError):
            os.unlink(path)


def pytest_configure(config: pytest.Config) -> None:
    global _measuring, _labels
    if _measuring is None and (os.environ.get(_ON, "0") not in ("", "0") or os.environ.get(_LABELS)):
        _measuring = config
        _labels = os.environ.get(_LABELS, "")
        # For processes that tests start in other folders, and for this one, should a test change its folder before it imports qd.
        os.environ[_FOLDER] = _folder()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    global _measuring
    if _measuring is config:
        _measuring = None


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Tells child processes where coverage's data file is."""
    global _measured_by
    if _measured_by is not None and not _COMMAND_KNOWN and not hasattr(session.config, "workerinput"):
        atexit.register(_note_command, _measured_by, os.getpid())
        _measured_by = None  # once, whatever sessions the tests have
    host = _host(session.config)
    if host is not None and _measuring is session.config:
        os.environ[_FILE] = _data_file(host)
        os.environ["QD_KERNEL_COVERAGE_BRANCH"] = "1" if host.config.branch else "0"


def _switch(item: pytest.Item, phase: str) -> None:
    if _labels != "test" or _measuring is not item.config:
        return
    global current_label
    current_label = label = f"{item.nodeid}|{phase}"
    coverage = sys.modules.get("coverage")
    for measured in (_kernels(), _numba()):
        if measured is not None:
            measured.switch_context(label)
    # pytest-cov switches its own coverage; that of `qd-cov run --context test` is ours to switch.
    if _host(item.config) is None and coverage is not None and hasattr(coverage, "Coverage"):
        current = coverage.Coverage.current()
        if current is not None:
            current.switch_context(label)


def _failure() -> Exception | None:
    """The failure of a launch that went on after its call, such as an assert on a GPU, once all launches are over."""
    runtime = sys.modules.get("qdcov._runtime")
    first = None
    while runtime is not None:
        try:
            runtime.settle()
            break
        except Exception as error:
            first = first or error.with_traceback(None)
    return first


def _settling(item: pytest.Item, phase: str) -> Generator[None, object, object]:
    """Fails a phase of the test that launched a kernel which failed: no later test is to blame, and none may pass."""
    __tracebackhide__ = True
    try:
        result = yield
    except (Exception, pytest.fail.Exception):
        if failure := _failure():
            item.add_report_section(phase, "kernel", f"{type(failure).__module__}.{type(failure).__qualname__}: {failure}")
        raise
    except pytest.skip.Exception:
        if failure := _failure():
            raise failure from None
        raise
    if failure := _failure():
        raise failure
    return result


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Fails a module whose import launched a kernel which failed."""
    report = yield
    if (failure := _failure()) and report.outcome != "failed":
        report.outcome = "failed"
        report.longrepr = f"{collector.nodeid}: {type(failure).__module__}.{type(failure).__qualname__}: {failure}"
        report.result = []
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    __tracebackhide__ = True
    _switch(item, "setup")
    return (yield from _settling(item, "setup"))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    __tracebackhide__ = True
    _switch(item, "run")
    unmeasured = item.get_closest_marker("no_cover") or "no_cover" in getattr(item, "fixturenames", ())
    if not unmeasured or _host(item.config) is None or _measuring is not item.config:
        return (yield from _settling(item, "call"))
    _pause(True)
    try:
        return (yield from _settling(item, "call"))
    finally:
        _pause(False)


def _pause(now: bool) -> None:
    global paused
    paused = now
    for measured in (_kernels(), _numba()):
        if measured is not None:
            measured.pause(now)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, object, object]:
    __tracebackhide__ = True
    _switch(item, "teardown")
    return (yield from _settling(item, "teardown"))


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtestloop(session: pytest.Session) -> Generator[None, object, object]:
    """Hands kernel data over inside pytest-cov's own wrapper: all tests have run, and it has not combined yet."""
    try:
        return (yield)
    finally:
        if _measuring is session.config:
            _finish(session)


def _finish(session: pytest.Session) -> None:
    kernels, host = _kernels(), _host(session.config)
    if kernels is not None and host is not None:
        kernels.hand_over(_data_file(host))
    elif kernels is not None:
        kernels.write()
    if host is not None and (numba := _numba()) is not None and (journal := numba.finish()) is not None:
        _hand_over_journal(journal, host)
    if host is not None and not hasattr(session.config, "workerinput"):
        _recover(host)
        file = _data_file(host)
        parts = glob.glob(f"{glob.escape(file)}.qdkcov.*")
        # Data from before this session is combined too: with --cov-append, or what an earlier one left.
        older = [path for path in [file, *glob.glob(f"{glob.escape(file)}.*")] if path not in parts and _is_older(path)]
        global _kept
        for kind, paths in (("parts", parts), ("older", older)):
            for path in paths:
                _kept = _kept or tempfile.mkdtemp(prefix="qd-cov-session.")
                os.makedirs(os.path.join(_kept, kind), exist_ok=True)
                # Its time tells which sources are newer.
                shutil.copy2(path, os.path.join(_kept, kind))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    """Notes a worker of xdist that died: the coverage of host code is in its memory until its end, and lost."""
    if _measuring is node.config and _host(node.config) is not None and "cov_worker_node_id" not in getattr(node, "workeroutput", {}):
        _died.append(node.gateway.id)


@pytest.hookimpl
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if _measuring is config and _died:
        which = f"worker{'s' if len(_died) > 1 else ''} {', '.join(_died)}"
        terminalreporter.write_line(
            f"qd-cov: {which} died: coverage of Python code that ran there is lost, that of kernels is in the data", yellow=True
        )


def _is_older(path: str) -> bool:
    try:
        return os.path.isfile(path) and os.path.getmtime(path) < _START_TIME
    except OSError:
        return False


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Adds tables after pytest-cov has combined, and reported."""
    host = _host(session.config)
    if host is None or _measuring is not session.config or hasattr(session.config, "workerinput") or not os.path.exists(_data_file(host)):
        return
    folders = {kind: os.path.join(_kept or "", kind) for kind in ("parts", "older")}
    kept = {kind: sorted(entry.path for entry in os.scandir(folder)) for kind, folder in folders.items() if _kept and os.path.isdir(folder)}
    _note(
        *(["--rcfile", host.config.config_file] if host.config.config_file else []),
        *(word for kind, files in kept.items() for word in (f"--{kind}", *files)),
        *["--start", repr(_START_TIME), "--versions", _versions, "--", _data_file(host), *_command()],
    )
    if _kept:
        shutil.rmtree(_kept, ignore_errors=True)


def _note(*words: str) -> None:
    """Notes what belongs to a data file with the program qd-cov, which is installed together with this plugin."""
    if why := _why_failed("note-session", *words):
        print(f"qd-cov: the variants of kernels, the measured command and the versions of sources are not in the data: {why}", file=sys.stderr)


def _why_failed(*words: str) -> str:
    """Runs the program qd-cov; the reason why it failed, or an empty text."""
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", sysconfig.get_preferred_scheme("user")), os.environ.get("PATH", "")]
    program = shutil.which("qd-cov", path=os.pathsep.join(folders))
    if program is None:
        return "the program qd-cov is not installed beside its pytest plugin"
    done = subprocess.run([program, *words], cwd=_START_FOLDER, capture_output=True, text=True, check=False)
    if done.returncode:
        return (done.stderr + done.stdout).strip() or f"exit code {done.returncode}"
    sys.stderr.write(done.stderr)  # warnings
    return ""


def _hand_over_journal(journal: str, host: Any) -> None:
    """Leaves the data of a journal of functions of Numba beside the host's data file, where pytest-cov combines its own."""
    end = os.path.basename(journal).removeprefix("_qd_kcov-journal")
    rcfile = ["--rcfile", host.config.config_file] if host.config.config_file else []
    if why := _why_failed("combine", "--quiet", *rcfile, f"--data-file={_data_file(host)}.qdkcov{end}", journal):
        print(f"qd-cov: the coverage of functions of Numba is not in the data, but in '{journal}': {why}", file=sys.stderr)


def _folder() -> str:
    return os.path.join(_START_FOLDER, os.environ.get(_FOLDER) or "")


def _recover(host: Any) -> None:
    """Recovers journals of workers of xdist and other children that died during this run."""
    journals = glob.glob(os.path.join(glob.escape(_folder()), "_qd_kcov-journal.*")) if os.environ.get(_ON, "0") not in ("", "0") else []
    if journals and _HAS_RUNTIME:
        import qd_coverage

        qd_coverage.recover(_data_file(host), _START_TIME)
    elif journals:
        for journal in journals:
            if not _is_older(journal) and not _is_locked(journal):
                _hand_over_journal(journal, host)


def _is_locked(journal: str) -> bool:
    """Whether the process that writes a journal runs."""
    lock = struct.pack("hhqqi4x", fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    with open(journal, "r+b") as file:
        return bool(struct.unpack("hhqqi4x", fcntl.fcntl(file, fcntl.F_OFD_GETLK, lock))[0] != fcntl.F_UNLCK)

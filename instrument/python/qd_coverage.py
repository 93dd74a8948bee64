"""Kernel coverage of a Python process: its mode, its files, and its data file.

Imported by the native module when the environment turns kernel coverage on:

QD_KERNEL_COVERAGE          on, unless empty or 0 (pytest with pytest-cov sets it)
QD_KERNEL_COVERAGE_DIR      the folder for `_qd_kcov.*`; else the one where the process started, or its first parent that has kernels
QD_KERNEL_COVERAGE_FILE     a host's data file: write `<it>.qdkcov.<host>.pid<number>.X<random>x` beside it, for the host to combine
QD_COVERAGE_MAX_PROBES      how many places of kernels are measured at most; unset: all
QD_KERNEL_COVERAGE_BRANCH   1 or 0: branch or line data; else as coverage.py is configured, else branch
QD_KERNEL_COVERAGE_CONDITIONS  1 or 0: whether the conditions of each decision are recorded; else as [tool.qd-cov] says, else not
QD_KERNEL_COVERAGE_GRADIENTS  0: the lines whose derivative was computed are not recorded
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import multiprocessing.util
import os
import sys
import types
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from qdcov import _environment, _log, _runtime
from qdcov._kernels import source
from qdcov._native_module import _native

if TYPE_CHECKING:
    from coverage import Coverage

try:
    _START_FOLDER = os.getcwd()
except OSError:  # deleted; then there is no place to write to
    _START_FOLDER = ""


class _Host:
    """Settings of coverage.py in this process, as far as they are known."""

    coverage: Coverage | None = None
    failed = False
    """Whether something could not be written: then it stays in memory and in the journal."""


def start() -> None:
    """Measures the programs that are made from now on; writes their records when the process ends."""
    if _native.coverage_active():
        return
    _see_host()
    branch, relative = _mode()
    conditions = _conditions()
    # Child processes leave theirs in the same folder, and measure the same, wherever they run.
    os.environ["QD_KERNEL_COVERAGE_DIR"] = _folder()
    os.environ["QD_KERNEL_COVERAGE_CONDITIONS"] = str(int(conditions))
    # Until the data file is written, a journal in the same folder has everything: it survives any death of the process.
    plugin = sys.modules.get("qd_pytest_plugin")
    gradients = _settings().gradients is not False
    _native.coverage_start(_label(getattr(plugin, "current_label", "")), _folder(), branch, relative, conditions, gradients)
    pause(getattr(plugin, "paused", False))
    multiprocessing.util.register_after_fork(_Host, lambda _: _write_at_end())
    _write_at_end()
    atexit.register(write)


def _write_at_end() -> None:
    # Children of multiprocessing leave with os._exit: their finalizers run, atexit does not.
    multiprocessing.util.Finalize(None, write, exitpriority=-100)


def switch_context(label: str) -> None:
    """Assigns later work of kernels to the test, or to another context of the host's coverage."""
    if _native.coverage_active():
        _see_host()
        _native.coverage_switch_context(_label(label))


def pause(paused: bool) -> None:
    """Pauses the measurement of kernels, or continues it: the host's coverage leaves its own code unmeasured, too."""
    _native.coverage_pause(paused)


def write(path: str | None = None) -> bool:
    """Writes all that was recorded in this process; False when there was nothing. Called again, it replaces the file of the last call."""
    if not _native.coverage_active():
        return False
    _runtime.take_in_launches()
    _see_host()
    branch, relative = _mode()
    try:
        host_file = _settings().file
        if path is None and not host_file:
            return _native.coverage_write(_own_path(os.path.join(_folder(), "_qd_kcov")), False, branch, relative, _measured)
        return _native.coverage_write(path or _beside(host_file), True, branch, relative, _measured)
    except (RuntimeError, OSError) as error:
        _Host.failed = True
        _log.log(f"kernel coverage could not be written: {error}")
        return False


def _settings() -> _native.CoverageSettings:
    return _native.coverage_settings(_environment.variables())


@functools.cache
def _folder() -> str:
    return os.path.join(_START_FOLDER, _settings().folder)


_own_paths: dict[tuple[str, int], str] = {}
os.register_at_fork(after_in_child=_own_paths.clear)  # in a container, a child may have the number of its parent


def _own_path(start: str) -> str:
    """A path with this beginning that no other process has, on whichever host; the same one for each call in a process."""
    key = (start, os.getpid())
    if key not in _own_paths:
        _own_paths.setdefault(key, start + _native.coverage_process_suffix())
    return _own_paths[key]


def _beside(file: str) -> str:
    """A name that `combine` finds beside a data file."""
    return _own_path(os.path.join(_START_FOLDER, file) + ".qdkcov")


def hand_over(data_file: str) -> None:
    """Leaves the records beside a host's data file, where it combines its own; nothing is written when the process ends."""
    if _native.coverage_active():
        write(_beside(data_file))
        if not _Host.failed:
            _native.coverage_forget_written()


def recover(data_file: str, since: float) -> int:
    """Leaves the records of processes that died after `since` (seconds of the epoch) beside a host's data file; gives the number of files."""
    _see_host()
    recovered = 0
    for journal in _native.orphaned_journals(_folder()):
        try:
            if os.path.getmtime(journal) >= since:
                recovered += _native.coverage_recover(journal, f"{_beside(data_file)}.died{recovered}", _measured, _log.log)
        except (RuntimeError, OSError) as error:
            # The tests have run: unreadable files stay, and are no reason to fail them.
            _log.log(f"kernel coverage of a process that died could not be recovered: {error}")
    return recovered


def _see_host() -> None:
    # coverage.py stops before the process ends: its settings are remembered.
    module = sys.modules.get("coverage")
    current = module.Coverage.current() if module is not None and hasattr(module, "Coverage") else None
    if current is not None:
        _Host.coverage = current


def _config() -> Any:
    """coverage.py's configuration: of the running measurement, else of the files in the start folder; None when there is no coverage.py."""
    return _Host.coverage.config if _Host.coverage is not None else _config_of_files()


@functools.cache
def _config_of_files() -> Any:
    try:
        from coverage import Coverage
        from coverage.exceptions import CoverageException
    except (ImportError, OSError):  # its import asks for the current folder
        return None
    try:
        with _in_start_folder():
            return Coverage(data_file=None).config
    except (CoverageException, OSError) as error:
        _log.log(f"kernel coverage: {error}")
        return None


@contextlib.contextmanager
def _in_start_folder() -> Iterator[None]:
    here = os.getcwd()
    try:
        os.chdir(_START_FOLDER)
        yield
    finally:
        os.chdir(here)


def _config_file() -> str:
    """The configuration file of the running measurement; empty: the one that is found."""
    return str(getattr(_Host.coverage.config, "config_file", None) or "") if _Host.coverage is not None else ""


def _conditions() -> bool:
    """Whether to record the conditions of decisions."""
    asked = _settings().conditions
    if asked is not None:
        return asked
    try:
        with _in_start_folder():
            return _native.coverage_conditions_configured(_config_file())
    except (RuntimeError, OSError) as error:
        _log.log(f"kernel coverage: {error}")
        return False


def _mode() -> tuple[bool, str]:
    """Whether to write arcs, and the folder that paths are relative to (empty: they are absolute)."""
    config = _config()
    asked = _settings().branch
    if _Host.coverage is None and asked is not None:
        branch = asked
    elif config is not None and (_Host.coverage is not None or config.config_files_read):
        branch = bool(config.branch)
    else:
        branch = True
    if config is None or not config.relative_files:
        return branch, ""
    files = sys.modules.get("coverage.files")
    return branch, str(files.relative_directory()) if files and _Host.coverage is not None else os.path.realpath(_START_FOLDER)


def _label(label: str) -> str:
    """The label of kernels' contexts: the context of the host's coverage. Data has `qd:<arch>` after it."""
    config = _Host.coverage.config if _Host.coverage is not None else None
    static = getattr(config, "context", None) or ""
    return "|".join(part for part in (static, label) if part)


def _module_name(file: str) -> str:
    """The name as a module of a file that this process has not imported."""
    folder, name = os.path.split(os.path.splitext(file)[0])
    parts = [] if name == "__init__" else [name]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        parts.insert(0, name)
    return ".".join(parts)


def _measured(file: str) -> bool:
    """Whether the host's coverage measures a file: kernels of others stay out of its data."""
    if not source.is_there(file):
        return False
    rules = getattr(_Host.coverage, "_inorout", None)
    if rules is None:
        return True
    frame: Any = types.SimpleNamespace(f_globals={"__name__": source.modules.get(file) or _module_name(file)}, f_code=None)
    try:
        return rules.check_include_omit_etc(file, frame) is None
    except (AttributeError, TypeError):
        # Not a public interface; then a file counts when its module-level code was measured.
        return _Host.coverage is not None and file in {os.path.realpath(f) for f in _Host.coverage.get_data().measured_files()}

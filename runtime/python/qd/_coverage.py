"""Kernel coverage of a Python process: in which mode, of which files, and into which data file.

Imported only when kernel coverage is on. The environment says so:

QD_KERNEL_COVERAGE          on, unless empty or 0 (pytest with pytest-cov sets it)
QD_KERNEL_COVERAGE_DIR      the folder for `_qd_kcov.<pid>`; else the one where the process started
QD_KERNEL_COVERAGE_FILE     a host's data file: write `<it>.qdkcov.<host>.<pid>.<random>` beside it, for the host to combine
QD_KERNEL_COVERAGE_BRANCH   1 or 0: branch or line data; else as coverage.py is configured, else branch
"""

from __future__ import annotations

import atexit
import multiprocessing.util
import os
import secrets
import socket
import sys
import types
from typing import TYPE_CHECKING, Any

from qd import _native, _runtime, _source

if TYPE_CHECKING:
    from coverage import Coverage

_START_FOLDER = os.getcwd()


class _Host:
    """What coverage.py does in this process, as far as it is known."""

    coverage: Coverage | None = None


def start() -> None:
    """Measures the programs that are made from now on; writes what they recorded when the process ends."""
    if _native.coverage_active():
        return
    _see_host()
    branch, relative = _mode()
    # Until the data file is written, a journal in the same folder has everything: it survives any death of the process.
    label = getattr(sys.modules.get("qd_pytest_plugin"), "current_label", "")
    _native.coverage_start(_context(label), _folder(), branch, relative)
    multiprocessing.util.register_after_fork(_Host, lambda _: _write_at_end())
    _write_at_end()
    atexit.register(write)


def _write_at_end() -> None:
    # Children of multiprocessing leave with os._exit: their finalizers run, atexit does not.
    multiprocessing.util.Finalize(None, write, exitpriority=-100)


def switch_context(label: str) -> None:
    """What kernels do from now on belongs to the test, or whatever else the host's coverage calls its context."""
    if _native.coverage_active():
        _see_host()
        _native.coverage_switch_context(_context(label))


def write(path: str | None = None) -> bool:
    """Writes all that was recorded in this process; False when there was nothing. Called again, it replaces the file of the last call."""
    if not _native.coverage_active():
        return False
    _see_host()
    branch, relative = _mode()
    try:
        return _native.coverage_write(path or _own_path(), branch, relative, _measured)
    except (RuntimeError, OSError) as error:
        _runtime.log(f"kernel coverage could not be written: {error}")
        return False


def _own_path() -> str:
    file = os.environ.get("QD_KERNEL_COVERAGE_FILE")
    if file:
        return _beside(file)
    return os.path.join(_folder(), f"_qd_kcov.{os.getpid()}")


def _folder() -> str:
    return os.path.join(_START_FOLDER, os.environ.get("QD_KERNEL_COVERAGE_DIR") or "")


_beside_paths: dict[tuple[str, int], str] = {}


def _beside(file: str) -> str:
    """A name that `combine` finds beside a data file; the same one for each call in a process."""
    key = (file, os.getpid())
    if key not in _beside_paths:
        host = socket.gethostname().replace(".", "_")
        _beside_paths[key] = f"{os.path.join(_START_FOLDER, file)}.qdkcov.{host}.{os.getpid()}.{secrets.token_hex(4)}"
    return _beside_paths[key]


def hand_over(data_file: str) -> None:
    """Leaves what was recorded beside a host's data file, where it combines its own; nothing is written when the process ends."""
    if _native.coverage_active():
        write(_beside(data_file))
        _native.coverage_forget()


def recover(data_file: str, since: float) -> int:
    """Leaves what processes that died after `since` (seconds of the epoch) had recorded beside a host's data file; gives the number of files."""
    _see_host()
    try:
        return _native.coverage_recover(_folder(), since, f"{_beside(data_file)}.died", _measured)
    except (RuntimeError, OSError) as error:
        # The tests have run: what cannot be read stays where it is, and is no reason to fail them.
        _runtime.log(f"kernel coverage of a process that died could not be recovered: {error}")
        return 0


def _see_host() -> None:
    # coverage.py stops before the process ends: what it was is remembered.
    module = sys.modules.get("coverage")
    current = module.Coverage.current() if module is not None and hasattr(module, "Coverage") else None
    if current is not None:
        _Host.coverage = current


def _config() -> Any:
    """coverage.py's configuration: of the running measurement, else of the files in the start folder; None when there is no coverage.py."""
    if _Host.coverage is not None:
        return _Host.coverage.config
    try:
        from coverage import Coverage
        from coverage.exceptions import CoverageException
    except ImportError:
        return None
    here = os.getcwd()
    try:
        os.chdir(_START_FOLDER)
        return Coverage(data_file=None).config
    except (CoverageException, OSError) as error:
        _runtime.log(f"kernel coverage: {error}")
        return None
    finally:
        os.chdir(here)


def _mode() -> tuple[bool, str]:
    """Whether to write arcs, and the folder that paths are relative to (empty: they are absolute)."""
    config = _config()
    asked = os.environ.get("QD_KERNEL_COVERAGE_BRANCH", "")
    if _Host.coverage is None and asked:
        branch = asked != "0"
    elif config is not None and (_Host.coverage is not None or config.config_files_read):
        branch = bool(config.branch)
    else:
        branch = True
    if config is None or not config.relative_files:
        return branch, ""
    files = sys.modules.get("coverage.files")
    return branch, str(files.relative_directory()) if files and _Host.coverage is not None else os.path.realpath(_START_FOLDER)


def _context(label: str) -> str:
    """The context of kernel rows: that of the host's coverage, then `qd:<arch>`."""
    config = _Host.coverage.config if _Host.coverage is not None else None
    static = getattr(config, "context", None) or ""
    return "|".join(part for part in (static, label, "qd:cpu") if part)


def _module_name(file: str) -> str:
    """What a file that this process has not imported is called as a module."""
    folder, name = os.path.split(os.path.splitext(file)[0])
    parts = [] if name == "__init__" else [name]
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        folder, name = os.path.split(folder)
        parts.insert(0, name)
    return ".".join(parts)


def _measured(file: str) -> bool:
    """Whether the host's coverage measures a file: kernels of others stay out of its data."""
    if not os.path.isfile(file):
        return False
    rules = getattr(_Host.coverage, "_inorout", None)
    if rules is None:
        return True
    frame: Any = types.SimpleNamespace(f_globals={"__name__": _source.modules.get(file) or _module_name(file)}, f_code=None)
    try:
        return rules.check_include_omit_etc(file, frame) is None
    except (AttributeError, TypeError):
        # Not a public interface; then a file counts when its module-level code was measured.
        return _Host.coverage is not None and file in {os.path.realpath(f) for f in _Host.coverage.get_data().measured_files()}

"""Starts coverage.py before anything else in a Python process.

`qd-cov run` puts this file, named sitecustomize.py, and options.json into a
folder at the head of PYTHONPATH, so that it runs in the measured command and
in every Python process that the command starts.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib.util
import json
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any

FOLDER = os.path.dirname(os.path.abspath(__file__))


def save(cov: Any) -> None:
    """Save the data, unless `qd-cov run` is over: it does not wait for daemons."""
    if os.path.exists(FOLDER):
        cov.save()


def save_before(cov: Any, name: str) -> None:
    """Make os.`name`, which ends the program without its exit handlers, save the data first."""
    original: Callable[..., Any] = getattr(os, name)

    def replacement(*args: Any, **kwargs: Any) -> Any:
        with contextlib.suppress(Exception):
            save(cov)
        return original(*args, **kwargs)

    setattr(os, name, replacement)


def runtime_files() -> list[str]:
    """The pattern for the files of the kernel runtime, which a build folder may hold instead of site-packages."""
    spec = importlib.util.find_spec("qd")
    if spec is None or spec.origin is None:
        return []
    folder = os.path.dirname(os.path.realpath(spec.origin))
    return [os.path.join(folder, "*")] if os.path.exists(os.path.join(folder, "_native.pyi")) else []


def start_coverage() -> None:
    """Start measuring with the options of `qd-cov run`."""
    try:
        import coverage
    except ImportError:
        with open(os.path.join(FOLDER, "without_coverage"), "a", encoding="utf-8") as marker:
            marker.write(f"{sys.executable}\n")
        return
    if hasattr(coverage.process_startup, "coverage"):
        return
    with open(os.path.join(FOLDER, "options.json"), encoding="utf-8") as file:
        options = json.load(file)
    try:
        # What there is to warn of concerns the whole run; each process would say it again.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cov = coverage.Coverage(
                config_file=options["config_file"], data_file=options["data_file"], data_suffix=True
            )
            settings = options["settings"]
            if not options["has_source"]:
                # As coverage.py leaves out itself.
                settings["run:omit"] += runtime_files()
            for name, value in settings.items():
                cov.set_option(name, value)
            atexit.register(save, cov)
            cov.start()
    except coverage.CoverageException as exc:
        sys.stderr.write(f"{exc}\n")
        sys.stderr.flush()
        os._exit(1)
    coverage.process_startup.coverage = cov  # type: ignore[attr-defined]
    for name in ("_exit", "execv", "execve"):
        save_before(cov, name)


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


start_coverage()
# Not measured, as under `coverage run`: Debian's Python has a sitecustomize of its own.
started = getattr(getattr(sys.modules.get("coverage"), "process_startup", None), "coverage", None)
if started is not None:
    started.stop()
import_own_sitecustomize()
if started is not None:
    started.start()

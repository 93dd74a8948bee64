"""Describes the Python that it runs in: `qd-cov debug sys` starts it with the Python that a shell would start, and shows what it writes.

Usage: -c SOURCE FILE. FILE gets a list of [name, lines] as JSON."""

from __future__ import annotations

import sys

sys.path[:] = [path for path in sys.path if path]  # what lies in the current folder is not asked

import importlib.metadata  # noqa: E402
import json  # noqa: E402
import os  # noqa: E402
import platform  # noqa: E402


def package(name: str) -> str:
    """The version of an installed package."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def runtime() -> list[tuple[str, list[str]]]:
    """The kernel runtime: where it is, its compiler, and what it runs kernels on."""
    try:
        import qd
    except Exception as error:
        missing = isinstance(error, ModuleNotFoundError) and error.name == "qd"
        return [("qd", ["not installed" if missing else f"{type(error).__name__}: {error}"])]
    rows = [("qd", [qd.__version__, *(os.path.dirname(file) for file in [qd.__file__] if file)])]
    try:
        from qd._native_module import _native
    except Exception as error:
        return [*rows, ("llvm", ["not loaded"]), ("devices", ["python", f"not cpu: {error}"])]
    return [*rows, ("llvm", [_native.compiler()]), ("devices", [f"cpu: {_native.processor()}, {len(os.sched_getaffinity(0))} processors", "python"])]


def main() -> None:
    """Write the description."""
    kind = f"{platform.python_implementation()} {platform.python_version()}"
    rows = [
        ("python_executable", [sys.executable]),
        ("python_version", [f"{kind} ({', '.join(platform.python_build())}) [{platform.python_compiler()}]"]),
        ("coverage", [package("coverage")]),
        ("pytest_cov", [package("pytest-cov")]),
        *runtime(),
    ]
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(rows, file)


main()

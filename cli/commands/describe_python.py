"""Description of the Python that runs this: `qd-cov debug` starts it with the Python that a shell would start, and shows its output.

Usage: -c SOURCE FILE TOPIC [RCFILE]. FILE gets a list of [name, lines] as JSON."""

from __future__ import annotations

import sys

sys.path[:] = [path for path in sys.path if path]  # no import from the current folder

import importlib.metadata  # noqa: E402
import importlib.util  # noqa: E402
import json  # noqa: E402
import os  # noqa: E402
import platform  # noqa: E402
from typing import Any  # noqa: E402


def package(name: str) -> str:
    """The version of an installed package."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def runtime() -> list[tuple[str, list[str]]]:
    """The kernel runtime: its folder, its compiler, and its devices."""
    try:
        import qdcov as qd

        if qd.__file__ is None:  # a folder without files
            raise ModuleNotFoundError(name="qdcov")
    except Exception as error:
        missing = isinstance(error, ModuleNotFoundError) and error.name == "qdcov"
        return [("qd", ["not installed: python -m pip install qdcov" if missing else f"{type(error).__name__}: {error}", *other_qd()])]
    rows = [("qd", [qd.__version__, *(os.path.dirname(file) for file in [qd.__file__] if file), *other_qd()])]
    try:
        from qdcov._native_module import _native
    except Exception as error:
        return [*rows, ("llvm", ["not loaded"]), ("devices", ["python", f"not cpu: {error}"])]
    return [*rows, ("llvm", [_native.compiler()]), ("devices", [f"cpu: {_native.processor()}, {len(os.sched_getaffinity(0))} processors", "python"])]


def other_qd() -> list[str]:
    """A line on `import qd`, where it does not give the kernel runtime."""
    spec = importlib.util.find_spec("qd")
    place = None if spec is None else spec.origin or next(iter(spec.submodule_search_locations or []), None)
    if place is None:
        return ["import qd gives nothing: import qdcov as qd"] if "qdcov" in sys.modules else []
    if os.path.isfile(place):
        with open(place, encoding="utf-8", errors="replace") as file:
            if "qdcov" in file.read():
                return []
    what = "a folder without __init__.py" if os.path.isdir(place) else "another project's package"
    return [f"import qd gives {what}, {place}: import qdcov as qd"]


def lines_of(value: object) -> list[str]:
    """The value of a coverage.py fact as lines, in coverage.py's form."""
    several = isinstance(value, (list, set)) or (isinstance(value, tuple) and len(str(value)) >= 30)
    return [str(one) for one in value] if several else [str(value)]  # type: ignore[attr-defined]


# Facts of `coverage debug sys` that are about the Python, not about the process that asks.
SYS_FACTS = (
    "coverage_version coverage_module core CTracer plugins.file_tracers plugins.configurers plugins.context_switchers "
    "implementation build gil_enabled pth_files def_encoding fs_encoding path"
).split()


def coverage_facts() -> list[tuple[str, list[str]]]:
    """The facts of `coverage debug sys`."""
    try:
        import coverage
    except ImportError:
        return []
    try:
        facts = dict(coverage.Coverage(config_file=sys.argv[3] if sys.argv[3:] else True).sys_info())
    except Exception as error:  # in its configuration, or in a plugin
        return [("coverage_error", [f"{type(error).__name__}: {error}"])]
    return [(name, lines_of(facts[name])) for name in SYS_FACTS if name in facts]


def python_behavior() -> list[tuple[str, list[str]]]:
    """The flags of `coverage debug pybehave`."""
    try:
        from coverage import env
    except ImportError:
        return []
    return [(name, [str(value)]) for name, value in env.debug_info()]


def system() -> list[tuple[str, list[str]]]:
    """The rows of `debug sys`."""
    kind = f"{platform.python_implementation()} {platform.python_version()}"
    return [
        ("python_executable", [sys.executable]),
        ("python_version", [f"{kind} ({', '.join(platform.python_build())}) [{platform.python_compiler()}]"]),
        ("coverage", [package("coverage")]),
        ("pytest_cov", [package("pytest-cov")]),
        *runtime(),
        *coverage_facts(),
    ]


def devices() -> list[tuple[str, list[str]]]:
    """The rows of `debug devices`: each device that kernels can be compiled for, and the reasons why others are not available."""
    try:
        import qdcov as qd
        from qdcov._native_module import _native

        rows = [(f"{device.arch} {device.index}", described(device)) for device in qd.devices()]
        lacking = [(arch, why) for arch in _native.archs() if (why := _native.why_not(arch, ""))]
    except Exception as error:
        return [*runtime()[:1], ("devices", [f"not known: {type(error).__name__}: {error}"])]
    return [*rows, *((arch, [why]) for arch, why in lacking)]


def described(device: Any) -> list[str]:
    """The properties of a device."""
    facts = [device.type, device.driver]
    if device.api:
        facts.append(f"Vulkan {device.api}")
    facts.append(f"{device.memory / (1 << 30):.1f} GiB")
    if device.subgroup_size:
        facts.append(f"subgroups of {device.subgroup_size}")
    features = " ".join(device.features)
    return [device.name, ", ".join(facts), *([f"features: {features}"] if features else []), *([device.lacks] if device.lacks else [])]


def main() -> None:
    """Write the description."""
    topics = {"pybehave": python_behavior, "devices": devices, "sys": system}
    rows = topics[sys.argv[2]]()
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        json.dump(rows, file)


main()

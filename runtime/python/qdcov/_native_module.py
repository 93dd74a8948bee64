"""The native module, or an ImportError with the reason why it does not load, and a remedy."""

from __future__ import annotations

import os
import re
import sys
import sysconfig

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_AGAIN = f"install qdcov again with this Python: {sys.executable} -m pip install --force-reinstall qdcov"


def _said(error: ImportError) -> str:
    """The error, in the user's terms."""
    text = str(error)
    files = sorted(name for name in os.listdir(_FOLDER) if re.match(r"_native\..*(so|pyd)$", name))
    suffix = str(sysconfig.get_config_var("EXT_SUFFIX"))
    fitting = [name for name in files if name == f"_native{suffix}"]
    if not files:
        return f"this installation of qd has no native module in {_FOLDER}, so that kernels run with arch=qd.python alone; {_AGAIN}"
    if not fitting:
        built = ", ".join(_version(name) for name in files)
        return f"the native module in {_FOLDER} is for {built}, and this is {_version(suffix)}; {_AGAIN}"
    machine, own = _machine(os.path.join(_FOLDER, fitting[0])), _machine(sys.executable)
    if machine not in (own, None):
        return f"the native module {fitting[0]} is for {_machine_name(machine)}, and this Python for {_machine_name(own)}; {_AGAIN}"
    if missing := re.match(r"(lib\S+?): cannot open shared object file", text):
        return f"the library {missing[1]} is missing; {_advice(missing[1])}"
    if newer := re.search(r"version `([\w.]+)' not found", text):
        build = f"{sys.executable} -m pip install ./runtime"
        return f"it needs {newer[1]}, and a library of this system is older; build qdcov on this system, in its sources: {build}"
    return f"its file is damaged, or does not fit the libraries of this system; {_AGAIN}"


def _machine(path: str) -> int | None:
    """The kind of processor that an ELF file is for."""
    with open(path, "rb") as file:
        head = file.read(20)
    return int.from_bytes(head[18:20], sys.byteorder) if head[:4] == b"\x7fELF" and len(head) == 20 else None


def _machine_name(number: int | None) -> str:
    return {3: "x86", 40: "ARM", 62: "x86-64", 183: "AArch64", 243: "RISC-V"}.get(number or 0, f"machine {number}")


def _version(name: str) -> str:
    """The version in a file's name or a suffix, in words: ".cpython-313t-x86_64-linux-gnu.so"."""
    found = re.search(r"\.(cpython|pypy)-?(\d)(\d+)([a-z]*)(?:-pp\d+)?-(.*)\.so$", name)
    if found is None:
        return name
    kind = {"cpython": "CPython", "pypy": "PyPy"}[found[1]]
    return f"{kind} {found[2]}.{found[3]}{' without the GIL' if 't' in found[4] else ''} on {found[5]}"


def _advice(library: str) -> str:
    """The command to install a library on Debian."""
    name, _, version = library.partition(".so.")
    package = "libllvm19" if name == "libLLVM" else f"{name.lower()}{'-' if name[-1].isdigit() else ''}{version}"
    return f"on Debian and Ubuntu: apt-get install {package}; or {_AGAIN}"


try:
    from qdcov import _native as _native
except ImportError as cause:
    raise ImportError(f"qd's native module cannot be loaded: {_said(cause)} ({cause})", name="qdcov._native", path=cause.path) from cause

"""Links for an older glibc than this machine's, in the compiler's place: link.py MACHINE GLIBC COMPILER ARGUMENT...

    link.py x86_64 2.28 c++ -shared -o _native.so module.o libqd_launch.a -static-libstdc++

CMake calls it as CMAKE_CXX_LINKER_LAUNCHER. The linker and the symbols of each glibc are those of the package ziglang. A function that this glibc
lacks, and newer_glibc.cpp too, is an error with the objects that call it."""

from __future__ import annotations

import os
import re
import subprocess
import sys

FROM_PYTHON = re.compile(r"_?Py")
"""Symbols of a module that the interpreter has."""


def library(compiler: str, name: str) -> str:
    return subprocess.run([compiler, f"-print-file-name={name}"], check=True, capture_output=True, text=True).stdout.strip()


def linker_arguments(compiler: str, arguments: list[str]) -> list[str]:
    """The compiler's arguments, with its own libraries by their files."""
    out = []
    for argument in arguments:
        if argument == "-static-libstdc++":
            out += [library(compiler, name) for name in ("libstdc++.a", "libgcc_s.so.1", "libgcc.a")]
        else:
            out.append(argument)
    return [*out, "-Wl,--allow-shlib-undefined"]  # libgcc_s.so.1 here may itself be newer


def undefined(file: str) -> list[str]:
    """Symbols that a binary needs from anywhere: of no version, hence not of glibc."""
    lines = subprocess.run(["nm", "-D", "--undefined-only", file], check=True, capture_output=True, text=True).stdout.splitlines()
    symbols = [name for kind, name in (line.split()[-2:] for line in lines) if kind == "U" and "@" not in name]
    return [symbol for symbol in symbols if not FROM_PYTHON.match(symbol)]


def copied(file: str) -> list[str]:
    """Variables of glibc that a program takes a copy of. glibc then has to use the copy, which it does not for a variable of several names, such as
    environ: the linker sees only one."""
    lines = subprocess.run(["readelf", "-rW", file], check=True, capture_output=True, text=True).stdout.splitlines()
    symbols = {line.split()[4].split("@")[0] for line in lines if "_COPY " in line}
    return sorted(symbols - {"stdin", "stdout", "stderr"})


def callers(symbol: str, inputs: list[str]) -> str:
    """Objects of a link that name a symbol, those of an archive as ARCHIVE:OBJECT."""
    run = subprocess.run(["nm", "-A", "--undefined-only", *inputs], capture_output=True, text=True)
    found = (re.match(r"(.*?):\s+U (\S+)$", line) for line in run.stdout.splitlines())
    objects = sorted({match[1] for match in found if match and match[2] == symbol})
    return ", ".join(objects[:5]) + (f" and {len(objects) - 5} more" if len(objects) > 5 else "")


def main() -> None:
    machine, glibc, compiler, *arguments = sys.argv[1:]
    linked = linker_arguments(compiler, arguments)
    output = arguments[arguments.index("-o") + 1]
    command = [sys.executable, "-m", "ziglang", "cc", "-target", f"{machine}-linux-gnu.{glibc}", *linked]
    if code := subprocess.run(command).returncode:
        sys.exit(code)
    inputs = [argument for argument in linked if argument.endswith((".o", ".a"))]
    errors = [f"glibc {glibc} has no {symbol} of {callers(symbol, inputs)}. Add it to ci/static/newer_glibc.cpp" for symbol in undefined(output)]
    errors += [f"a copy of glibc's {symbol} for {callers(symbol, inputs)}: compile with -fPIC" for symbol in copied(output)]
    if errors:
        os.remove(output)
        sys.exit("\n".join(f"{output}: {error}" for error in errors))


if __name__ == "__main__":
    main()

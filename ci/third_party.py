"""Writes THIRD_PARTY: the software of others in the binary of a wheel, with its notices, from the metadata of the installed packages.

Usage: third_party.py reporter|runtime FILE. The build of a wheel calls it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

BOTH = {
    "{fmt}": "libfmt-dev",
    "JSON for Modern C++": "nlohmann-json3-dev",
    "PCRE2": "libpcre2-dev",
    "SQLite": "libsqlite3-dev",
    "toml++": "libtomlplusplus-dev",
    "xxHash": "libxxhash-dev",
    "zlib": "zlib1g-dev",
}
PACKAGES = {
    "reporter": {
        **BOTH,
        "cxxopts": "libcxxopts-dev",
        "Expat": "libexpat1-dev",
        "libdeflate": "libdeflate-dev",
    },
    "runtime": {
        **BOTH,
        "LLVM": "llvm-19-dev",
        "SPIRV-Headers": "spirv-headers",
        "SPIRV-Tools": "spirv-tools",
        "volk": "libvulkan-volk-dev",
        "Vulkan-Headers": "libvulkan-dev",
        "Z3": "libz3-dev",
        "Zstandard": "libzstd-dev",
    },
}
"""The Debian package that has the headers of each."""

BINARIES = {"reporter": "the program qd-cov", "runtime": "the module qdcov._native"}
HEAD = """\
This wheel is licensed under the Apache License 2.0 (see LICENSE). Its binary, {binary}, is made with the software below: linked into it,
included as headers, or loaded as libraries. These are its notices, as Debian and the packages have them. The text of the Apache License 2.0 is that
of LICENSE.
"""


def of_debian(package: str) -> str:
    return (Path("/usr/share/doc") / package / "copyright").read_text(encoding="utf-8")


def of_compiler() -> str:
    """Of libstdc++ and libgcc, which ci/wheels links statically."""
    version = subprocess.run(["c++", "-dumpversion"], check=True, capture_output=True, text=True).stdout
    return of_debian(f"gcc-{version.split('.')[0].strip()}-base")


def of_package(name: str) -> str:
    """Of a Python package."""
    files = importlib.metadata.files(name) or []
    return next(Path(str(file.locate())).read_text(encoding="utf-8") for file in files if file.name == "LICENSE")


def of_robin_map() -> str:
    """The comment at the head of its header."""
    spec = importlib.util.find_spec("nanobind")
    assert spec is not None and spec.origin is not None
    text = (Path(spec.origin).parent / "ext/robin_map/include/tsl/robin_map.h").read_text(encoding="utf-8")
    comment = text[text.index("/**") + 3 : text.index("*/")]
    return "\n".join(re.sub(r"^ \* ?", "", line) for line in comment.strip("\n").split("\n"))


def document(wheel: str) -> str:
    notices = {name: of_debian(package) for name, package in PACKAGES[wheel].items()}
    notices["GCC"] = of_compiler()
    if wheel == "reporter":
        # Its program is linked with glibc statically in the wheels of a release.
        notices["GNU C Library"] = of_debian("libc6-dev") + Path("/usr/share/common-licenses/LGPL-2.1").read_text(encoding="utf-8")
    if wheel == "runtime":
        notices |= {"nanobind": of_package("nanobind"), "robin-map": of_robin_map()}
        if importlib.util.find_spec("ziglang"):  # ci/wheels links its functions of the compiler
            notices["Zig"] = of_package("ziglang")
    rule = "=" * 100
    sections = (f"\n{rule}\n{name}\n{rule}\n\n{notices[name].strip()}\n" for name in sorted(notices, key=str.lower))
    return HEAD.format(binary=BINARIES[wheel]) + "".join(sections)


if __name__ == "__main__":
    try:
        Path(sys.argv[2]).write_text(document(sys.argv[1]), encoding="utf-8")
    except (OSError, subprocess.CalledProcessError, importlib.metadata.PackageNotFoundError) as error:
        sys.exit(f"third_party.py: {error}")

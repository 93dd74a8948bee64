"""Writes THIRD_PARTY: the software of others in our binaries, with its notices, from the metadata of the installed packages.

Usage: third_party.py FILE. The build of a wheel calls it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import sys
from pathlib import Path

PACKAGES = {
    "cxxopts": "libcxxopts-dev",
    "Expat": "libexpat1-dev",
    "{fmt}": "libfmt-dev",
    "JSON for Modern C++": "nlohmann-json3-dev",
    "libdeflate": "libdeflate-dev",
    "LLVM": "llvm-19-dev",
    "PCRE2": "libpcre2-dev",
    "SPIRV-Headers": "spirv-headers",
    "SPIRV-Tools": "spirv-tools",
    "SQLite": "libsqlite3-dev",
    "toml++": "libtomlplusplus-dev",
    "volk": "libvulkan-volk-dev",
    "Vulkan-Headers": "libvulkan-dev",
    "xxHash": "libxxhash-dev",
    "Z3": "libz3-dev",
    "zlib": "zlib1g-dev",
    "Zstandard": "libzstd-dev",
}
"""The Debian package that has the headers of each; the C and C++ libraries of the compiler are the system's."""

HEAD = """\
qd-cov is licensed under the Apache License 2.0 (see LICENSE). Its binaries, the program qd-cov and the module qdcov._native, are made with the
software below: linked into them, included as headers, or loaded as libraries, which a wheel may carry. These are its notices, as Debian and the
packages have them. The text of the Apache License 2.0 is that of LICENSE.
"""


def of_debian(package: str) -> str:
    return (Path("/usr/share/doc") / package / "copyright").read_text(encoding="utf-8")


def of_nanobind() -> str:
    files = importlib.metadata.files("nanobind") or []
    return next(Path(str(file.locate())).read_text(encoding="utf-8") for file in files if file.name == "LICENSE")


def of_robin_map() -> str:
    """The comment at the head of its header."""
    spec = importlib.util.find_spec("nanobind")
    assert spec is not None and spec.origin is not None
    text = (Path(spec.origin).parent / "ext/robin_map/include/tsl/robin_map.h").read_text(encoding="utf-8")
    comment = text[text.index("/**") + 3 : text.index("*/")]
    return "\n".join(re.sub(r"^ \* ?", "", line) for line in comment.strip("\n").split("\n"))


def document() -> str:
    notices = {name: of_debian(package) for name, package in PACKAGES.items()}
    notices |= {"nanobind": of_nanobind(), "robin-map": of_robin_map()}
    rule = "=" * 100
    return HEAD + "".join(f"\n{rule}\n{name}\n{rule}\n\n{notices[name].strip()}\n" for name in sorted(notices, key=str.lower))


if __name__ == "__main__":
    try:
        Path(sys.argv[1]).write_text(document(), encoding="utf-8")
    except (OSError, importlib.metadata.PackageNotFoundError) as error:
        sys.exit(f"third_party.py: {error}")

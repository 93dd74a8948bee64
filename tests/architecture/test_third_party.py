"""third_party.py names every library that binaries are linked with and every package whose headers they include; LICENSE is the Apache License."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("QD_BUILD") or ROOT / "build" / "release").resolve()
sys.path.insert(0, str(ROOT / "ci"))
import third_party  # noqa: E402

OF_THE_SYSTEM = re.compile(r"libc6|libc6-dev|libstdc\+\+-\d+-dev|libgcc-\d+-dev|linux-libc-dev")


def listed(wheel: str) -> set[str]:
    """The sections of the file."""
    return set(re.findall(r"^={100}\n(.+)\n={100}$", third_party.document(wheel), re.MULTILINE))


def packages_of(files: set[str]) -> set[str]:
    """The Debian packages of files; each file must be of one."""
    done = subprocess.run(["dpkg-query", "-S", *sorted(files)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return {name.split(":")[0] for line in done.stdout.splitlines() for name in line.split(": /")[0].split(", ")}


def test_every_section_has_its_notice() -> None:
    assert listed("reporter") == {*third_party.PACKAGES["reporter"], "GCC", "GNU C Library"}
    assert listed("runtime") == {*third_party.PACKAGES["runtime"], "GCC", "nanobind", "robin-map"}
    notices = {
        "reporter": ["Niels Lohmann", "Victor Zverovich", "Yann Collet", "University of Cambridge", "GNU LESSER GENERAL PUBLIC LICENSE"],
        "runtime": ["LLVM Exceptions", "Victor Zverovich", "Wenzel Jakob", "Thibaut Goetghebuer"],
    }
    for wheel, texts in notices.items():
        document = third_party.document(wheel)
        for words in texts:
            assert words in document, words


def test_what_a_wheel_links(tmp_path: Path) -> None:
    """The runtime's wheel has LLVM and its dependencies linked into it."""
    command = ["cmake", "-S", str(ROOT), "-B", str(tmp_path), "-G", "Ninja", "-DQD_LLVM_SHARED=OFF", "-DQD_TESTS=OFF", "-DQD_BENCH=OFF"]
    subprocess.run([*command, f"-DPython_EXECUTABLE={sys.executable}"], stdout=subprocess.DEVNULL, check=True)
    text = (tmp_path / "build.ninja").read_text()
    for wheel, binary, some in [("reporter", "cli/qd-cov", "libexpat.so"), ("runtime", r"python/qdcov/_native\S+", "libLLVMCore.a")]:
        rule = re.search(rf"^build {binary}: .*\n((?:  .*\n)+)", text, re.MULTILINE)
        libraries = re.search(r"LINK_LIBRARIES = (.*)", rule[1]) if rule else None
        assert libraries is not None, binary
        words = {word for word in libraries[1].split() if word.startswith("/")}
        assert {Path(word).name for word in words} >= {"libsqlite3.so", some}
        # The package with the headers has the name without a version, too.
        assert packages_of({re.sub(r"\.so\..*", ".so", word) for word in words}) <= set(third_party.PACKAGES[wheel].values())


def test_what_is_included() -> None:
    headers = set()
    answer = subprocess.run(["ninja", "-C", BUILD, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    ours = False
    for line in answer.splitlines():
        if not line.startswith(" "):
            ours = not line.startswith("tests/")
        elif ours and line.strip().startswith("/usr/"):
            headers.add(os.path.realpath(line.strip()))
    assert len(headers) > 500
    packages = {package for package in packages_of(headers) if not OF_THE_SYSTEM.fullmatch(package)}
    assert packages <= {name for wheel in third_party.PACKAGES.values() for name in wheel.values()}, packages
    assert {"nlohmann-json3-dev", "libcxxopts-dev", "libtomlplusplus-dev"} <= packages


def test_license() -> None:
    """Debian's copy of the text, with the copyright line filled in."""
    original = Path("/usr/share/common-licenses/Apache-2.0").read_text()
    assert (ROOT / "LICENSE").read_text() == original.replace("Copyright [yyyy] [name of copyright owner]", "Copyright 2026 The qd-cov authors")

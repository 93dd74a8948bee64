"""Errors of a build that lacks something: one error for all of ci/needed_packages.cmake, and one for the compiler."""

import os
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OPTIONAL = {"libvulkan-dev", "libvulkan-volk-dev"}
"""Packages of ci/packages.apt without which a back end is left out."""


def test_one_error_names_all_packages(tmp_path: Path) -> None:
    headers = "/usr/include;/usr/include/x86_64-linux-gnu;/usr/include/aarch64-linux-gnu"
    command = ["cmake", "-S", str(ROOT), "-B", str(tmp_path), "-G", "Ninja", f"-DCMAKE_IGNORE_PATH={headers}", "-DQD_PYTHON=OFF"]
    environment = {**os.environ, "PKG_CONFIG_LIBDIR": str(tmp_path)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    message = " ".join(done.stderr.split())
    assert message.count("CMake Error") == 1
    named = re.search(r"what is missing here: (.*) \(Debian and Ubuntu: apt-get install ([^)]*)\)", message)
    assert named, message
    assert "fmt/format.h, " in named[1]
    libraries = re.findall(r"^(?:lib|nlohmann|zlib).*$", (ROOT / "ci" / "packages.apt").read_text(), re.MULTILINE)
    assert sorted(set(named[2].split()) - {"llvm-19-dev"}) == sorted(set(libraries) - OPTIONAL)


def configured(folder: Path, *options: str, **environment: str) -> str:
    """The one error of a configuration that fails, in one line."""
    command = [str(shutil.which("cmake")), "-S", str(ROOT), "-B", str(folder / "build"), "-G", "Ninja", "-DQD_RUNTIME=OFF", *options]
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)
    message = " ".join(done.stderr.split())
    assert done.returncode != 0 and message.count("CMake Error") == 1, message
    return message


def test_no_compiler(tmp_path: Path) -> None:
    for name in ("cmake", "ninja"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    options = ["-DCMAKE_IGNORE_PATH=/usr/bin;/bin;/usr/local/bin", f"-DCMAKE_MAKE_PROGRAM={tmp_path}/ninja"]
    message = configured(tmp_path, *options, PATH=str(tmp_path), CXX="", CC="")
    assert "There is no C++ compiler: install g++ 12 or newer (Debian and Ubuntu: apt-get install g++)" in message


def test_a_compiler_that_is_too_old(tmp_path: Path) -> None:
    """A compiler that says it is g++ 9.4."""
    compiler = tmp_path / "g++-9"
    compiler.write_text('#!/bin/sh\nexec g++ -U__GNUC__ -D__GNUC__=9 -U__GNUC_MINOR__ -D__GNUC_MINOR__=4 "$@"\n')
    compiler.chmod(0o755)
    message = configured(tmp_path, CXX=str(compiler))
    assert re.search(r"g\+\+ 9\.4\.\d is too old: install g\+\+ 12 or newer, and name it with CC and CXX", message), message

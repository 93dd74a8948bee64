"""ci/needed_packages.cmake: one error for all that a build lacks."""

import os
import re
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

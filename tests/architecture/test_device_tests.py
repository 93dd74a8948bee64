"""Tests in tests/device are every back end's: none names a back end, the fixtures of tests/conftest.py do."""

import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "device"
NAME = re.compile(r"""qd\.(cpu|cuda|amdgpu|vulkan|metal|gpu|x64)\b|["'](cpu|cuda|amdgpu|hip|vulkan|metal|gpu|x64)["']|qd\.init\((?![^)\n]*arch=)""")


def test_no_back_end_is_named() -> None:
    files = sorted(FOLDER.glob("*.py"))
    lines = [(file.name, number, line) for file in files for number, line in enumerate(file.read_text().split("\n"), 1)]
    assert len(files) > 20
    assert [f"{name}:{number}: {line.strip()}" for name, number, line in lines if NAME.search(line)] == []

"""The version of Python that a report is for, told by files alone: coverage.py asks the Python that it runs in."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest


def version(folder: Path, path: str, environment: str | None = None) -> str:
    """The row `python` of `qd-cov debug sys`, with this PATH and VIRTUAL_ENV."""
    variables = {**os.environ, "PATH": path}
    variables.pop("VIRTUAL_ENV", None)
    if environment is not None:
        variables["VIRTUAL_ENV"] = environment
    program = next(Path(place, "qd-cov") for place in os.environ["PATH"].split(":") if Path(place, "qd-cov").exists())
    out = subprocess.run([program, "debug", "sys"], cwd=folder, env=variables, capture_output=True, text=True, check=True).stdout
    found = re.search(r"^ +python: (\S+)$", out, re.MULTILINE)
    assert found
    return found[1]


@pytest.fixture
def pythons(tmp_path: Path) -> Path:
    """A system's Python 3.9, an environment of 3.13 and one of uv's kind, a program that starts another."""
    programs = {"system/bin/python3.9": None, "system/bin/python3": "python3.9", "shims/bin/python3": None, "two/bin/python": "python2.7"}
    for name, target in programs.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if target:
            path.symlink_to(target)
        else:
            path.write_text("#!/bin/sh\n")
    for name, line in (("venv", "version = 3.13.1"), ("uv", "version_info = 3.10.4")):
        (tmp_path / name / "bin").mkdir(parents=True)
        (tmp_path / name / "bin" / "python3").symlink_to(tmp_path / "system/bin/python3")
        (tmp_path / name / "pyvenv.cfg").write_text(f"home = /usr/bin\n{line}\n")
    return tmp_path


def test_where_it_is_looked_for(pythons: Path) -> None:
    system, venv, uv, shims = (str(pythons / name / "bin") for name in ("system", "venv", "uv", "shims"))
    default = "3.12"
    assert version(pythons, system) == "3.9"
    assert version(pythons, f"/no/such:{venv}:{system}") == "3.13"
    assert version(pythons, f"{uv}:{venv}") == "3.10"
    assert version(pythons, system, environment=str(pythons / "venv")) == "3.13"
    assert version(pythons, system, environment="") == "3.9"
    assert version(pythons, system, environment=str(pythons / "system")) == "3.9"  # names no version
    assert version(pythons, f"{shims}:{system}") == default  # its target is not known
    assert version(pythons, "") == default
    assert version(pythons, str(pythons / "two/bin")) == default

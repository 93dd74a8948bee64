"""Lets every Python test run the programs and the package of this checkout's build (or of the build folder that QD_BUILD names)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("QD_BUILD") or ROOT / "build" / "release").resolve()

os.environ["PATH"] = os.pathsep.join([str(BUILD / "cli"), str(Path(sys.executable).parent), os.environ.get("PATH", "")])
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(BUILD / "python"), os.environ.get("PYTHONPATH", "")]))
sys.path.insert(0, str(BUILD / "python"))

# Projects have tests of their own, which need their own settings: tests/python/test_sample_project.py and others run them.
collect_ignore = ["projects"]

"""`import quadrants` and `import taichi` give the package qd.compat's names.

`qd-cov run --as` puts this file, named sitecustomize.py, into a folder in
PYTHONPATH, so that it runs in the command and in every Python process that
the command starts. The packages are in QD_COV_AS, with commas.
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any


class Finder:
    """Installs qd.compat at the first import of one of the packages, so that other programs do not import the runtime."""

    def __init__(self, packages: list[str]) -> None:
        self.packages = packages

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        package = name.partition(".")[0]
        if package not in self.packages:
            return None
        self.packages.remove(package)
        try:
            compat = importlib.import_module("qdcov.compat")
        except ModuleNotFoundError as exc:
            message = f"No module named {exc.name!r}, which `qd-cov run --as {package}` needs in {sys.executable}"
            raise ModuleNotFoundError(message, name=exc.name) from None
        compat.install(package)
        return sys.meta_path[0].find_spec(name, path, target)


def import_next_sitecustomize() -> None:
    """Import the sitecustomize that this one hides, if there is one."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path) != here]
    this = sys.modules.pop("sitecustomize", None)
    try:
        __import__("sitecustomize")
    except ImportError as exc:
        if exc.name != "sitecustomize":
            raise
    if this is not None:
        sys.modules.setdefault("sitecustomize", this)


# Before any other finder: an installed package of that name is not imported.
sys.meta_path.insert(0, Finder(os.environ["QD_COV_AS"].split(",")))
import_next_sitecustomize()

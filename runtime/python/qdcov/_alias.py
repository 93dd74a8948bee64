"""The import name `qd`: `import qd` and `import qd.math` give the modules of qdcov themselves, not copies of them."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import CodeType, ModuleType
from typing import Any

ALIAS = "qd"
PACKAGE = "qdcov"


class _Modules:
    """Finder of the modules below the alias, and their loader, which imports the package's module of that name. It has no base of importlib.abc:
    that module imports a tenth of what `import qd` needs."""

    def find_spec(self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> ModuleSpec | None:
        if not fullname.startswith(ALIAS + "."):
            return None
        found = importlib.util.find_spec(_true_name(fullname))
        if found is None:
            return None
        loader: Any = self
        return importlib.util.spec_from_loader(fullname, loader, origin=found.origin, is_package=found.submodule_search_locations is not None)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(_true_name(spec.name))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # The module ran under its own name, which Python's import has just replaced.
        module.__spec__ = module.__spec__.loader_state if module.__spec__ is not None else None

    def get_code(self, fullname: str) -> CodeType | None:
        """For `python -m qd.compat`."""
        code: CodeType | None = self._of(fullname).get_code(_true_name(fullname))
        return code

    def get_source(self, fullname: str) -> str | None:
        text: str | None = self._of(fullname).get_source(_true_name(fullname))
        return text

    def is_package(self, fullname: str) -> bool:
        return bool(self._of(fullname).is_package(_true_name(fullname)))

    def _of(self, fullname: str) -> Any:
        found = importlib.util.find_spec(_true_name(fullname))
        if found is None or not hasattr(found.loader, "get_source"):
            raise ImportError(f"{PACKAGE} has no module of Python code {fullname}", name=fullname)
        return found.loader


def is_own_module(name: object) -> bool:
    """Whether a module's name is that of the package or of a module below it, by either of its names."""
    return isinstance(name, str) and _is_own(name)


@functools.cache
def _is_own(name: str) -> bool:
    return name.partition(".")[0] in (ALIAS, PACKAGE)


def _true_name(name: str) -> str:
    return PACKAGE + name.removeprefix(ALIAS)


def stand_for_package() -> None:
    """Makes `import qd` and `import qd.MODULE` give this package. A second call does nothing."""
    if not any(isinstance(finder, _Modules) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Modules())
    sys.modules[ALIAS] = sys.modules[PACKAGE]


def is_importable() -> bool:
    """Whether `import qd` gives this package: not another project's, and not nothing."""
    if sys.modules.get(ALIAS) is sys.modules[PACKAGE]:
        return True
    try:
        spec = importlib.util.find_spec(ALIAS)
        if spec is None or spec.origin is None:
            return False
        with open(spec.origin, encoding="utf-8", errors="replace") as file:
            return PACKAGE in file.read()
    except (ImportError, ValueError, OSError):  # half imported, made by hand, or no file
        return False

"""Modules of public classes and functions in reprs, tracebacks and pickles: that from which programs import them, wherever they are defined.

So a traceback says `qd.KernelNameError`, and pickles stay loadable when a definition moves."""

from __future__ import annotations

import sys

from qdcov import _alias, _errors

# Modules below the package whose public names are set; "" is the package itself.
_MODULES = ("", ".ad", ".types", ".math", ".graph", ".algorithms", ".simt.block", ".simt.grid", ".simt.subgroup", ".simt.warp")


def settle() -> None:
    """Sets the module of each public thing that is defined in a private one, and lets pytest leave out the package's frames. Called once
    all of them are loaded."""
    for path, loaded in list(sys.modules.items()):
        if path.startswith(f"{_alias.PACKAGE}."):
            vars(loaded)["__tracebackhide__"] = _errors.is_meant
    package = _alias.ALIAS if _alias.is_importable() else _alias.PACKAGE
    for path in _MODULES:
        for name, thing in vars(sys.modules[_alias.PACKAGE + path]).items():
            module = getattr(thing, "__module__", None) or ""
            if (
                not name.startswith("_")
                and (module == "qdcov._errors" or module.startswith("qdcov.") and module.count(".") > 1)
                and getattr(thing, "__name__", None) == name
            ):
                thing.__module__ = package + path

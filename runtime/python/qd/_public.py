"""Modules of public classes and functions in reprs and pickles: that from which programs import them, wherever they are defined.

So pickles stay loadable when a definition moves. Those of earlier versions name modules that lay beside this one and are in a folder now."""

from __future__ import annotations

import sys

_MODULES = ("qd", "qd.ad", "qd.types", "qd.math", "qd.graph", "qd.algorithms", "qd.simt.block", "qd.simt.grid", "qd.simt.subgroup", "qd.simt.warp")

# Folder -> modules in it that pickles of version 0.1.0 name without the folder, with an underscore.
_FORMER = {
    "_arrays": "annotations buffer_view layout making placing struct_arrays tensor",
    "_kernels": "decorators graph graph_status observations perf_dispatch streams",
    "_scalars": "builtins integers semantics",
    "_values": "compound functions matrix matrix_type struct vector",
}


def settle() -> None:
    """Sets the module of each public thing that is defined in a folder, and the former names of modules. Called once all of them are loaded."""
    for path in _MODULES:
        for name, thing in vars(sys.modules[path]).items():
            module = getattr(thing, "__module__", None) or ""
            if (
                not name.startswith("_")
                and (module == "qd._errors" or module.startswith("qd.") and module.count(".") > 1)
                and getattr(thing, "__name__", None) == name
            ):
                thing.__module__ = path
    for folder, names in _FORMER.items():
        for name in names.split():
            sys.modules[f"qd._{name}"] = sys.modules[f"qd.{folder}.{name}"]
    # The module _arrays is a folder now.
    arrays = sys.modules["qd._arrays.arrays"]
    for name in ("Field", "Ndarray", "_restore"):
        setattr(sys.modules["qd._arrays"], name, getattr(arrays, name))

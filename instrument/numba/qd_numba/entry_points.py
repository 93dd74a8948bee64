"""Private entry points of Numba that the hooks change or call, and the versions of Numba that are known to have them.

A version that is not known is not measured, and neither is one that lacks an entry point: the reason is told, and the host's coverage goes on."""

from __future__ import annotations

import importlib
import re

OLDEST = (0, 60)
NEWEST = (0, 68)

ENTRY_POINTS = {
    "mark_ir": [
        "numba.core.bytecode._FIXED_OFFSET",
        "numba.core.interpreter.Interpreter.interpret",
        "numba.core.interpreter.Interpreter._start_new_block",
        "numba.core.interpreter.Interpreter._end_current_block",
        "numba.core.interpreter.Interpreter._dispatch",
        "numba.core.interpreter.Interpreter.post_process",
        "numba.core.typeinfer.typeinfer_extensions",
    ],
    "lowering": ["numba.core.lowering.Lower.lower_inst", "numba.core.pylowering.PyLower.lower_inst", "numba.core.cpu.CPUContext"],
    "libraries": [
        "numba.core.codegen.CPUCodeLibrary._optimize_final_module",
        "numba.core.codegen.CPUCodeLibrary.finalize",
        "numba.core.codegen.CPUCodeLibrary.serialize_using_object_code",
        "numba.core.codegen.CPUCodeLibrary._unserialize",
        "numba.core.codegen.JITCodeLibrary",
        "numba.core.codegen.JITCPUCodegen._module_pass_manager",
    ],
    "caches": [
        "numba.core.caching._CacheLocator.get_cache_path",
        "numba.core.caching.Cache._index_key",
        "numba.core.caching.Cache._load_overload",
        "numba.core.caching.Cache.save_overload",
    ],
    "errors": ["numba.core.dispatcher._FunctionCompiler.compile"],
}
"""The entry points by the module of this package that uses them. `lowering` also replaces numba.core.lowering.get_registered_loc_notify, which Numba
0.60 does not have."""


def why_not() -> str:
    """The reason why this Numba cannot be measured; empty if it can."""
    import numba

    found = re.match(r"(\d+)\.(\d+)", numba.__version__)
    version = (int(found[1]), int(found[2])) if found else None
    if version is None or not OLDEST <= version <= NEWEST:
        known = f"{OLDEST[0]}.{OLDEST[1]} to {NEWEST[0]}.{NEWEST[1]}"
        return f"Numba {numba.__version__} is not among the versions that are known, {known}"
    missing = [name for names in ENTRY_POINTS.values() for name in names if not _exists(name)]
    return f"Numba {numba.__version__} has no {missing[0]}" if missing else ""


def _exists(name: str) -> bool:
    """Whether there is an attribute of this name: of a module of three parts, and of what is in it."""
    parts = name.split(".")
    try:
        found = importlib.import_module(".".join(parts[:3]))
        for part in parts[3:]:
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return False
    return True

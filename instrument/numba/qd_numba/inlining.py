"""Inlining of small functions with marks into the callers that link them, before marks become counters.

The counters of a function that LLVM inlines later are looked at where each of its calls ends. In a hot loop that costs more than counters which
the loop keeps. Numba's cheap passes inline nothing since LLVM's new pass managers."""

from __future__ import annotations

import functools
import re
from typing import Any

import llvmlite.binding as llvm

from .module_text import Definition, definitions, has_marks, without_marks

_NOT_INLINED = re.compile(r"\bnoinline\b")
_MOST = 60
"""Instructions of a function that is inlined, its marks not among them: about what LLVM inlines itself."""


def inline_marked(module: Any, text: str) -> bool:
    """Inlines the small functions with marks that a module has linked, and says whether there were any."""
    if not can_inline():
        return False
    small = [found.name for found in definitions(text) if " linkonce_odr " in found.head and _is_small(found)]
    if not small:
        return False
    for name in small:
        module.get_function(name).add_function_attribute("alwaysinline")
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    # Each run leaves callbacks in a builder, which do not outlive it: one for each run, as Numba has them.
    passes.run(module, llvm.create_pass_builder(_machine(), llvm.create_pipeline_tuning_options(0)))
    return True


@functools.cache
def can_inline() -> bool:
    """Whether this llvmlite has the passes, as from Numba 0.62 on, and marks a function for them: that of 0.62 gives the mark to the function's
    result, which LLVM does not read again."""
    if not hasattr(llvm, "create_new_module_pass_manager"):
        return False
    module = llvm.parse_assembly("define i32 @f() {\n  ret i32 0\n}\n")
    module.get_function("f").add_function_attribute("alwaysinline")
    try:
        llvm.parse_assembly(str(module))
    except RuntimeError:
        return False
    return True


@functools.cache
def _machine() -> Any:
    return llvm.Target.from_default_triple().create_target_machine(jit=True)


def _is_small(function: Definition) -> bool:
    if not has_marks(function.body) or _NOT_INLINED.search(function.head):
        return False
    body = without_marks(function.body)
    # It does not call itself, and is not large.
    return f"@{function.name}(" not in body and sum(line.startswith("  ") for line in body.split("\n")) <= _MOST

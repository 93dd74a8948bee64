"""Inlining of small functions with marks into the callers that link them, before marks become counters.

The counters of a function that LLVM inlines later are looked at where each of its calls ends. In a hot loop that costs more than counters which
the loop keeps. Numba's cheap passes inline nothing since LLVM's new pass managers."""

from __future__ import annotations

import functools
from typing import Any

import llvmlite.binding as llvm

from .counters import has_marks, without_marks

_MOST = 60
"""Instructions of a function that is inlined, its marks not among them: about what LLVM inlines itself."""


def inline_marked(module: Any) -> None:
    """Inlines the small functions with marks that a module has linked."""
    if not can_inline():
        return
    linked = [function for function in module.functions if not function.is_declaration and function.linkage == llvm.Linkage.linkonce_odr]
    small = [function for function in linked if _is_small(str(function), function.name)]
    if not small:
        return
    for function in small:
        function.add_function_attribute("alwaysinline")
    passes = llvm.create_new_module_pass_manager()
    passes.add_always_inliner_pass()
    passes.add_sroa_pass()
    passes.add_simplify_cfg_pass()
    passes.run(module, _builder())


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
def _builder() -> Any:
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    return llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(0))


def _is_small(text: str, name: str) -> bool:
    if not has_marks(text) or " noinline " in text.partition("{")[0]:
        return False
    body = without_marks(text)
    # It does not call itself, and is not large.
    return body.count(f"@{name}(") == 1 and sum(line.startswith("  ") for line in body.split("\n")) <= _MOST

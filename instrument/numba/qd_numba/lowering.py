"""Marks on their way from Numba's IR to LLVM IR: each becomes a call of a function of its own.

With the mark as an argument of one function, LLVM would merge the calls of two branches into one. The functions are declared to touch no memory of
the program, so that loads and stores move past them."""

from __future__ import annotations

from typing import Any

from llvmlite import ir as llvm_ir
from numba.core import cpu, lowering, pylowering

from .mark_ir import Mark
from .variants import note_compiled

_ATTRIBUTES = ("nounwind", "inaccessiblememonly")


def hook() -> None:
    """Lets Numba lower marks, in compiled code and in object mode. Code for other devices than the CPU gets none."""
    for cls in (lowering.Lower, pylowering.PyLower):
        cls.lower_inst = _lowering_marks(cls.lower_inst)


def _lowering_marks(lower_inst: Any) -> Any:
    def marking_lower_inst(self: Any, inst: Any) -> Any:
        if not isinstance(inst, Mark):
            return lower_inst(self, inst)
        if isinstance(self.context, cpu.CPUContext):
            _call(self, inst)
        return None

    return marking_lower_inst


def _call(lower: Any, mark: Mark) -> None:
    module = lower.builder.module
    function = module.globals.get(mark.mark_name)
    if function is None:
        function = llvm_ir.Function(module, llvm_ir.FunctionType(llvm_ir.VoidType(), []), mark.mark_name)
        for attribute in _ATTRIBUTES:
            function.attributes.add(attribute)
    lower.builder.call(function, [])
    note_compiled(lower.library, lower.fndesc, mark.function)

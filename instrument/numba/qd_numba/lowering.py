"""Marks on their way from Numba's IR to LLVM IR: each becomes a call of a function of its own.

With the mark as an argument of one function, LLVM would merge the calls of two branches into one. The functions are declared to touch no memory of
the program, so that loads and stores move past them."""

from __future__ import annotations

from typing import Any

from llvmlite import ir as llvm_ir
from numba.core import cpu, ir, lowering, pylowering

from .mark_ir import Mark
from .variants import note_compiled
from .when import ATTRIBUTES, call_when, is_when, name_of_call


def hook() -> None:
    """Lets Numba lower marks, in compiled code and in object mode. Code for other devices than the CPU gets none."""
    for cls in (lowering.Lower, pylowering.PyLower):
        cls.lower_inst = _lowering_marks(cls.lower_inst)
    # With NUMBA_JIT_COVERAGE=1, Numba itself tells coverage.py of each line that is compiled, whether it runs or not.
    lowering.get_registered_loc_notify = list


def _lowering_marks(lower_inst: Any) -> Any:
    def marking_lower_inst(self: Any, inst: Any) -> Any:
        if isinstance(inst, ir.Assign) and isinstance(self, pylowering.PyLower):
            return lower_inst(self, _without_test(self, inst))
        if not isinstance(inst, Mark):
            return lower_inst(self, inst)
        if isinstance(self.context, cpu.CPUContext):
            _call(self, inst)
        return None

    return marking_lower_inst


def _without_test(lower: Any, inst: Any) -> Any:
    """An assignment of object mode without the test of a condition, which becomes a call of LLVM IR."""
    value = inst.value
    if isinstance(value, ir.Expr) and value.op == "call":
        if not (name := name_of_call(lower, value)):
            return inst
        truth = lower.pyapi.object_istrue(lower.loadvar(value.args[0].name))
        call_when(lower.builder, name, lower.builder.icmp_signed(">", truth, truth.type(0)))
    elif not is_when(value):
        return inst
    return ir.Assign(ir.Const(None, inst.loc), inst.target, inst.loc)


def _call(lower: Any, mark: Mark) -> None:
    module = lower.builder.module
    function = module.globals.get(mark.mark_name)
    if function is None:
        function = llvm_ir.Function(module, llvm_ir.FunctionType(llvm_ir.VoidType(), []), mark.mark_name)
        for attribute in ATTRIBUTES:
            function.attributes.add(attribute)
    lower.builder.call(function, [])
    note_compiled(lower.library, lower.fndesc, mark.function)

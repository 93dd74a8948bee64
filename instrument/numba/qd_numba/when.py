"""Tests of conditions on their way from Numba's IR to LLVM IR: calls of a function that takes the value of a condition, of any type.

For Numba these are calls like any others of the program, so that all of its passes know them. In object mode they become calls of LLVM IR, too."""

from __future__ import annotations

from typing import Any

from llvmlite import ir as llvm_ir
from numba.core import cpu, ir, types
from numba.core.extending import intrinsic
from numba.core.types.misc import ClassInstanceType

_WHEN = "qdcov_when"
ATTRIBUTES = ("nounwind", "inaccessiblememonly")
"""They touch no memory of the program, so that loads and stores move past them."""

_names: list[str] = []
"""The tests of this process, by the numbers with which they are called."""


def call_of_when(name: str, loc: Any) -> tuple[Any, Any]:
    """The function that is called with the value of a condition, and the number of the test as the second argument."""
    if name not in _names:
        _names.append(name)
    return ir.Global(_WHEN, qdcov_when, loc), ir.Const(_names.index(name), loc)


def name_of_call(lower: Any, call: Any) -> str:
    """The name of the test that is called; empty for any other call."""
    try:
        function, *more = (lower.func_ir.get_definition(variable) for variable in (call.func, *call.args[1:]))
        return _names[more[0].value] if is_when(function) else ""
    except (KeyError, IndexError):
        return ""


def is_when(value: Any) -> bool:
    """Whether a value of Numba's IR is the function that is called."""
    return isinstance(value, ir.Global) and value.value is qdcov_when


def call_when(builder: Any, name: str, truth: Any) -> None:
    """Lowers a test of a condition, whose value is a bit."""
    module = builder.module
    function = module.globals.get(name)
    if function is None:
        function = llvm_ir.Function(module, llvm_ir.FunctionType(llvm_ir.VoidType(), [llvm_ir.IntType(1)]), name)
        for attribute in ATTRIBUTES:
            function.attributes.add(attribute)
    builder.call(function, [truth])


@intrinsic(prefer_literal=True)  # type: ignore[misc, unused-ignore]
def qdcov_when(_typing_context: Any, value: Any, test: Any) -> Any:
    def lower(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        own = signature.args[0]
        # A class of the program may have a __bool__ with effects.
        if isinstance(context, cpu.CPUContext) and not isinstance(own, ClassInstanceType):
            try:
                call_when(builder, _names[test.literal_value], context.is_true(builder, own, arguments[0]))
            except NotImplementedError:  # without a truth: the decision is not recorded
                pass
        return context.get_dummy_value()

    return types.void(value, test), lower

"""Libraries: the hooks of Numba's code generation, where marks become counters and compiled code meets its state.

Numba optimizes a library in two steps: cheaply, with callees inlined, and in full. Between the two, the marks of the library become counters. Callers
link the library as it was with its marks, so that a callee that is inlined into a loop counts in registers of its caller."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
from numba.core import codegen

from . import marks
from .caches import check_fresh
from .counters import count_marks
from .inlining import inline_marked
from .module_text import definitions, has_marks, without_marks
from .session import Session
from .variants import variant_of

_NOTE = "_qdcov_counted"
_OPAQUE = llvm.llvm_version_info >= (16,)


def hook(session: Session) -> None:
    """Lets Numba's libraries count, and carries what their counters mean into the cache and back."""
    cls = codegen.CPUCodeLibrary
    optimize, finalize, serialize, unserialize = cls._optimize_final_module, cls.finalize, cls.serialize_using_object_code, cls._unserialize

    def counting_optimize(self: Any) -> None:
        own = self._codegen
        self._codegen = _CodegenOf(own, lambda: _count(self))
        try:
            optimize(self)
        finally:
            self._codegen = own
        if not hasattr(self, _NOTE):  # where Numba did it in another way: calls of marks would lead nowhere
            _count(self)

    def attaching_finalize(self: Any) -> None:
        finalize(self)
        if (counted := getattr(self, _NOTE, None)) is not None:
            session.add(self._codegen._engine, *counted)

    def describing_serialize(self: Any) -> Any:
        state = serialize(self)
        counted = getattr(self, _NOTE, None)
        if counted is None:
            return state
        keys = sorted({name.split(".")[2] for name in counted[1]})
        return (*state, (counted, marks.as_json(keys)))

    def attaching_unserialize(own: Any, code: Any, state: Any) -> Any:
        if len(state) < 4:
            return unserialize.__func__(own, code, state)
        *plain, (counted, functions) = state
        check_fresh(functions)
        marks.add_json(functions)
        library = unserialize.__func__(own, code, tuple(plain))
        setattr(library, _NOTE, counted)
        session.add(library._codegen._engine, *counted)
        return library

    cls._optimize_final_module = counting_optimize
    cls.finalize = attaching_finalize
    cls.serialize_using_object_code = describing_serialize
    cls._unserialize = classmethod(attaching_unserialize)


class _CodegenOf:
    """The code generator of a library, which calls `between` before the full optimization."""

    def __init__(self, own: Any, between: Callable[[], None]) -> None:
        self._own = own
        self._between = between

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._own, name)
        return _FullPasses(found, self._between) if name == "_mpm_full" else found  # Numba before 0.61 has it ready

    def _module_pass_manager(self, **options: Any) -> Any:
        made = self._own._module_pass_manager(**options)
        if options.get("cost") == "cheap":
            return made
        if isinstance(made, tuple):  # of the pass manager and its builder
            return (_FullPasses(made[0], self._between), *made[1:])
        return _FullPasses(made, self._between)


class _FullPasses:
    """The passes of the full optimization, which run on the module that has counters."""

    def __init__(self, passes: Any, between: Callable[[], Any]) -> None:
        self._passes = passes
        self._between = between

    def __getattr__(self, name: str) -> Any:
        return getattr(self._passes, name)

    def run(self, module: Any, *rest: Any) -> Any:
        return self._passes.run(self._between() or module, *rest)


def _count(library: Any) -> Any:
    """Puts counters into the module of a library, and leaves the one with marks to its callers; None where it has no marks."""
    module = library._final_module
    text = str(module)  # which takes less time than asking llvmlite for the names of functions
    if not has_marks(text):
        return None
    if isinstance(library, codegen.JITCodeLibrary) and inline_marked(module, text):
        text = str(module)
    if not isinstance(library, codegen.JITCodeLibrary):  # a module that numba.pycc writes runs in processes without us
        library._final_module = _parsed(without_marks(text), module)
        return library._final_module
    symbol = f"qdcov.state.{uuid.uuid4().hex}"
    counted = count_marks(text, symbol, _OPAQUE)
    _keep_for_linking(library, module, text)
    library._final_module = _parsed(counted.text, module)
    main, arguments = variant_of(library)
    setattr(library, _NOTE, (symbol, counted.bits, main, arguments))
    return library._final_module


def _parsed(text: str, module: Any) -> Any:
    parsed = llvm.parse_assembly(text)
    parsed.name = module.name
    return parsed


def _keep_for_linking(library: Any, module: Any, text: str) -> None:
    """Makes the module that callers link, as Numba makes it of the optimized one."""
    for definition in definitions(text):
        function = module.get_function(definition.name)
        if function.linkage == llvm.Linkage.external:
            function.linkage = "linkonce_odr"
    library._shared_module = module

"""Finds the source and the names of a Python function that becomes a kernel."""

from __future__ import annotations

import ast
import builtins
import contextlib
import dataclasses
import inspect
import os
import sys
import types
import typing
from collections.abc import Collection, Mapping
from typing import Any

from qdcov import _annotated
from qdcov._arrays.annotations import NDArray, Template
from qdcov._arrays.buffer_view import ViewAnnotation
from qdcov._dtypes import DataType
from qdcov._errors import KernelSyntaxError
from qdcov._kernels import lambdas, optional, source_text
from qdcov._values.matrix_type import MatrixType
from qdcov._values.struct import StructType

modules: dict[str, str] = {}
"""Modules of files of kernels, by file."""

library: set[types.CodeType] = set()
"""The code of funcs that the package itself contributes: nothing of them is measured."""

of_whole_arrays: set[types.CodeType] = set()
"""The code of funcs of the package that count the elements of arrays from 0, also those of a field with an offset."""

checking: set[types.CodeType] = set()
"""The code of funcs of the package whose asserts hold without debug mode, too."""

_resolved: dict[str, str] = {}

_trees: dict[str, tuple[str, ast.Module, dict[tuple[int, str], ast.FunctionDef]]] = {}
"""By file: a text, its syntax tree, and the functions in it by first line and name."""


def is_method(function: types.FunctionType) -> bool:
    """Whether a function was defined in a class and may take its object: the first parameter has no annotation."""
    code = function.__code__
    return not is_of_no_class(function) and code.co_argcount > 0 and code.co_varnames[0] not in _annotated.of_function(function)


def takes_object(function: types.FunctionType) -> bool:
    """As `is_method`, or with a parameter that is called self, whatever its annotation."""
    return is_method(function) or (function.__code__.co_varnames[:1] == ("self",) and "." in function.__qualname__)


def is_of_no_class(function: types.FunctionType) -> bool:
    """Whether a function was not defined in a class. One that is put into a class later gets the object first, as any function of Python."""
    owner = function.__qualname__.rpartition(".")[0]
    return not owner or owner.endswith("<locals>")


def is_there(file: str) -> bool:
    """Whether there is such a file, or an archive where a part of its path ends: `lib.zip/kernels.py`."""
    while file and not os.path.exists(file):
        file = os.path.dirname(file)
    return os.path.isfile(file)


def origin(function: types.FunctionType) -> tuple[str, str, str, int, int, bool, bool, bool]:
    """File (absolute and resolved, as coverage.py names it), whole text, name, first line and, of a lambda, column of a function, whether it is a
    method, whether it is of the package itself, and whether it is of `checking`."""
    filename = function.__code__.co_filename
    file = _resolved.get(filename)
    if file is None:
        path = os.path.realpath(filename)
        file = path if is_there(path) else filename
        if os.path.isabs(filename):
            _resolved[filename] = file
    file = file.encode(errors="replace").decode()  # a name that is not UTF-8, which coverage.py does not measure either
    modules[file] = function.__globals__.get("__name__", "")
    code = function.__code__
    column = source_text.lambda_place(function, _tree(function)[0])[1] if code.co_name == lambdas.NAME else 0
    return file, source_text.of(function), code.co_name, code.co_firstlineno, column, is_method(function), code in library, code in checking


def _tree(function: types.FunctionType) -> tuple[ast.Module, dict[tuple[int, str], ast.FunctionDef]]:
    """The syntax tree of a function's file, and the functions in it."""
    code, source = function.__code__, source_text.of(function)
    cached = _trees.get(code.co_filename)
    if cached is None or cached[0] != source:
        found = {}
        tree = ast.parse(source, code.co_filename)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                first = node.decorator_list[0].lineno if node.decorator_list else node.lineno
                found[first, node.name] = node
        cached = _trees[code.co_filename] = (source, tree, found)
    return cached[1:]


def definition(function: types.FunctionType) -> ast.FunctionDef:
    """The syntax tree of a function, with the line numbers of its file; a lambda is a function that returns its body. The tree is shared: copy before
    a change."""
    code = function.__code__
    tree, found = _tree(function)
    if code.co_name == lambdas.NAME:
        line, column = source_text.lambda_place(function, tree)
        return lambdas.as_definition(next(node for node in lambdas.in_line(tree, line) if node.col_offset == column))
    try:
        return found[code.co_firstlineno, code.co_name]
    except KeyError:
        raise source_text.changed(function) from None


MISSING = object()


_LOCAL_NAMES = "_qd_local_names"
_CLASS_NAMES = "_qd_class_names"


def remember_local_names(function: types.FunctionType, frame: types.FrameType) -> None:
    """Keeps names for annotations of a function that is defined in another one or in a class: Python forgets the names, and annotations may be
    text.

    `frame` is where the function is defined. Names that its body uses are in its closure and are not meant; those of a class mean nothing in it."""
    if "." not in function.__qualname__ or not _annotated.of_function(function):
        return
    code: types.CodeType = function.__code__
    of_classes: dict[str, Any] = {}
    scope: types.FrameType | None = frame
    while scope is not None and code in scope.f_code.co_consts and _is_of_class(scope):
        of_classes = of_classes or dict(scope.f_locals)
        code, scope = scope.f_code, scope.f_back
    if of_classes:
        function.__dict__[_CLASS_NAMES] = _types_in(of_classes, ())
    if scope is not None and code in scope.f_code.co_consts and scope.f_code.co_flags & inspect.CO_OPTIMIZED:
        names = _types_in(scope.f_locals, function.__code__.co_freevars)
        if names:
            function.__dict__[_LOCAL_NAMES] = names


def _is_of_class(frame: types.FrameType) -> bool:
    return not frame.f_code.co_flags & inspect.CO_OPTIMIZED and frame.f_locals is not frame.f_globals


def _types_in(names: Mapping[str, Any], hidden: Collection[str]) -> dict[str, Any]:
    """The names, among some, that annotations may be made of."""
    kinds = (int, float, str, tuple, type, types.ModuleType, DataType, MatrixType, StructType, NDArray, Template, ViewAnnotation)
    return {name: value for name, value in names.items() if isinstance(value, kinds) and name not in hidden}


def lookup(function: types.FunctionType, name: str) -> Any:
    """The value of a name outside the function's own variables; MISSING when there is none. "annotation of x" and "default of x" are Python's
    values for a parameter from where the function was defined; "annotation of return" is that of the result."""
    if " " in name:
        kind, _, parameter = name.partition(" of ")
        return _annotation(function, parameter) if kind == "annotation" else _default(function, parameter)
    remembered = function.__dict__.get(_LOCAL_NAMES)
    if remembered and name in remembered:
        return remembered[name]
    if function.__closure__ and name in function.__code__.co_freevars:
        cell = function.__closure__[function.__code__.co_freevars.index(name)]
        try:
            return cell.cell_contents
        except ValueError:
            return MISSING
    if name in function.__globals__:
        return function.__globals__[name]
    return getattr(builtins, name, MISSING)


def names(function: types.FunctionType) -> list[str]:
    """The names that `lookup` knows."""
    return [*function.__dict__.get(_LOCAL_NAMES, ()), *function.__code__.co_freevars, *function.__globals__, *vars(builtins)]


def _annotation(function: types.FunctionType, parameter: str) -> Any:
    annotation = _annotated.of_function(function).get(parameter, MISSING)
    try:
        annotation = optional.of(_evaluated(function, annotation))
    except KernelSyntaxError:
        return MISSING  # the compiler says what is wrong, and where
    if typing.get_origin(annotation) is tuple:  # tuple[a, b] means (a, b)
        annotation = typing.get_args(annotation)
    parts = annotation if isinstance(annotation, tuple) else (annotation,)
    return MISSING if any(isinstance(part, (str, typing.ForwardRef)) for part in parts) else annotation


def parameters(function: types.FunctionType) -> tuple[str, ...]:
    """The names of all parameters."""
    code = function.__code__
    several = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + several]


def _default(function: types.FunctionType, parameter: str) -> Any:
    if parameter in (named := function.__kwdefaults__ or {}):
        return named[parameter]
    defaults = function.__defaults__ or ()
    names = function.__code__.co_varnames[: function.__code__.co_argcount][-len(defaults) :] if defaults else ()
    return defaults[names.index(parameter)] if parameter in names else MISSING


def evaluated_annotations(function: types.FunctionType) -> dict[str, Any]:
    """The annotations, evaluated where they are text."""
    return {name: optional.of(_evaluated(function, annotation)) for name, annotation in _annotated.of_function(function).items()}


def annotations_with_none(function: types.FunctionType) -> dict[str, Any]:
    """The same with the unions of optional parameters, without those that cannot be evaluated."""
    found = {}
    for name, annotation in _annotated.of_function(function).items():
        with contextlib.suppress(KernelSyntaxError):  # the compiler says what is wrong, and where
            found[name] = _evaluated(function, annotation)
    return found


def _evaluated(function: types.FunctionType, annotation: Any) -> Any:
    cells = zip(function.__code__.co_freevars, function.__closure__ or ())
    closure = {name: lookup(function, name) for name, _ in cells}
    names = {**function.__dict__.get(_LOCAL_NAMES, {}), **closure, **function.__dict__.get(_CLASS_NAMES, {})}
    return _annotated.evaluated(annotation, f"Annotation {{}} of {function.__qualname__}", function.__globals__, names)


def evaluated_members(kind: type) -> dict[str, Any]:
    """The members of a dataclass with their annotations, evaluated where they are text."""
    names = vars(sys.modules[kind.__module__]) if kind.__module__ in sys.modules else {}
    return {f.name: _annotated.evaluated(f.type, f"Annotation {{}} of {kind.__name__}.{f.name}", names) for f in dataclasses.fields(kind)}

"""Classes whose objects kernels make: whether a class is one, and its members by name."""

from __future__ import annotations

import dataclasses
import enum
import functools
import inspect
import os
import sys
import sysconfig
import types
from collections.abc import Callable
from typing import Any

from qdcov._alias import is_own_module
from qdcov._errors import KernelSyntaxError
from qdcov._kernels import source
from qdcov._kernels.decorators import Func, PlainFunc, func, real_func
from qdcov._values.struct import StructType

MADE = "made in kernels"
"""A name that no member has: whether kernels make objects of a class."""

FIELDS = "fields of a named tuple"
"""The same: the names of the items of a class of named tuples."""

_FUNC = "_qd_func"
"""The attribute of a function that has its func. In a table beside, the func would keep the function, and with it all that its closure has."""


FUNCS_OF_PYTHON: dict[Any, Func] = {}
"""Funcs for functions of Python that are written in C, such as operator.add: `_library.operators` fills it."""


def _folders(*names: str) -> tuple[str, ...]:
    return tuple(os.path.realpath(path) + os.sep for name in names if (path := sysconfig.get_path(name)))


_PYTHON, _PACKAGES = _folders("stdlib", "platstdlib"), _folders("purelib", "platlib")
_INSTALLED = (*_PYTHON, *_PACKAGES)
_true_paths = functools.cache(os.path.realpath)
"""Of absolute paths. Kept, because it takes a system call for each folder of a path."""


def func_of(function: types.FunctionType | Func) -> Func:
    """A method as a func, whether it is decorated or not; the same one each time. Raises KernelSyntaxError for one without a source."""
    if isinstance(function, Func):
        return function
    known = function.__dict__.get(_FUNC)
    if known is None or known._function is not function:  # functools.wraps copies the attribute
        source.definition(function)
        known = function.__dict__[_FUNC] = Func(function)
    return known


def func_made_of(function: Any) -> Func | None:
    """``qd.func(function)`` in a kernel: the same one each time. None for what is no function."""
    return _made_once(function, func, "_qd_func_made")


def real_func_made_of(function: Any) -> Func | None:
    """``qd.real_func(function)`` in a kernel."""
    return _made_once(function, real_func, "_qd_real_func_made")


def _made_once(function: Any, make: Callable[[types.FunctionType], Func], key: str) -> Func | None:
    if not isinstance(function, types.FunctionType):
        return None
    known = function.__dict__.get(key)
    if known is None or known._function is not function:  # functools.wraps copies the attribute
        known = function.__dict__[key] = make(function)
    return known


def plain_func_of(function: Any) -> Any:
    """The func that a function becomes in kernels which call it with values of the run, and that nobody has decorated; of a method with its object,
    of an object with __call__ that method. None for others without a source of the program's own or of a package. Raises KernelSyntaxError for
    one whose source is not to be had."""
    if isinstance(function, types.BuiltinFunctionType):
        return FUNCS_OF_PYTHON.get(function)
    if isinstance(function, types.MethodType):
        of = plain_func_of(function.__func__)
        return None if of is None else types.MethodType(of, function.__self__)
    if not isinstance(function, types.FunctionType):
        call = None if isinstance(function, type) else inspect.getattr_static(type(function), "__call__", None)
        return plain_func_of(types.MethodType(call, function)) if isinstance(call, types.FunctionType) else None
    if is_of_python(function):
        return None
    if function.__code__.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        raise KernelSyntaxError(f"{function.__qualname__} is a generator or a coroutine: kernels call functions alone")
    return _made_once(function, _plain_func, "_qd_plain_func")


def _plain_func(function: types.FunctionType) -> PlainFunc:
    source.origin(function)  # raises where there is no source: no such func becomes one of all funcs
    return PlainFunc(function)


def _true_path(file: str) -> str:
    return _true_paths(file) if os.path.isabs(file) else os.path.realpath(file)


def is_of_python(function: types.FunctionType) -> bool:
    """Whether a function is of Python's own library."""
    file = _true_path(function.__code__.co_filename)
    return file.startswith(_PYTHON) and not file.startswith(_PACKAGES)


def is_installed(function: types.FunctionType) -> bool:
    """Whether a function is of Python's library, of this package, or of another one that is installed."""
    file = _true_path(function.__code__.co_filename)
    return file.startswith(_INSTALLED) or is_own_module(function.__module__)


def are_made(cls: Any) -> bool:
    """Whether a kernel that calls a class makes an object of it, which may hold values of the run, and whose functions become part of the kernel.

    That is so for @qd.data_oriented classes and the program's own ones; not for those of Python and of installed packages, nor for classes that say
    themselves how objects are made or how attributes are read."""
    if not isinstance(cls, type) or dataclasses.is_dataclass(cls) or issubclass(cls, enum.Enum):
        return False
    if cls.__new__ is not object.__new__ or cls.__getattribute__ is not object.__getattribute__ or cls.__setattr__ is not object.__setattr__:
        return False
    if hasattr(cls, "__getattr__") or not all(base is object or isinstance(vars(base).get("__module__"), str) for base in cls.__mro__):
        return False
    if getattr(cls, "_data_oriented", False):
        return True
    file = getattr(sys.modules.get(cls.__module__), "__file__", None)
    known = cls.__module__ == "__main__" if file is None else not os.path.realpath(file).startswith(_INSTALLED)
    return known and not is_own_module(cls.__module__)


def makes_named_tuples(cls: Any) -> bool:
    """Whether it is a class of collections.namedtuple or typing.NamedTuple, or one derived from it that makes its objects as they do."""
    return isinstance(cls, type) and issubclass(cls, tuple) and _is_of_named_tuples(cls.__new__) and "__init__" not in _names_of(cls)


def _names_of(cls: type) -> set[str]:
    return {name for base in cls.__mro__ if base not in (tuple, object) for name in vars(base)}


def _is_of_named_tuples(function: Any) -> bool:
    """Whether collections.namedtuple has made a function."""
    return str(getattr(function, "__module__", "")).startswith("namedtuple_")


def method_of_named_tuple(bound: Any) -> types.FunctionType | None:
    """The program's function behind a method of a named tuple; None for other methods."""
    function = getattr(bound, "__func__", None)
    own = isinstance(function, types.FunctionType) and not _is_of_named_tuples(function) and function.__module__ != "collections"
    of = bound.__self__ if own else None
    return function if own and makes_named_tuples(of if isinstance(of, type) else type(of)) else None


def static_of_named_tuple(of: Any, name: str) -> Func | None:
    """The static method of a class of named tuples, or of such a tuple, as a func; None for other members."""
    cls = of if isinstance(of, type) else type(of)
    found = member(cls, name) if makes_named_tuples(cls) else None
    return found[1] if found is not None and found[0] == "static" else None


def plain_class(cls: Any) -> Any:
    """The Python class behind a struct type; a class as it is."""
    return cls.cls if isinstance(cls, StructType) else cls


def find(cls: Any, name: str, after: Any = None) -> tuple[type, Any] | None:
    """The member under a name in a class or one that it inherits from, and its class; with `after`, in those behind it in that order."""
    cls, after = plain_class(cls), plain_class(after)
    if not isinstance(cls, type):
        return None
    order = cls.__mro__
    if after is not None:
        order = order[order.index(after) + 1 :] if after in order else ()
    return next(((owner, vars(owner)[name]) for owner in order if owner is not object and name in vars(owner)), None)


def member(cls: Any, name: str, after: Any = None) -> tuple[str, Any, Any] | None:
    """The member of a class that its objects find under a name: its kind, and the value or a func; of a property its setter, too."""
    if name == MADE:
        return "constant", are_made(cls), None
    if name == FIELDS:
        return ("constant", cls._fields, None) if makes_named_tuples(cls) else None
    found = find(cls, name, after)
    if found is None or isinstance(found[1], (types.MemberDescriptorType, types.GetSetDescriptorType)):
        return None
    owner, thing = found
    if isinstance(thing, (staticmethod, classmethod)):
        function = thing.__func__
        kind = "static" if isinstance(thing, staticmethod) else "class"
        return (kind, func_of(function), None) if isinstance(function, (types.FunctionType, Func)) else ("constant", function, None)
    if isinstance(thing, property):
        if not isinstance(thing.fget, (types.FunctionType, Func)):
            return None
        setter = func_of(thing.fset) if isinstance(thing.fset, (types.FunctionType, Func)) else None
        return "property", func_of(thing.fget), setter
    if isinstance(thing, types.FunctionType):
        return "method", func_of(thing), None
    if isinstance(thing, Func):
        return ("method" if thing._method else "static"), thing, None
    return "constant", getattr(owner, name), None

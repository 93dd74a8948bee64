"""arch=qd.python: calls of functions and classes of the host in kernels, objects that kernels make, and super()."""

from __future__ import annotations

import functools
import inspect
import math
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from qdcov import _dtypes, _execution
from qdcov._alias import is_own_module
from qdcov._arrays.arrays import Field
from qdcov._errors import KernelCompilationError, KernelRuntimeError, KernelSyntaxError, KernelTypeError
from qdcov._kernels import members
from qdcov._kernels.decorators import Func, Kernel
from qdcov._scalars import callstack
from qdcov._scalars.semantics import PLAIN, assigned, values
from qdcov._scalars.value import Callee, Compound, Made, Members, Memory, Reference
from qdcov._values.matrix_type import MatrixType
from qdcov._values.struct import Struct, StructType
from qdcov.simt import _block_threads

_OF_VALUES = (zip, enumerate, list, tuple, dict, sorted, reversed, getattr, str.format)
"""Functions of Python that take values of the run, too."""


def callable_in_kernels(function: Any) -> Any:
    """The function behind a callee. A function or a class of the host takes constants alone, unless kernels make objects of the class."""
    if isinstance(function, Callee) or (
        type(function) is types.FunctionType and is_own_module(function.__module__)
    ):  # most: the rest takes much longer
        return function
    if isinstance(function, functools.partial) and isinstance(function.func, types.FunctionType) and isinstance((*function.args, None)[0], Struct):
        return functools.partial(members.func_of(function.func), Reference(function.args[0]))  # a method that is not decorated
    if (method := members.method_of_named_tuple(function)) is not None:
        return functools.partial(members.func_of(method), function.__self__)
    if _is_of_language(function):
        return function
    if isinstance(function, type) and members.are_made(function):
        return functools.partial(make, function)
    if members.makes_named_tuples(function):
        return functools.partial(_made_tuple, function)
    return _HostFunction(function)


class _HostFunction(Callee):
    """A function or a class of the host as the callee of a call in a kernel."""

    def __init__(self, function: Any) -> None:
        self._function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _of_constants(self._function, *args, **kwargs)

    def _steps(self, *args: Any, **kwargs: Any) -> Any:
        constants = _are_constant(self._function, args, kwargs)
        func = None if constants else _plain_func(self._function, _named(self._function))
        return self(*args, **kwargs) if func is None else (yield from _block_threads.in_turn(func)(*args, **kwargs))


def _made_tuple(cls: Any, *args: Any, **kwargs: Any) -> Any:
    return values(cls(*args, **kwargs))


def _is_of_language(function: Any) -> bool:
    if isinstance(function, functools.partial):
        return _is_of_language(function.func)
    if isinstance(function, (Callee, Kernel, StructType, MatrixType, Made)) or function in _OF_VALUES:
        return True
    if isinstance(inspect.getattr_static(type(function), "__call__", None), Callee):
        return True
    if isinstance(getattr(function, "__func__", None), (Callee, Kernel)):
        return True
    owner = getattr(function, "__self__", None)
    if isinstance(owner, (str, list, tuple, dict, Compound, Memory)) or _dtypes.resolve(function) is not None:
        return True
    return is_own_module(getattr(function, "__module__", None) or type(function).__module__)


def is_constant(x: Any) -> bool:
    if isinstance(x, (tuple, list)):
        return all(map(is_constant, x))
    if isinstance(x, dict):
        return all(map(is_constant, x.values()))
    return not isinstance(x, (np.generic, Compound, Memory, Made)) and not _is_argument(x)


def _is_argument(x: Any) -> bool:
    return isinstance(x, np.ndarray) and any(_holds(given, x) for _, given in _execution.local.arguments)


def _holds(given: Any, x: Any) -> bool:
    """Whether `x` is an argument, or a member of a dataclass that is one."""
    return given is x or (isinstance(given, Members) and any(_holds(member, x) for member in vars(given).values()))


def _are_constant(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a call has constants alone; the class of a field is one, too."""
    asked = args[1:] if function is isinstance and args and isinstance(args[0], Field) else args
    return all(map(is_constant, (*asked, *kwargs.values())))


def _of_constants(function: Any, *args: Any, **kwargs: Any) -> Any:
    what = _named(function)
    constants = _are_constant(function, args, kwargs)
    if not constants and (func := _plain_func(function, what)) is not None:
        return func(*args, **kwargs)
    if not constants:
        advice = "" if isinstance(function, type) else " with values of the run"
        raise KernelTypeError(f"{callstack.place()}{what} is not a qd.func: it cannot be called in a kernel{advice}")
    try:
        result = _execution.folded(function, args, kwargs)
    except Exception as error:
        if isinstance(error, (KernelCompilationError, KernelRuntimeError)) and (func := _plain_func(function, what)) is not None:
            return func(*args, **kwargs)
        text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise KernelCompilationError(f"{callstack.place()}{what} raises {text}") from error
    return constant(result)


def _named(function: Any) -> str:
    """A function or a class for messages."""
    return f"{'class' if isinstance(function, type) else 'function'} '{getattr(function, '__name__', type(function).__name__)}'"


def _plain_func(function: Any, what: str) -> Any:
    """The func that a function becomes which nobody has decorated; None for other things."""
    try:
        return members.plain_func_of(function)
    except KernelSyntaxError as error:
        raise KernelCompilationError(f"{callstack.place()}{what} cannot become part of the kernel: KernelSyntaxError: {error}") from None


def decided(x: Any, refusal: str) -> Any:
    """A value that has to be known at compile time. Raises KernelSyntaxError for values of the run."""
    if not is_constant(x):
        raise KernelSyntaxError(refusal)
    return x


def found_in(item: Any, container: Any, plain: bool, refusal: str) -> bool:
    """``item in container``: for objects whose class has a func for it, or, in a function without a decorator, for what is known at compile time.
    Raises KernelSyntaxError for others."""
    method = inspect.getattr_static(type(container), "__contains__", None)
    if not isinstance(method, Func) and not (method is not None and isinstance(container, Made)):
        for part in (item, container):
            if not plain or not is_constant(part):
                raise KernelSyntaxError(refusal)
    return item in container


def constant(x: Any) -> Any:
    """A value from the host, for a kernel: a number of numpy is one of Python."""
    number = isinstance(x, (np.bool_, np.integer, np.floating)) or (isinstance(x, np.ndarray) and x.ndim == 0)
    return x.item() if number else x


def is_captured(x: Any) -> bool:
    """An array of numpy that the kernel has found, and not got: its numbers are constants."""
    return type(x) is np.ndarray and not _is_argument(x)  # arrays that threads share are of classes of their own


def listed_numbers(x: Any) -> Any:
    """The numbers for a vector or a matrix: captured arrays of numpy are lists of constants."""
    if _is_argument(x):
        raise KernelTypeError(f"{callstack.place()}a vector or a matrix is made of a list of numbers, not of an array")
    if isinstance(x, np.ndarray):
        return x.tolist()
    return type(x)(map(listed_numbers, x)) if type(x) in (list, tuple) else x


def exactly(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of Python's math module: of constants Python's result, if there is one; else `function`, of the language."""

    def apply(*operands: Any) -> Any:
        if all(type(operand) in PLAIN for operand in operands):
            try:
                return getattr(math, name)(*operands)
            except (ArithmeticError, ValueError):
                pass
        return function(*operands)

    return apply


# --- objects that kernels make ---


_MADE = "_qd_made"
"""The attribute of a class that has the one which stands for it. In a table beside, that would keep the class."""

_EXACT: dict[str, Callable[[Any], Any]] = {"__bool__": bool, "__len__": int, "__int__": int, "__index__": int, "__float__": float}
"""Methods of which Python takes a number of its own alone."""


class _Method:
    def __init__(self, func: Func, of_class: type | None = None) -> None:
        self.func, self.of_class = func, of_class

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        on = self.of_class or instance
        return self.func if on is None else types.MethodType(self.func, on)


def _class_of(cls: type) -> type:
    known: type | None = vars(cls).get(_MADE)
    if known is not None:
        return known
    names = {name: thing for base in reversed(cls.__mro__) if base is not object for name, thing in vars(base).items()}
    space: dict[str, Any] = {"__module__": cls.__module__, "__qualname__": cls.__qualname__, "_qd_class": cls}
    for name in names:
        found = members.member(cls, name)
        if found is None or found[0] == "constant":
            continue
        how, func, setter = found
        if how == "property":
            space[name] = property(func.__call__, setter.__call__ if setter is not None else None)
        elif how == "static":
            space[name] = staticmethod(func)
        else:
            space[name] = _exactly(_EXACT[name], func) if name in _EXACT else _Method(func, cls if how == "class" else None)
    # Derived as the classes are: Python asks the operators of a derived class first.
    bases = tuple(_class_of(base) for base in cls.__bases__ if members.are_made(base))
    made = type(cls.__name__, (cls, *bases, Made), space)
    setattr(cls, _MADE, made)
    return made


def _exactly(kind: Callable[[Any], Any], func: Func) -> Callable[[Any], Any]:
    return lambda of: kind(func(of))


def bearer(x: Any, method: str) -> Any:
    """The object on which kernels find a method: a class whose objects kernels make, with its functions as funcs; else mostly `x` itself."""
    if (static := members.static_of_named_tuple(x, method)) is not None:
        return types.SimpleNamespace(**{method: static})
    return _class_of(x) if isinstance(x, type) and not issubclass(x, Made) and members.are_made(x) else x


def make(cls: type, *args: Any, **kwargs: Any) -> Any:
    """An object of a class, made by a kernel."""
    made: Any = object.__new__(_class_of(cls))
    if cls.__init__ is not object.__init__:  # type: ignore[misc]
        made.__init__(*args, **kwargs)
    elif args or kwargs:
        raise KernelTypeError(f"{callstack.place()}class '{cls.__name__}' takes no arguments: it has no __init__ of its own")
    return made


def set_attribute(owner: Made, name: str, new: Any) -> None:
    """``owner.name = new``: an attribute has the type of its first value, as a variable has."""
    try:
        old = getattr(owner, name) if name in vars(owner) or _is_slot(type(owner), name) else None
    except AttributeError:
        old = None
    if isinstance(getattr(type(owner), name, None), property):
        setattr(owner, name, new)
    elif old is None or isinstance(old, Made):
        setattr(owner, name, values(new))
    else:
        setattr(owner, name, assigned(old, new))


def _is_slot(cls: type, name: str) -> bool:
    return isinstance(getattr(cls, name, None), types.MemberDescriptorType)


# --- super() ---


class Super:
    """``super(cls, of)`` in a kernel: functions that are not decorated are funcs, too."""

    def __init__(self, cls: Any, of: Any) -> None:
        self._after, self._of = cls, of

    def __getattribute__(self, name: str) -> Any:
        after, of = object.__getattribute__(self, "_after"), object.__getattribute__(self, "_of")
        cls: Any = of._type if isinstance(of, Struct) else of if isinstance(of, type) else getattr(type(of), "_qd_class", type(of))
        found = members.member(cls, name, after)
        if found is None and name == "__init__":
            return _nothing
        if found is None:
            plain = getattr(members.plain_class(after), "__name__", after)
            raise AttributeError(f"`super()` has no `{name}`: no class after {plain} in the method resolution order has it")
        how, thing, _ = found
        if how == "method":
            return functools.partial(thing, Reference(of)) if isinstance(of, Compound) else types.MethodType(thing, of)
        if how == "class":
            return types.MethodType(thing, cls)
        return thing(of) if how == "property" else thing


def _nothing(*args: Any, **names: Any) -> None:
    """object.__init__"""
    if args or names:
        raise KernelTypeError("object.__init__() takes no arguments")


def super_of(cls: Any, of: Any) -> Super:
    return Super(cls, of)

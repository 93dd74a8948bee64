"""Binds the arguments of a call to the parameters of a kernel."""

from __future__ import annotations

import inspect
import types
from typing import Any

from qd._errors import KernelRuntimeTypeError, KernelSyntaxError

MAX_ARGUMENTS = 512


class Binder:
    """The parameters of a kernel or func, by position and by name."""

    def __init__(self, function: types.FunctionType, kind: str = "Kernel") -> None:
        code = function.__code__
        self.kind = kind
        self.name = function.__name__
        self.names = code.co_varnames[: code.co_argcount]
        self._function = function
        given = function.__defaults__ or ()
        self.defaults = dict(zip(self.names[len(self.names) - len(given) :], given))

    def check_kernel(self) -> None:
        """Refuses what the parameters of a kernel cannot be."""
        code, defaults = self._function.__code__, self._function.__defaults__ or ()
        others = code.co_varnames[code.co_argcount :]
        what = ""
        if defaults:
            what = f"a default for parameter '{self.names[-len(defaults)]}' is not supported"
        elif code.co_flags & inspect.CO_VARARGS:
            what = f"*{others[code.co_kwonlyargcount]} is not supported"
        elif code.co_kwonlyargcount:
            what = f"keyword-only parameters ('{others[0]}') are not supported"
        elif code.co_flags & inspect.CO_VARKEYWORDS:
            what = f"**{others[0]} is not supported"
        if what:
            raise KernelSyntaxError(f"Kernel {self.name}: {what}")
        if len(self.names) > MAX_ARGUMENTS:
            raise KernelSyntaxError(f"Kernel {self.name} has {len(self.names)} parameters; at most {MAX_ARGUMENTS} are supported")

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """One value a parameter, in their order."""
        if not kwargs and len(args) == len(self.names):
            return list(args)
        expected = f"{self.kind} {self.name} takes {len(self.names)} argument{'' if len(self.names) == 1 else 's'}"
        if len(args) > len(self.names):
            raise KernelRuntimeTypeError(f"{expected}, got {len(args)}")
        for name in kwargs:
            if name not in self.names:
                raise KernelRuntimeTypeError(f'{self.kind} {self.name} has no argument "{name}"')
            if name in self.names[: len(args)]:
                raise KernelRuntimeTypeError(f'Argument "{name}" of {self.kind.lower()} {self.name} is given twice')
        for name in self.names[len(args) :]:
            if name not in kwargs and name not in self.defaults:
                raise KernelRuntimeTypeError(f'{expected}, got {len(args) + len(kwargs)}: missing "{name}"')
        return [*args, *(kwargs[name] if name in kwargs else self.defaults[name] for name in self.names[len(args) :])]

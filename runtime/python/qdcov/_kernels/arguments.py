"""Binds the arguments of a call to the parameters of a kernel."""

from __future__ import annotations

import inspect
import types
from typing import Any

from qdcov._errors import KernelArgumentError, KernelSyntaxError, KernelTypeError, counted

MAX_ARGUMENTS = 512


class Binder:
    """The parameters of a kernel or func, by position and by name."""

    def __init__(self, function: types.FunctionType, kind: str = "Kernel") -> None:
        code = function.__code__
        self.kind = kind
        self.name = function.__name__
        self.names = code.co_varnames[: code.co_argcount]
        """Those that a call may give by position. Behind them `*args`, if there is one, and those that it gives by name alone."""
        self.named = code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount]
        self.rest = code.co_varnames[code.co_argcount + code.co_kwonlyargcount :][: bool(code.co_flags & inspect.CO_VARARGS)]
        self.all_names = (*self.names, *self.rest, *self.named)
        self._function = function
        given = function.__defaults__ or ()
        self.defaults = {**dict(zip(self.names[len(self.names) - len(given) :], given)), **(function.__kwdefaults__ or {})}

    def check_kernel(self) -> None:
        """Refuses parameters that a kernel cannot have."""
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

    def check_func(self) -> None:
        """Refuses parameters that a func cannot have."""
        code = self._function.__code__
        if code.co_flags & inspect.CO_VARKEYWORDS:
            name = code.co_varnames[len(self.all_names)]
            raise KernelTypeError(f"`{self.name}` has a parameter `**{name}`, which is not supported in kernels")

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[Any]:
        """One value a parameter, in the order of `all_names`."""
        count = len(self.names)
        if not kwargs and len(args) == count and self.names == self.all_names:
            return list(args)
        if len(args) > count and not self.rest:
            raise KernelArgumentError(f"Too many arguments: {self.takes(count)}, got {len(args)}")
        for name in kwargs:
            if name not in self.names and name not in self.named:
                raise KernelArgumentError(f"Unexpected argument '{name}' of {self.kind.lower()} {self.name}")
            if name in self.names[: len(args)]:
                raise KernelArgumentError(f"Multiple values for argument '{name}' of {self.kind.lower()} {self.name}")
        for name in (*self.names[len(args) :], *self.named):
            if name not in kwargs and name not in self.defaults:
                expected = self.takes(count + len(self.named))
                raise KernelArgumentError(f"Missing argument '{name}': {expected}, got {len(args) + len(kwargs)}")
        rest = [args[count:]] if self.rest else []
        by_name = {**self.defaults, **kwargs}
        return [*args[:count], *(by_name[name] for name in self.names[len(args) :]), *rest, *(by_name[name] for name in self.named)]

    def takes(self, count: int) -> str:
        return f"{self.kind} {self.name} takes {counted(count, 'argument')}"

    def passed(self, values: list[Any]) -> tuple[list[Any], dict[str, Any]]:
        """The values of all parameters as Python passes them: by position, and by name."""
        if self.names == self.all_names:
            return values, {}
        count = len(self.names)
        rest = values[count] if self.rest else ()
        return [*values[:count], *rest], dict(zip(self.named, values[count + len(self.rest) :]))

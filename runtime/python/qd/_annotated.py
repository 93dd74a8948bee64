"""The annotations of functions and classes, asked for as each version of Python wants it."""

from __future__ import annotations

import inspect
import types
import typing
from typing import Any

from qd._errors import KernelSyntaxError


def of_function(function: types.FunctionType) -> dict[str, Any]:
    """The annotations of a function. Where Python evaluates them late (3.14), what names something that is not there yet is a forward reference."""
    try:
        return function.__annotations__
    except NameError:
        import annotationlib  # type: ignore[import-not-found,unused-ignore]

        found: dict[str, Any] = annotationlib.get_annotations(function, format=annotationlib.Format.FORWARDREF)
        return found


def of_class(cls: type) -> dict[str, Any]:
    """The annotations of a class, not those of its bases. Raises NameError where Python evaluates them late and a name is not there."""
    return inspect.get_annotations(cls)


def evaluated(annotation: Any, where: str, globals_: dict[str, Any], locals_: dict[str, Any] | None = None) -> Any:
    """What an annotation stands for that may be text or a forward reference; `where` is for the error."""
    text = annotation.__forward_arg__ if isinstance(annotation, typing.ForwardRef) else annotation
    if not isinstance(text, str):
        return annotation
    try:
        # A forward reference of a version that evaluates late knows its names itself.
        return annotation.evaluate() if hasattr(annotation, "evaluate") else eval(text, globals_, locals_)
    except Exception as error:
        raise KernelSyntaxError(f"{where.format(repr(text))}: {error}") from error

"""The annotations of functions and classes, read in the way of each version of Python."""

from __future__ import annotations

import inspect
import types
import typing
from typing import Any

from qdcov._errors import KernelSyntaxError


def of_function(function: types.FunctionType) -> dict[str, Any]:
    """The annotations of a function. If Python evaluates them late (3.14), one that names something undefined so far is a forward reference."""
    try:
        return function.__annotations__
    except NameError:
        import annotationlib  # type: ignore[import-not-found,unused-ignore]

        found: dict[str, Any] = annotationlib.get_annotations(function, format=annotationlib.Format.FORWARDREF)
        return found


def of_class(cls: type) -> dict[str, Any]:
    """The annotations of a class, not those of its bases. Raises NameError if Python evaluates them late and a name is undefined."""
    return inspect.get_annotations(cls)


def evaluated(annotation: Any, where: str, globals_: dict[str, Any], locals_: dict[str, Any] | None = None) -> Any:
    """The value of an annotation that may be text or a forward reference, or text of text: a string in a module with `from __future__ import
    annotations`. `where` is for the error."""
    for _ in range(2):
        text = annotation.__forward_arg__ if isinstance(annotation, typing.ForwardRef) else annotation
        if not isinstance(text, str):
            break
        try:
            # A forward reference of a version that evaluates late knows its names itself.
            annotation = annotation.evaluate() if hasattr(annotation, "evaluate") else eval(text, globals_, locals_)
        except Exception as error:
            raise KernelSyntaxError(f"{where.format(repr(text))}: {error}") from error
    return annotation

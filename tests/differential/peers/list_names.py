"""The public names of one of the language's implementations, as JSON: python list_names.py qd|quadrants|taichi

The keys are places ("", "math", "field"), the values sorted names; "" is the package itself, "field" an object that qd.field makes."""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
import types
from typing import Any

MODULES = ("types", "math", "ad", "simt", "algorithms", "graph", "profiler", "tools", "linalg")
SWIZZLE = re.compile("[xyzw]{1,4}|[rgba]{1,4}|[stpq]{1,4}")


def names(thing: Any) -> list[str]:
    """Public names, without modules that a module has imported, and without swizzles."""
    found = [name for name in dir(thing) if not name.startswith("_") and not SWIZZLE.fullmatch(name)]
    if isinstance(thing, types.ModuleType):
        found = [name for name in found if not isinstance(getattr(thing, name), types.ModuleType) or name in MODULES]
        found = [name for name in found if getattr(thing, name) is not annotations]
    return sorted(found)


def places(language: Any) -> dict[str, Any]:
    """The objects whose public names are listed, by place."""
    array, vectors = language.ndarray(language.f32, 4), language.Vector.ndarray(3, language.f32, 4)
    structure = language.types.struct(a=language.i32)

    @language.kernel
    def empty_kernel():  # type: ignore[no-untyped-def]
        pass

    found = {
        "": language,
        "field": language.field(language.f32, 4),
        "vector field": language.Vector.field(3, language.f32, 4),
        "struct field": structure.field(shape=3),
        "ndarray": array,
        "vector ndarray": vectors,
        "vector": language.Vector([1, 2, 3]),
        "matrix": language.Matrix([[1, 2], [3, 4]]),
        "struct": structure(1),
        "root": language.root,
        "kernel": empty_kernel,
    }
    if hasattr(language, "BufferView"):
        found |= {"BufferView": language.BufferView(array, 0, 2), "tensor": language.tensor(language.f32, (4,))}
    return found | {name: getattr(language, name) for name in MODULES if hasattr(language, name)}


def main() -> None:
    answer = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # messages at the start of the language go to stderr
    language = importlib.import_module(sys.argv[1])
    language.init(arch=language.cpu)
    json.dump({place: names(thing) for place, thing in places(language).items()}, answer)


if __name__ == "__main__":
    main()

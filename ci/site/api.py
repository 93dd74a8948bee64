"""The reference of the package qd, made of its docstrings: a page for each group of names. Imports the package, but no native module."""

from __future__ import annotations

import ast
import functools
import importlib
import inspect
import re
import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PYTHON = Path(__file__).resolve().parents[2] / "runtime" / "python"
OWN = ("qd", "qdcov")

# Groups of the names of qd itself: title, place, text, and the modules of the package that define the names; the last takes all others.
GROUPS = (
    ("Kernels, funcs and streams", "api/kernels.md", "The decorators of the language, parameters, streams and events.", ("_kernels",)),
    ("Fields, ndarrays and tensors", "api/arrays.md", "Arrays: their construction, their memory, their exchange with other libraries.", ("_arrays",)),
    (
        "Functions in kernels",
        "api/functions.md",
        "Functions of numbers, vectors and matrices, which also run on the host.",
        ("_values.functions", "_scalars", "_library"),
    ),
    ("Vectors, matrices and structs", "api/values.md", "Values with components, and their types.", ("_values",)),
    ("Exceptions", "api/errors.md", "The exceptions of kernels; the [index of errors](../look-up/errors.md) has their texts.", ("_errors",)),
    ("Programs, devices and numbers", "api/programs.md", "The start and the end of the runtime, devices, scalar types, messages.", ("",)),
)
NOT_MADE_BY_PROGRAMS = (
    *("Device", "Event", "Field", "Func", "GraphStatus", "Kernel", "MatrixTensor", "Ndarray", "Stream", "StructField", "StructNdarray", "Tensor"),
    "VectorTensor",
)
PRIVATE = ("annotations", "DECLINED", "NOT_YET")
MODULES = {
    "qd.math": "api/math.md",
    "qd.types": "api/types.md",
    "qd.simt": "api/simt.md",
    "qd.simt.Tile16x16": "api/tile.md",
    "qd.simt.block": "api/simt-block.md",
    "qd.simt.grid": "api/simt-grid.md",
    "qd.simt.subgroup": "api/simt-subgroup.md",
    "qd.simt.warp": "api/simt-warp.md",
    "qd.graph": "api/graph.md",
    "qd.ad": "api/ad.md",
    "qd.algorithms": "api/algorithms.md",
    "qd.profiler": "api/profiler.md",
}


def pages() -> dict[str, str]:
    """The pages by their places in the site, in the order of the navigation."""
    sys.path.insert(0, str(PYTHON))
    qd = importlib.import_module("qd")
    origins = _origins(qd)
    left = dict(_names(qd))
    found = {}
    for title, place, text, modules in GROUPS:
        chosen = {name: thing for name, thing in left.items() if origins.get(name, "").startswith(modules)}
        left = {name: thing for name, thing in left.items() if name not in chosen}
        found[place] = f"# {title}\n\n{text}\n\n{_entries('qd', chosen)}"
    for path, place in MODULES.items():
        module = _module(path)
        names = dict(_names(module))
        if path == "qd.simt":  # its other names are the modules
            names = {name: thing for name, thing in names.items() if name in module.__all__}
        found[place] = f"# `{path}`\n\n{inspect.getdoc(module)}\n\n{_entries(path, names)}"
    return found


def _module(path: str) -> Any:
    """The module qd, or one that it has."""
    return functools.reduce(getattr, path.split(".")[1:], importlib.import_module("qd"))


def _origins(package: types.ModuleType) -> dict[str, str]:
    """The module of the package that each name of its __init__.py comes from, without the name of the package."""
    assert package.__file__
    found: dict[str, str] = {}
    for file in {Path(package.__file__), *PYTHON.glob("qd*/__init__.py")}:
        for statement in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            # `_typed` is for type checkers; what runs is in the `else` beside it.
            if isinstance(statement, ast.ImportFrom) and statement.module and "_typed" not in statement.module:
                found |= {name.asname or name.name: statement.module.partition(".")[2] for name in statement.names}
    return found


def _names(module: types.ModuleType) -> Iterator[tuple[str, Any]]:
    """The public names of a module: what it defines or hands on, and neither modules nor what its own code imports."""
    imported = _imported_for_itself(module)
    for name, thing in sorted(vars(module).items(), key=lambda pair: pair[0].lower()):
        if name in imported:
            continue
        foreign = (getattr(thing, "__module__", None) or "qd").partition(".")[0] not in OWN
        if not name.startswith("_") and name not in PRIVATE and not isinstance(thing, types.ModuleType) and not foreign:
            yield name, thing


def _imported_for_itself(module: types.ModuleType) -> set[str]:
    """Names that a module imports and does not hand on, as `from m import name as name` or in `__all__` would."""
    if not getattr(module, "__file__", None):
        return set()
    imports = [s for s in ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")).body if isinstance(s, ast.ImportFrom)]
    handed_on = set(getattr(module, "__all__", ()))
    return {name.name for statement in imports for name in statement.names if name.asname is None} - handed_on


def _is_own_class(thing: Any) -> bool:
    return isinstance(thing, type) and thing.__module__.partition(".")[0] in OWN


def _members(owner: type) -> Iterator[tuple[str, Any]]:
    """The public members of a class, those of its own bases among them."""
    parts: dict[str, Any] = {}
    for base in reversed([base for base in owner.__mro__ if base.__module__.partition(".")[0] in OWN]):
        parts.update(vars(base))
    for name, part in parts.items():
        if not name.startswith("_") and not isinstance(part, types.MemberDescriptorType) and not isinstance(part, owner):
            yield name, part


def _entries(path: str, names: dict[str, Any]) -> str:
    """Functions and classes, each with a heading; then the values, in a table."""
    described, values = [], []
    for name, thing in names.items():
        if isinstance(thing, type) or callable(thing) and not _is_value(thing):
            described.append(_entry(f"{path}.{name}", thing))
        else:
            values.append((f"{path}.{name}", thing))
    return "\n".join(described) + (_table(values) if values else "")


def _is_value(thing: Any) -> bool:
    """Whether a thing that may be called is a type of numbers or of vectors: a value with a name."""
    return type(thing).__name__ in ("DataType", "MatrixType")


def _entry(path: str, thing: Any) -> str:
    text = f"## {path}\n\n```python\n{path}{_signature(thing)}\n```\n\n{_description(thing)}\n\n"
    if _is_own_class(thing):
        name = path.rpartition(".")[2]
        for member, part in _members(thing):
            plain = part.__func__ if isinstance(part, staticmethod | classmethod) else part
            shown = _signature(plain, bound=not isinstance(part, staticmethod)) if callable(plain) else ""
            text += f"### {name}.{member}\n\n```python\n{name}.{member}{shown}\n```\n\n{_description(plain)}\n\n"
    return text


def _table(values: list[tuple[str, Any]]) -> str:
    """Values in a table, those with the same description in one row."""
    rows: dict[str, list[str]] = {}
    for path, value in values:
        shown = isinstance(value, int | float | str | list) or type(value).__name__ == "MatrixType"
        text = f"`{value!r}`" if shown else _description(value).replace("\n", " ")
        rows.setdefault(text, []).append(f"`{path}`")
    lines = [f"| {', '.join(paths)} | {text.replace('|', chr(92) + '|')} |" for text, paths in rows.items()]
    return "\n## Values\n\n| Name | Value |\n|---|---|\n" + "\n".join(lines) + "\n"


def _description(thing: Any) -> str:
    """The docstring; outside of code, "<" begins no HTML."""
    parts = re.split(r"(``.*?``|`.*?`)", inspect.getdoc(thing) or "", flags=re.DOTALL)
    return "".join(part if number % 2 else part.replace("<", "&lt;") for number, part in enumerate(parts))


def _signature(thing: Any, bound: bool = False) -> str:
    """The parameters, with annotations that say more than Any; a class has those of its constructor, unless they are the package's own matter."""
    if isinstance(thing, type) and issubclass(thing, BaseException):
        return f"({', '.join(base.__name__ for base in thing.__bases__)})"
    if isinstance(thing, type) and thing.__name__ in NOT_MADE_BY_PROGRAMS:
        return ""
    try:
        signature = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""
    if isinstance(thing, type) and not getattr(thing, "__module__", "").startswith(OWN):
        return ""
    parameters = list(signature.parameters.values())[1 if bound else 0 :]
    parameters = [_plain(parameter) for parameter in parameters if not parameter.name.startswith("_")]
    result = signature.return_annotation
    if result in ("Any", "None", Any, None) or not isinstance(result, str):
        result = inspect.Signature.empty
    text = str(signature.replace(parameters=parameters, return_annotation=result))
    text = re.sub(r"<(\w+\.\w+): [^>]*>", r"qd.\1", text)  # a member of an enum
    return re.sub(r"<class '?(\w+)'?>", r"\1", text).replace("'", "")


def _plain(parameter: inspect.Parameter) -> inspect.Parameter:
    return parameter.replace(annotation=inspect.Parameter.empty) if parameter.annotation in ("Any", Any) else parameter

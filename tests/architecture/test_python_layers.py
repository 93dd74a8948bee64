"""Permitted imports among modules of the Python package: the layers of runtime/python/qdcov/README.md, checked on every import of the package."""

import ast
import functools
import graphlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "runtime/python/qdcov"

# The layers from the lowest to the highest: each folder of the package is one, and modules beside the folders are in the first or the last one. A
# module imports modules of its own layer and of those below; "qdcov" is the package's __init__.
LAYERS = ("core", "_scalars", "_values", "_arrays", "_kernels", "_library", "algorithms", "simt", "ad", "_interpreter", "_typed", "package", "compat")
CORE = {
    "_alias", "_annotated", "_declined", "_dtypes", "_environment", "_errors", "_execution", "_kernel_times", "_log", "_native", "_native_module",
    "_near_names", "_option_table", "_options", "_profile_tables", "_runtime", "_version",
}  # fmt: skip
PACKAGE = {"_extensions", "_names", "_public", "_start", "graph", "math", "profiler", "qdcov", "types"}

# Imports of the package's own modules that stand in a function, each with its reason. They point downwards, too.
IN_FUNCTIONS = {
    ("_start", "_interpreter.interpreted_graphs"): "the interpreter is loaded when the first kernel of arch=qd.python is called",
    ("_start", "_kernels.native_program"): "arch=qd.python runs where the native runtime cannot be loaded",
    ("_start", "_native_module"): "arch=qd.python runs where the native runtime cannot be loaded",
}

# Modules that find others by their names: modules that are loaded already, and those of programs.
BY_NAME = {"_alias", "_public", "compat", "compat._names", "compat._peer"}

DYNAMIC = re.compile(r"\bimportlib\b|\b__import__\b|\bsys\.modules\b.*[\"']qd(?:cov)?\b")


class Import(NamedTuple):
    """One module of the package that another one imports."""

    of: str
    line: int
    in_function: bool


def modules() -> dict[str, Path]:
    """The modules of the package by their path below it, "_arrays.layout"; a folder is its __init__, the native module its stub."""
    found = {}
    for path in [*FOLDER.rglob("*.py"), *FOLDER.rglob("*.pyi")]:
        parts = path.relative_to(FOLDER).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts) or "qdcov"] = path
    return found


def imports(source: str, names: set[str]) -> list[Import]:
    """The imports of the package's modules in a text, those for type checkers included."""
    found: list[Import] = []

    def visit(node: ast.AST, in_function: bool) -> None:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found.extend(Import(of, node.lineno, in_function) for of in _imported(node, names))
        inside = in_function or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for child in ast.iter_child_nodes(node):
            visit(child, inside)

    visit(ast.parse(source), False)
    return found


def _imported(node: ast.Import | ast.ImportFrom, names: set[str]) -> Iterator[str]:
    if isinstance(node, ast.Import):
        paths = [alias.name for alias in node.names]
    else:
        assert node.level == 0, "modules of the package name others by their whole path"
        paths = [f"{node.module}.{alias.name}" for alias in node.names]
    for path in paths:
        top, _, rest = path.partition(".")
        while top == "qdcov" and rest and rest not in names:  # a name in a module
            rest = rest.rpartition(".")[0]
        if top == "qdcov":
            yield rest or "qdcov"


@functools.cache
def of_package() -> dict[str, list[Import]]:
    known = modules()
    return {name: imports(path.read_text(), set(known)) for name, path in known.items()}


def layer_of(module: str) -> int:
    """The number of a module's layer, 0 for the lowest; one above all for a module that has none."""
    layer = "core" if module in CORE else "package" if module in PACKAGE else module.partition(".")[0]
    return LAYERS.index(layer) if layer in LAYERS else len(LAYERS)


def test_the_rule_itself() -> None:
    text = """
import numpy
import qdcov._b.d
from qdcov import _a, name
from qdcov._b import d, name
if TYPE_CHECKING:
    from qdcov._a import Thing
try:
    from qdcov._b.d import x
except ImportError:
    def f():
        from qdcov._a import y
"""
    expected = [("_b.d", 3), ("_a", 4), ("qdcov", 4), ("_b.d", 5), ("_b", 5), ("_a", 7), ("_b.d", 9), ("_a", 12)]
    assert imports(text, {"_a", "_b", "_b.d", "qdcov"}) == [(of, line, line == 12) for of, line in expected]
    assert layer_of("_errors") < layer_of("_values.matrix") < layer_of("simt") < layer_of("_interpreter.rewrite") < layer_of("qdcov")
    assert DYNAMIC.search("importlib.import_module('qdcov._a')") and DYNAMIC.search("sys.modules['qdcov._a']")
    assert not DYNAMIC.search("sys.modules.get('coverage')")


def test_every_module_has_one_layer() -> None:
    folders = {path.name for path in FOLDER.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders == set(LAYERS) - {"core", "package"}
    assert CORE | PACKAGE == {name for name, path in modules().items() if path.parent == FOLDER} and not CORE & PACKAGE


def test_a_private_module_has_one_underscore() -> None:
    """In its path: modules of private folders have plain names, those of public folders and of the package an underscore unless they are public."""
    public = {
        "ad",
        "algorithms",
        "compat",
        "compat.quadrants",
        "compat.taichi",
        "graph",
        "math",
        "profiler",
        "qdcov",
        "simt",
        "simt.block",
        "simt.grid",
        "simt.subgroup",
        "simt.warp",
        "types",
    }
    assert {name for name in modules() if sum(part.startswith("_") for part in name.split(".")) != 1} == public


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_point_downwards(layer: str) -> None:
    found = of_package()
    names = sorted(name for name in found if layer_of(name) == LAYERS.index(layer))
    wrong = [f"{name}:{of.line} imports {of.of}" for name in names for of in found[name] if layer_of(of.of) > layer_of(name)]
    assert wrong == []


def test_no_circles() -> None:
    """Within a layer, too: there is an order in which each module imports those before it alone."""
    try:
        graphlib.TopologicalSorter({name: {of.of for of in found} for name, found in of_package().items()}).prepare()
    except graphlib.CycleError as error:
        pytest.fail(f"a circle of imports: {' <- '.join(error.args[1])}")


def test_imports_in_functions() -> None:
    found = {(name, of.of): of.line for name, of_module in of_package().items() for of in of_module if of.in_function}
    assert [f"{name}:{line} imports {of} in a function" for (name, of), line in found.items() if (name, of) not in IN_FUNCTIONS] == []
    assert set(IN_FUNCTIONS) - set(found) == set(), "no such import is there any more"


def test_the_package_knows_no_instrument() -> None:
    """The modules of instrument/python import the package; the native module imports them."""
    above = {path.stem for path in (ROOT / "instrument/python").glob("*.py")}
    assert "qd_coverage" in above
    wrong = []
    for name, path in modules().items():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                paths = [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
                wrong += [f"{name}:{node.lineno} imports {of}" for of in paths if of.partition(".")[0] in above]
    assert wrong == []


def test_no_imports_by_other_means() -> None:
    wrong = []
    for name, path in modules().items():
        if name in BY_NAME:
            continue
        wrong += [f"{name}:{number}: {line.strip()}" for number, line in enumerate(path.read_text().splitlines(), 1) if DYNAMIC.search(line)]
    assert wrong == []

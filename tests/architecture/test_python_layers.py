"""Permitted imports among modules of the Python package: the layers of runtime/python/qd/README.md, checked on every import of the package."""

import ast
import graphlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "runtime/python/qd"

# The layers from the lowest to the highest. A module imports modules of its own layer and of those below; "qd" is the package's __init__.
LAYERS: dict[str, tuple[str, ...]] = {
    "core": (
        "_annotated", "_declined", "_dtypes", "_environment", "_errors", "_execution", "_kernel_times", "_log", "_native", "_native_module",
        "_option_table", "_options", "_profile_tables", "_runtime", "_version",
    ),
    "scalars": ("_block_threads", "_builtins", "_callstack", "_checks", "_integers", "_loops", "_semantics", "_value"),
    "values": (
        "_compound", "_functions", "_graph", "_linear", "_math_types", "_matrix", "_matrix_elements", "_matrix_type", "_operators", "_struct",
        "_vector",
    ),
    "arrays": (
        "_annotations", "_array_options", "_arrays", "_bounds", "_buffer_view", "_clamped_arrays", "_device_arrays", "_exchange", "_layout",
        "_making", "_memory", "_placing", "_simt_operations", "_struct_arrays", "_tensor",
    ),
    "kernels": (
        "_argument_texts", "_arguments", "_decorators", "_graph_source", "_graph_status", "_members", "_native_program",
        "_observations", "_perf_dispatch", "_source", "_source_text", "_streams",
    ),
    "library": (
        "_algorithm_groups", "_algorithm_parts", "_algorithm_scans", "_algorithm_scratch", "_algorithm_sort", "_complex", "_eigenvalues", "_library",
        "_linear_algebra", "_simt_block", "_simt_lanes", "_simt_operators", "_simt_radix", "_simt_reductions", "_simt_scans", "_simt_sorting",
        "_simt_tiles", "_simt_warp", "_transforms",
    ),
    "interpreter": (
        "_changes", "_claims", "_gates", "_graph_plan", "_graph_rules", "_interpreted", "_interpreted_graphs", "_objects", "_parameters",
        "_parts", "_places", "_rewrite", "_rewrite_expressions", "_rewrite_graphs", "_rewrite_names", "_rewrite_threads", "_thread_uses",
    ),
    "package": (
        "_extensions", "_names", "_simt_block_names", "_simt_grid_names", "_simt_subgroup_names", "_simt_tile_names",
        "_simt_warp_names", "_start", "algorithms", "graph", "math", "profiler", "qd", "simt", "types",
    ),
}  # fmt: skip

# Imports of the package's own modules that stand in a function, each with its reason. They point downwards, too.
IN_FUNCTIONS = {
    ("_start", "_interpreted_graphs"): "the interpreter is loaded when the first kernel of arch=qd.python is called",
    ("_start", "_native_module"): "arch=qd.python runs where the native runtime cannot be loaded",
    ("_start", "_native_program"): "arch=qd.python runs where the native runtime cannot be loaded",
}

DYNAMIC = re.compile(r"\bimportlib\b|\b__import__\b|\bsys\.modules\b.*[\"']qd\b")


class Import(NamedTuple):
    """One module of the package that another one imports."""

    of: str
    line: int
    in_function: bool


def modules() -> dict[str, Path]:
    """The modules of the package by name; the native module is that of its stub."""
    found = {path.stem: path for path in [*PACKAGE.glob("*.py"), *PACKAGE.glob("*.pyi")]}
    found["qd"] = found.pop("__init__")
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
        base = ".".join(part for part in ("qd" if node.level else "", node.module or "") if part)
        paths = [f"{base}.{alias.name}" for alias in node.names] if base == "qd" else [base]
    for path in paths:
        top, _, rest = path.partition(".")
        if top == "qd":
            name = rest.partition(".")[0]
            yield name if name in names else "qd"


def of_package() -> dict[str, list[Import]]:
    known = modules()
    return {name: imports(path.read_text(), set(known)) for name, path in known.items()}


def layer_of(module: str) -> int:
    """The number of a module's layer, 0 for the lowest; one above all for a module that has none."""
    return next((number for number, members in enumerate(LAYERS.values()) if module in members), len(LAYERS))


def test_the_rule_itself() -> None:
    text = """
import numpy
import qd._b
from qd import _a, name
from . import _b
if TYPE_CHECKING:
    from qd._a import Thing
try:
    from qd._b import x
except ImportError:
    def f():
        from qd._a import y
"""
    found = [("_b", 3, False), ("_a", 4, False), ("qd", 4, False), ("_b", 5, False), ("_a", 7, False), ("_b", 9, False), ("_a", 12, True)]
    assert imports(text, {"_a", "_b", "qd"}) == found
    assert layer_of("_errors") < layer_of("_matrix") < layer_of("qd")
    assert DYNAMIC.search("importlib.import_module('qd._a')") and DYNAMIC.search("sys.modules['qd._a']")
    assert not DYNAMIC.search("sys.modules.get('coverage')")


def test_every_module_has_one_layer() -> None:
    named = [module for members in LAYERS.values() for module in members]
    assert sorted(named) == sorted(modules())


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_point_downwards(layer: str) -> None:
    found = of_package()
    names = sorted(name for name in found if layer_of(name) == list(LAYERS).index(layer))
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
        wrong += [f"{name}:{number}: {line.strip()}" for number, line in enumerate(path.read_text().splitlines(), 1) if DYNAMIC.search(line)]
    assert wrong == []

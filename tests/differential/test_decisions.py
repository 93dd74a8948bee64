"""Our decisions against a Python model over CPython's `ast`: ranges, conditions and ways to evaluate, over the standard library."""

from __future__ import annotations

import ast
import itertools
import os
import subprocess
import sysconfig
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("QD_BUILD", ROOT / "build" / "release"))
DUMP_DECISIONS = BUILD / "tests" / "differential" / "dump_decisions"
SAMPLED = 5  # of so many files one is in the test
NOT_MEASURED = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
NO_DECISIONS = (ast.Name, ast.Constant, ast.operator, ast.expr_context)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def is_static(node: ast.AST) -> bool:
    """`isinstance(...)` plays the part of qd.static(...)."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance"


def text(first: ast.expr, last: ast.expr) -> str:
    return f"{first.lineno}:{first.col_offset}-{last.end_lineno}:{last.end_col_offset}"


def leaves(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """The conditions of an expression: the place of each, and the node (of a link: the comparison)."""
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            yield from leaves(value)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from leaves(node.operand)
    elif isinstance(node, ast.Compare) and len(node.ops) > 1:
        for left, right in itertools.pairwise([node.left, *node.comparators]):
            yield text(left, right), node
    else:
        yield text(node, node), node


class Recorder:
    """Evaluates an expression with given values for its conditions, as Python does."""

    def __init__(self, values: str) -> None:
        self.values = iter(range(len(values))), values
        self.seen = ["-"] * len(values)

    def take(self, evaluated: bool) -> bool:
        numbers, values = self.values
        number = next(numbers)
        if evaluated:
            self.seen[number] = values[number]
        return values[number] == "T"

    def value(self, node: ast.expr, evaluated: bool = True) -> bool:
        """The value; where it is not evaluated, its conditions are only passed over."""
        if isinstance(node, ast.BoolOp):
            result = is_and = isinstance(node.op, ast.And)
            for part in node.values:
                decided = result != is_and
                value = self.value(part, evaluated and not decided)
                result = result if decided else value
            return result
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return not self.value(node.operand, evaluated)
        if isinstance(node, ast.Compare) and len(node.ops) > 1:
            result = True
            for _ in node.ops:
                value = self.take(evaluated and result)
                result = result and value
            return result
        return self.take(evaluated)


def ways_of(node: ast.expr, conditions: int) -> str:
    """All ways to evaluate an expression, in the order of Python's own evaluation with False before True, and the weights that give their numbers."""
    if conditions > 8:
        return ""  # too many values to try
    found: dict[str, None] = {}
    for values in itertools.product("FT", repeat=conditions):
        recorder = Recorder("".join(values))
        result = recorder.value(node)
        found["".join(recorder.seen) + "FT"[result]] = None
    if len(found) > 64:
        return "many"
    return ",".join(found)


def decisions(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """The decisions of a function's own body."""
    found: list[tuple[tuple[int, int, int, int], str]] = []

    def visit(node: ast.AST, kind: str, inside: bool) -> None:
        if isinstance(node, SCOPES) or is_static(node):
            return
        is_formula = isinstance(node, ast.BoolOp) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))
        is_formula = is_formula or (isinstance(node, ast.Compare) and len(node.ops) > 1)
        if isinstance(node, ast.expr) and not inside and (is_formula or kind in ("assert", "ternary")):
            conditions = list(leaves(node))
            one = kind in ("assert", "ternary") and not is_static(conditions[0][1])
            if len(conditions) > 1 or one:
                places = ",".join(place for place, _ in conditions)
                key = (node.lineno, node.col_offset, -(node.end_lineno or 0), -(node.end_col_offset or 0))
                found.append((key, f"{kind} {text(node, node)} {places} {ways_of(node, len(conditions))}"))
        if isinstance(node, NOT_MEASURED):
            return
        for field, value in ast.iter_fields(node):
            if isinstance(node, ast.AnnAssign) and field == "annotation":
                continue
            for child in value if isinstance(value, list) else [value]:
                if not isinstance(child, ast.AST) or isinstance(child, (ast.pattern, ast.type_ignore)):
                    continue
                if field != "test" and isinstance(child, NO_DECISIONS):
                    continue
                child_kind = "value"
                if field == "test":
                    child_kind = {"If": "if", "While": "while", "Assert": "assert", "IfExp": "ternary"}[type(node).__name__]
                visit(child, child_kind, is_formula and not isinstance(node, ast.Compare))

    for statement in function.body:
        visit(statement, "", False)
    return [line for _, line in sorted(found, key=lambda entry: entry[0])]


def expected(source: bytes) -> list[str] | None:
    """The expected output of dump_decisions for a file; None when CPython cannot read it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError):
            return None
    lines = []
    functions = [node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    for function in sorted(functions, key=lambda node: (node.lineno, node.col_offset)):
        lines.append(f"{function.lineno}:{function.col_offset} {function.name}")
        lines += [f"  {line}" for line in decisions(function)]
    return lines


def comparable(line: str) -> str:
    """A line without the weights, which the model does not have."""
    parts = line.split(" ")
    return " ".join(parts[:6]) if line.startswith("  ") else line


def ways_have_their_numbers(line: str) -> bool:
    """The sum of the weights of a way's true conditions is its place in the list."""
    parts = line.split(" ")
    if len(parts) < 7:
        return True
    weights = [int(weight) for weight in parts[6].split(",")]
    return all(sum(weight for weight, letter in zip(weights, way) if letter == "T") == number for number, way in enumerate(parts[5].split(",")))


def installed_files() -> list[Path]:
    """A sample of the standard library's Python files, or with QD_ALL_FILES=1 all. Whether a file is in the sample depends on its name alone."""
    stdlib = Path(sysconfig.get_path("stdlib"))
    files = [path for path in stdlib.rglob("*.py") if not {"site-packages", "dist-packages"} & set(path.parts)]
    everything = bool(os.environ.get("QD_ALL_FILES"))
    return sorted(path for path in files if everything or zlib.crc32(os.fsencode(path.relative_to(stdlib))) % SAMPLED == 0)


def test_installed_files() -> None:
    """The same decisions, conditions and ways in every function."""
    files = installed_files()
    names = "".join(f"{path}\n" for path in files)
    output = subprocess.run([DUMP_DECISIONS], input=names.encode(), stdout=subprocess.PIPE, check=True).stdout.decode()
    paths = {str(path) for path in files}
    ours: dict[str, list[str]] = {}
    for line in output.splitlines():
        if line in paths:
            current = ours[line] = []
        else:
            current.append(line)
    compared, differences = 0, []
    for path in files:
        source = path.read_bytes()
        theirs = expected(source)
        if theirs is None or b"\\N{" in source:
            continue
        mine = ours[str(path)]
        assert all(map(ways_have_their_numbers, mine)), path
        for our_line, their_line in itertools.zip_longest(mine, theirs):
            our_line = comparable(our_line or "")
            compared += our_line.startswith("  ")
            if our_line != their_line and not (their_line and their_line.endswith(" ")):  # a model that gave up on the ways
                differences.append(f"{path}:\n ours   {our_line}\n theirs {their_line}")
                break
    print(f"{compared} decisions compared")
    assert not differences, f"{len(differences)} differences\n" + "\n".join(differences[:10])
    assert compared > 1000

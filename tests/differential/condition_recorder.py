"""Recorder of the decisions of kernels in Python: each condition of a source becomes a call that notes its value.

Knows nothing of qd but the name of qd.static. The transformed source runs on arch=qd.python."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from dataclasses import dataclass

RECORDER = '''"""Notes what conditions were."""

import atexit
import collections
import json

seen = collections.defaultdict(set)


class Stack(list):
    """The calls of kernels, as methods of a list: of functions that are no funcs, only those of lists and the like take values of the run."""

    def begin(self, conditions):
        self.append(["-"] * conditions)

    def note(self, number, value):
        self[-1][number] = "T" if value else "F"
        return value

    def end(self, decision, _, value):
        seen[decision].add("".join(self.pop()) + ("T" if value else "F"))
        return value


stack = Stack()
begin, note, end = stack.begin, stack.note, stack.end


@atexit.register
def write():
    with open("seen.json", "w") as file:
        json.dump({decision: sorted(ways) for decision, ways in seen.items()}, file)
'''

Range = tuple[int, int, int, int]
OTHER_SCOPES = (ast.FunctionDef, ast.ClassDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True)
class Decision:
    """A decision of the source, as qd_decision and qd_condition have it."""

    first_line: int
    kind: str
    range: Range
    conditions: tuple[Range, ...]


def place(first: ast.expr, last: ast.expr) -> Range:
    return first.lineno, first.col_offset, last.end_lineno or 0, last.end_col_offset or 0


def is_not(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def is_chain(node: ast.expr) -> bool:
    return isinstance(node, ast.Compare) and len(node.ops) > 1


def is_static(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "qd.static"


class _Function:
    """Transforms one function in place."""

    def __init__(self, first_line: int, decisions: list[Decision]) -> None:
        self.first_line = first_line
        self.decisions = decisions
        self.names = 0
        self.conditions: list[Range] = []

    def statement(self, node: ast.AST) -> None:
        if isinstance(node, OTHER_SCOPES):
            return
        for field, value in ast.iter_fields(node):
            if field == "annotation":
                continue
            kind = {"If": "if", "While": "while", "Assert": "assert"}.get(type(node).__name__, "value") if field == "test" else "value"
            self.field(node, field, value, kind)

    def field(self, node: ast.AST, field: str, value: object, kind: str = "value") -> None:
        if isinstance(value, ast.expr):
            setattr(node, field, self.expression(value, kind))
        elif isinstance(value, list):
            for i, child in enumerate(value):
                if isinstance(child, (ast.stmt, ast.excepthandler, ast.match_case, ast.withitem)):
                    self.statement(child)
                elif isinstance(child, ast.expr):
                    value[i] = self.expression(child)
                elif isinstance(child, ast.keyword):
                    child.value = self.expression(child.value)

    def expression(self, node: ast.expr, kind: str = "value") -> ast.expr:
        leaves = list(self.leaves(node))
        if len(leaves) == 1 and (kind not in ("assert", "ternary") or is_static(leaves[0])):
            return self.formula(node, lambda leaf: leaf)
        number = len(self.decisions)
        conditions: list[Range] = []
        self.decisions.append(Decision(self.first_line, kind, place(node, node), ()))
        outer, self.conditions = self.conditions, conditions
        where = place(node, node)

        def note(leaf: ast.expr) -> ast.expr:
            return self.call("note", ast.Constant(len(self.conditions) - 1), leaf)

        value = self.formula(node, note)
        self.conditions = outer
        self.decisions[number] = Decision(self.first_line, kind, where, tuple(conditions))
        return self.call("end", ast.Constant(number), self.call("begin", ast.Constant(len(conditions))), value)

    def leaves(self, node: ast.expr) -> list[ast.expr]:
        if isinstance(node, ast.BoolOp):
            return [leaf for value in node.values for leaf in self.leaves(value)]
        if isinstance(node, ast.UnaryOp) and is_not(node):
            return self.leaves(node.operand)
        return [node] * (len(node.ops) if isinstance(node, ast.Compare) else 1)

    def formula(self, node: ast.expr, note: Callable[[ast.expr], ast.expr]) -> ast.expr:
        if isinstance(node, ast.BoolOp):
            node.values = [self.formula(value, note) for value in node.values]
            return node
        if isinstance(node, ast.UnaryOp) and is_not(node):
            node.operand = self.formula(node.operand, note)
            return node
        if isinstance(node, ast.Compare) and is_chain(node):
            return self.chain(node, note)
        self.conditions.append(place(node, node))
        return note(self.inside(node))

    def chain(self, node: ast.Compare, note: Callable[[ast.expr], ast.expr]) -> ast.expr:
        """a < b < c as a < (v := b) and v < c."""
        operands = [node.left, *node.comparators]
        places = [place(left, right) for left, right in itertools.pairwise(operands)]
        links: list[ast.expr] = []
        left = None
        for number, op in enumerate(node.ops):
            # The place comes first: an operand may contain a decision of its own, which has its own list.
            self.conditions.append(places[number])
            mine = len(self.conditions)
            first = self.kept(operands[0]) if left is None else left
            right = self.kept(operands[number + 1])
            if number + 1 < len(node.ops):
                self.names += 1
                name = f"link_{self.first_line}_{self.names}"
                right, left = ast.NamedExpr(ast.Name(name, ast.Store()), right), ast.Name(name, ast.Load())
            assert len(self.conditions) == mine
            links.append(note(ast.Compare(first, [op], [right])))
        return ast.BoolOp(ast.And(), links)

    def kept(self, operand: ast.expr) -> ast.expr:
        """An operand that is evaluated as a value of its own."""
        outer, self.conditions = self.conditions, []
        result = self.expression(operand)
        self.conditions = outer
        return result

    def inside(self, node: ast.expr) -> ast.expr:
        if is_static(node) or isinstance(node, OTHER_SCOPES):
            return node
        outer, self.conditions = self.conditions, []
        for field, value in ast.iter_fields(node):
            self.field(node, field, value, "ternary" if isinstance(node, ast.IfExp) and field == "test" else "value")
        self.conditions = outer
        return node

    @staticmethod
    def call(name: str, *arguments: ast.expr) -> ast.Call:
        return ast.Call(ast.Attribute(ast.Name("recorder", ast.Load()), name, ast.Load()), list(arguments), [])


def recording(source: str) -> tuple[str, list[Decision]]:
    """The source with calls of `recorder` in its decorated functions, and its decisions by their numbers."""
    tree = ast.parse(source)
    decisions: list[Decision] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.decorator_list and ast.unparse(node.decorator_list[-1]) != "staticmethod":
            function = _Function(min(d.lineno for d in node.decorator_list), decisions)
            for statement in node.body:
                function.statement(statement)
    tree.body.insert(1, ast.Import([ast.alias("recorder")]))
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n", decisions

"""Decisions of a function, as runtime/syntax/decisions.h defines them: expressions of `and`, `or`, `not` and chained comparisons.

    if x > 0 and (y > 0 or z):

has the conditions `x > 0`, `y > 0` and `z`. Each of them is followed by another one or by an outcome. For each value of a condition there are the
effects that a compiled function records, on its decision and on those around: the arm of a conditional expression is a condition's value, too."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

Place = tuple[int, int, int, int]
"""First line and column, last line and column; columns count bytes."""

TRUE, FALSE = -1, -2
"""Outcomes, in the place of the number of a condition."""

MOST_WAYS = 64
"""Ways to evaluate a decision that are told apart. With more of them, each condition alone is recorded."""

_MOST_CONDITIONS = MOST_WAYS // 2
_OTHER_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_KINDS = {ast.If: "if", ast.While: "while", ast.Assert: "assert"}
_COMPILE_TIME = {"static", "static_assert", "static_print"}


class Decision(NamedTuple):
    """A decision as the data has it."""

    kind: str
    place: Place
    conditions: tuple[Place, ...]
    outcomes: tuple[str, ...]
    """Ways that can be recorded: T, F or - for each condition, and for the result."""


class Effect(NamedTuple):
    """The change of the word of a decision by the value of a condition."""

    decision: int
    first: bool
    """The decision begins: the word is 0."""
    added: int
    ended: bool
    """The word is the number of an outcome; with too many ways, a mask of outcomes."""


@dataclass
class Condition:
    """An operand of a formula, or a link of a chained comparison."""

    node: ast.expr
    place: Place
    if_true: int
    if_false: int
    link: int | None = None
    tested: bool = False
    """Whether an instruction is known that gives its value."""


@dataclass(eq=False)
class Formula:
    """An expression with its conditions, from left to right. With one condition, it is no decision but of some kinds."""

    root: ast.expr
    kind: str
    owner: tuple[Formula, int] | None
    """The condition that is a conditional expression, of which this is a part."""
    role: str = ""
    """The part: test, body or orelse."""
    conditions: list[Condition] = field(default_factory=list)
    parts: dict[int, dict[str, Formula]] = field(default_factory=dict)
    """The parts of its conditions that are conditional expressions."""
    number: int = -1
    """Of the decision; -1: it is not recorded."""

    def is_decision(self) -> bool:
        return len(self.conditions) > 1 or self.kind in ("assert", "ternary")

    def resolve(self, at: int) -> tuple[int, list[tuple[int, bool]]]:
        """The condition or outcome at which one gets to from a condition by way of literals, and their values."""
        passed = []
        while at >= 0 and (value := literal(self.conditions[at].node)) is not None:
            passed.append((at, value))
            at = self.conditions[at].if_true if value else self.conditions[at].if_false
        return at, passed


def place_of(first: ast.expr, last: ast.expr) -> Place:
    return first.lineno, first.col_offset, last.end_lineno or 0, last.end_col_offset or 0


def literal(node: ast.expr) -> bool | None:
    """The value of a condition that the compiler of Python folds; None for any other."""
    if isinstance(node, ast.Name) and node.id == "__debug__":
        return __debug__
    if all(isinstance(part, (ast.Constant, ast.BinOp, ast.UnaryOp, ast.operator, ast.unaryop)) for part in ast.walk(node)):
        try:
            return bool(eval(compile(ast.Expression(node), "", "eval"), {}))
        except Exception:
            return None
    return None


class Finder:
    """The formulas of a function."""

    def __init__(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.formulas: list[Formula] = []
        for statement in function.body:
            self._statement(statement)

    def _statement(self, node: ast.AST) -> None:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return
        for name, value in ast.iter_fields(node):
            kind = _KINDS.get(type(node), "value") if name == "test" else "value"
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.expr):
                    self._expression(child, kind, None)
                elif isinstance(child, ast.AST):
                    self._statement(child)

    def _expression(self, node: ast.expr, kind: str, owner: tuple[Formula, int] | None, role: str = "") -> Formula:
        formula = Formula(node, kind, owner, role)
        self.formulas.append(formula)
        _conditions(node, TRUE, FALSE, formula.conditions)
        last = len(formula.conditions) - 1
        formula.conditions.reverse()
        for condition in formula.conditions:
            condition.if_true, condition.if_false = (last - n if n >= 0 else n for n in (condition.if_true, condition.if_false))
        for number, condition in enumerate(formula.conditions):
            if not condition.link:  # the first link of a chain looks into all operands
                self._look_into(condition.node, formula, number)
        return formula

    def _look_into(self, node: ast.expr, formula: Formula, number: int) -> None:
        if isinstance(node, _OTHER_SCOPES) or _is_compile_time(node):
            return
        if isinstance(node, ast.IfExp):
            parts = [("test", "ternary"), ("body", "value"), ("orelse", "value")]
            formula.parts[number] = {name: self._expression(getattr(node, name), kind, (formula, number), name) for name, kind in parts}
            return
        for child in _expressions_in(node):
            self._expression(child, "value", None)


def _is_compile_time(node: ast.expr) -> bool:
    called = node.func if isinstance(node, ast.Call) else None
    return getattr(called, "attr", getattr(called, "id", "")) in _COMPILE_TIME


def _expressions_in(node: ast.AST) -> Iterator[ast.expr]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
        else:
            yield from _expressions_in(child)


def _conditions(node: ast.expr, if_true: int, if_false: int, found: list[Condition]) -> int:
    """Adds the conditions of an expression, from right to left, and gives the number of its first."""
    if isinstance(node, ast.BoolOp):
        following = _conditions(node.values[-1], if_true, if_false, found)
        for value in reversed(node.values[:-1]):
            ends = (following, if_false) if isinstance(node.op, ast.And) else (if_true, following)
            following = _conditions(value, *ends, found)
        return following
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return _conditions(node.operand, if_false, if_true, found)
    if isinstance(node, ast.Compare) and len(node.ops) > 1:
        following, operands = if_true, [node.left, *node.comparators]
        for link in reversed(range(len(node.ops))):
            found.append(Condition(node, place_of(operands[link], operands[link + 1]), following, if_false, link))
            following = len(found) - 1
        return following
    found.append(Condition(node, place_of(node, node), if_true, if_false))
    return len(found) - 1


def numbered(formulas: list[Formula]) -> list[Decision]:
    """The decisions among formulas, which get their numbers: those all of whose values are known to be seen."""
    found: list[Decision] = []
    for formula in formulas:
        if formula.is_decision() and formula.resolve(0)[0] >= 0 and len(formula.conditions) <= _MOST_CONDITIONS and is_tested(formula):
            formula.number = len(found)
            places = tuple(condition.place for condition in formula.conditions)
            found.append(Decision(formula.kind, place_of(formula.root, formula.root), places, tuple(outcomes(formula))))
    return found


def is_tested(formula: Formula) -> bool:
    """Whether the value of each condition is seen: by an instruction, or by the parts of a conditional expression."""
    for number, condition in enumerate(formula.conditions):
        seen = condition.tested or literal(condition.node) is not None
        if not seen and (number not in formula.parts or not all(map(is_tested, formula.parts[number].values()))):
            return False
    return not any(isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)) for node in ast.walk(formula.root))


def _ways_from(formula: Formula) -> list[int]:
    """The number of ways from each condition to an outcome."""
    ways = [0] * len(formula.conditions)
    for number in reversed(range(len(ways))):
        condition = formula.conditions[number]
        ways[number] = sum(1 if end < 0 else ways[end] for end in (condition.if_true, condition.if_false))
    return ways


def outcomes(formula: Formula) -> list[str]:
    """The ways that can be recorded of a decision: all ways to evaluate it in the order of their numbers, or single conditions."""
    size = len(formula.conditions)
    if _ways_from(formula)[0] > MOST_WAYS:
        return ["-" * number + letter + "-" * (size - number) for number in range(size) for letter in "FT"]
    found = []
    work = [(0, ["-"] * size)]
    while work:
        at, letters = work.pop()
        if at < 0:
            found.append("".join(letters) + ("T" if at == TRUE else "F"))
            continue
        condition = formula.conditions[at]
        work.append((condition.if_true, [*letters[:at], "T", *letters[at + 1 :]]))
        work.append((condition.if_false, [*letters[:at], "F", *letters[at + 1 :]]))
    return found


def effects(formula: Formula, number: int, value: bool) -> list[Effect]:
    """Effects of the value of a condition, on decisions around it, too. A way is the sum of the weights of its true conditions (Ball and Larus)."""
    condition = formula.conditions[number]
    end, passed = formula.resolve(condition.if_true if value else condition.if_false)
    found = []
    if formula.number >= 0:
        begin, before = formula.resolve(0)
        known = [*(before if begin == number else []), (number, value), *passed]
        found.append(Effect(formula.number, begin == number, _added(formula, known), end < 0))
    if end < 0 and formula.owner is not None:
        owner, at = formula.owner
        if formula.role == "test":
            arm = owner.parts[at]["body" if end == TRUE else "orelse"]
            end, _ = arm.resolve(0)  # an arm of literals alone has no instruction that tests it
        if end < 0:
            found += effects(owner, at, end == TRUE)
    return found


def _added(formula: Formula, known: list[tuple[int, bool]]) -> int:
    ways = _ways_from(formula)
    if ways[0] > MOST_WAYS:
        return sum(1 << (2 * at + value) for at, value in known)
    ends = [formula.conditions[at].if_false for at, value in known if value]
    return sum(1 if end < 0 else ways[end] for end in ends)

"""Tests of conditions: the instructions of a code object that give the value of a condition, or branch by it.

    if a and b > 0:         LOAD_FAST a            the value of `a`
                            POP_JUMP_IF_FALSE      branches by it

They are found by the places in the source that CPython 3.11 and newer keep for each instruction. A condition that has none of these is not recorded,
and nothing is where the source has changed since."""

from __future__ import annotations

import ast
import dis
import functools
import sys
from types import CodeType
from typing import Any, NamedTuple

from .decisions import Condition, Decision, Effect, Finder, Formula, Place, effects, numbered, place_of

_BETWEEN = {"COPY", "TO_BOOL", "SWAP", "CACHE", "EXTENDED_ARG"}
"""Instructions that may stand between a value and the branch by it."""

_ENDS: dict[type[ast.expr], tuple[str, ...]] = {
    ast.Name: ("LOAD_",),
    ast.Attribute: ("LOAD_",),
    ast.Subscript: ("BINARY_",),
    ast.BinOp: ("BINARY_",),
    ast.UnaryOp: ("UNARY_", "CALL_INTRINSIC_1"),
    ast.Compare: ("COMPARE_OP", "IS_OP", "CONTAINS_OP"),
    ast.Call: ("CALL",),
    ast.NamedExpr: ("STORE_",),
    ast.Tuple: ("BUILD_",),
    ast.List: ("BUILD_",),
    ast.Dict: ("BUILD_",),
    ast.JoinedStr: ("BUILD_", "FORMAT_"),
}
"""The last instruction of an expression."""


class Test(NamedTuple):
    """A place in the bytecode where the value of a condition is known."""

    branches: bool
    """Whether the instruction branches by the value; else it gives the value."""
    inverted: bool
    if_true: tuple[Effect, ...]
    if_false: tuple[Effect, ...]


class Conditions(NamedTuple):
    """The decisions of a code object, and the tests in it by the offsets of their instructions."""

    decisions: tuple[Decision, ...]
    tests: dict[int, Test]


NONE = Conditions((), {})


def conditions_of(code: CodeType, text: bytes) -> Conditions:
    """The conditions in a function of a file with this text; none where the function is not in the text as it stands."""
    if sys.version_info < (3, 11) or code.co_name == "<lambda>":
        return NONE
    functions, codes = _parsed(text)
    name = code.co_name, code.co_firstlineno
    if name not in functions or not any(_same(code, other) for other in codes.get(name, [])):
        return NONE
    return _tests(code, Finder(functions[name]).formulas)


@functools.lru_cache(maxsize=16)
def _parsed(text: bytes) -> tuple[dict[tuple[str, int], ast.FunctionDef], dict[tuple[str, int], list[CodeType]]]:
    """The functions of a source and their code, by their names and first lines; none of a text that is no Python."""
    functions: dict[tuple[str, int], ast.FunctionDef] = {}
    codes: dict[tuple[str, int], list[CodeType]] = {}
    try:
        tree = ast.parse(text)
        for code in _codes(compile(text, "", "exec", dont_inherit=True)):
            codes.setdefault((code.co_name, code.co_firstlineno), []).append(code)
    except (SyntaxError, ValueError):
        return {}, {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            functions[node.name, min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])] = node
    return functions, codes


def _codes(code: CodeType) -> list[CodeType]:
    return [code, *(inner for constant in code.co_consts if isinstance(constant, CodeType) for inner in _codes(constant))]


def _same(code: CodeType, other: CodeType) -> bool:
    return code.co_code == other.co_code and list(code.co_positions()) == list(other.co_positions())  # type: ignore[attr-defined,unused-ignore]


def _tests(code: CodeType, formulas: list[Formula]) -> Conditions:
    by_place: dict[Place, list[tuple[Formula, int]]] = {}
    by_left: dict[Place, tuple[Formula, int]] = {}
    for formula in formulas:
        for number, condition in enumerate(formula.conditions):
            node = condition.node
            by_place.setdefault(_end_place(node), []).append((formula, number))
            if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Is, ast.IsNot)) and condition.link is None:
                by_left[_end_place(node.left)] = (formula, number)
    found: dict[int, tuple[Formula, int, bool, bool]] = {}
    instructions = list(dis.get_instructions(code))
    for at, instruction in enumerate(instructions):
        place = _place(instruction)
        if place is None or instruction.opname in _BETWEEN:
            continue
        branch = _branch_behind(instructions, at)
        if branch is not None and "NONE" in branch.opname:  # `x is None` has no instruction of its own
            if place in by_left:
                formula, number = by_left[place]
                own = formula.conditions[number].node
                is_none = isinstance(own, ast.Compare) and isinstance(own.ops[0], ast.Is)
                # Numba's condition is the opposite of what the instruction jumps by.
                found[branch.offset] = (formula, number, True, ("NOT_NONE" in branch.opname) != is_none)
            continue
        for formula, number in by_place.get(place, []):
            condition = formula.conditions[number]
            if not instruction.opname.startswith(_ENDS.get(type(condition.node), ("nothing",))):
                continue
            if condition.link is not None and condition.link != _link(instructions, at, condition):
                continue
            there = instruction if branch is None else branch
            found[there.offset] = (formula, number, branch is not None, _is_folded(instruction, condition))
    for formula, number, *_ in found.values():
        formula.conditions[number].tested = True
    decisions = numbered(formulas)
    tests = {}
    for offset, (formula, number, branches, inverted) in found.items():
        on = {value: tuple(effects(formula, number, value)) for value in (True, False)}
        if on[True] or on[False]:
            tests[offset] = Test(branches, inverted, on[True], on[False])
    return Conditions(tuple(decisions), tests)


def _end_place(node: ast.expr) -> Place:
    """The place of the last instruction of an expression."""
    return place_of(node.target, node.target) if isinstance(node, ast.NamedExpr) else place_of(node, node)


def _place(instruction: Any) -> Place | None:
    found = instruction.positions
    if found is None or None in (found.lineno, found.end_lineno, found.col_offset, found.end_col_offset):
        return None
    return found.lineno, found.col_offset, found.end_lineno, found.end_col_offset


def _branch_behind(instructions: list[Any], at: int) -> Any:
    """The branch by the value of an instruction; None where there is none, or control may come to it by another way."""
    for following in instructions[at + 1 :]:
        if following.is_jump_target:
            return None
        if following.opname not in _BETWEEN:
            return following if "JUMP" in following.opname and "_IF_" in following.opname else None
    return None


def _link(instructions: list[Any], at: int, condition: Condition) -> int:
    """The link of a chained comparison that an instruction compares: that of the right operand, which is evaluated last."""
    chain = condition.node
    assert isinstance(chain, ast.Compare)
    for before in reversed(instructions[:at]):
        place = _place(before)
        if before.opname in _BETWEEN or place is None:
            continue
        for number, operand in enumerate([chain.left, *chain.comparators]):
            begin, end = place_of(operand, operand)[:2], place_of(operand, operand)[2:]
            if begin <= place[:2] and place[2:] <= end:
                return max(0, number - 1)  # of two names, one instruction may load both since Python 3.13: it has the place of the left one
        return -1
    return -1


def _is_folded(instruction: Any, condition: Condition) -> bool:
    """Whether the compiler has made `a not in b` of `not a in b`, so that the instruction gives the opposite of the condition."""
    if instruction.opname not in ("IS_OP", "CONTAINS_OP") or not isinstance(condition.node, ast.Compare):
        return False
    return bool(instruction.arg) != isinstance(condition.node.ops[condition.link or 0], (ast.IsNot, ast.NotIn))

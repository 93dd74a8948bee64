"""Line arcs of a code object: which pairs of lines coverage.py records when Python runs it, and where in the bytecode.

For example, in

    10  for x in xs:
    11      if x > 0:
    12          n += 1

the instruction behind the test of line 11 that begins line 12 records (11, 12), and the jump back to the loop (11, 10) or (12, 10).
A line begins where an instruction has another line than the one that ran before it."""

from __future__ import annotations

import bisect
import dis
import sys
from collections.abc import Mapping, Set
from types import CodeType
from typing import NamedTuple

Arc = tuple[int, int]

_NEVER_FALLS_THROUGH = {
    "RETURN_VALUE",
    "RETURN_CONST",
    "RAISE_VARARGS",
    "RERAISE",
    "JUMP_FORWARD",
    "JUMP_BACKWARD",
    "JUMP_BACKWARD_NO_INTERRUPT",
    "JUMP_ABSOLUTE",
}
_RETURNS = {"RETURN_VALUE", "RETURN_CONST"}
_NEVER_RUN = {"CACHE", "RESUME", "COPY_FREE_VARS", "MAKE_CELL", "GEN_START", "RETURN_GENERATOR"}
"""Instructions that begin no line: those which enter the function, among others."""


class Instruction(NamedTuple):
    """An instruction with its line; None where the compiler has put it in. `begins`: a line event can be there."""

    offset: int
    line: int | None
    begins: bool
    name: str
    targets: tuple[int, ...]


class LineArcs:
    """The arcs of a code object, by the pair of instructions between which control passes.

    Each is in the form that data of kernels has: `(-F, line)` for a line that ran, F being the first line of the function, and `(line, other)` for
    the edge out of a line that has several."""

    def __init__(self, code: CodeType, first_lines: Mapping[int, int], choices: Set[int]) -> None:
        """`first_lines` has the first line of the statement for each further line of it; `choices`: the lines of statements with several ways on."""
        self.first_line = first_lines.get(code.co_firstlineno, code.co_firstlineno)
        self.instructions = _instructions(code, first_lines)
        self.handlers = _handlers(code)
        self._begin = next((instruction.offset for instruction in self.instructions if instruction.name not in _NEVER_RUN), -1)
        self._offsets = [instruction.offset for instruction in self.instructions]
        self._by_offset = {instruction.offset: instruction for instruction in self.instructions}
        self._last_lines = self._flow()
        self._branching = self._branching_lines() | choices

    def begin(self) -> int:
        """The offset of the instruction at which the function begins; -1 where it has none."""
        return self._begin

    def entry(self) -> list[Arc]:
        """The arcs of the instruction at which the function begins."""
        begin = self.begin()
        return [] if begin < 0 else self._line(begin)

    def between(self, before: int, after: int) -> list[Arc]:
        """The arcs that are taken when control passes from one instruction to another: none where no line begins."""
        edge = self._edge(before, after)
        return (self._line(after) if self._is_event(before, after) else []) + ([edge] if edge is not None and edge[0] in self._branching else [])

    def into_handler(self, offset: int) -> list[Arc]:
        """The arcs that are taken when an exception leads to this instruction: its line ran, whichever line raised."""
        return self._line(offset)

    def leaving(self, offset: int) -> list[Arc]:
        """The arcs of an instruction that returns."""
        edge = self._exit(offset)
        return [edge] if edge is not None and edge[0] in self._branching else []

    def all(self) -> list[Arc]:
        """All arcs, in the order of the bytecode."""
        found = dict.fromkeys(self.entry())
        for instruction in self.instructions:
            if instruction.offset not in self._last_lines:
                continue  # nothing leads to it
            if instruction.offset in self.handlers:
                found.update(dict.fromkeys(self.into_handler(instruction.offset)))
            for target in instruction.targets:
                found.update(dict.fromkeys(self.between(instruction.offset, target)))
            found.update(dict.fromkeys(self.leaving(instruction.offset)))
        return list(found)

    def last_of_block(self, head: int, end: int | None) -> int | None:
        """The last instruction of the block that begins at `head`, and ends before `end`, or where control leaves it."""
        last = None
        for number, instruction in enumerate(self.instructions):
            if instruction.offset < head:
                continue
            if end is not None and instruction.offset >= end:
                break
            last = instruction.offset
            following = self.instructions[number + 1].offset if number + 1 < len(self.instructions) else None
            if instruction.targets != (following,):
                break
        return last

    def at(self, offset: int) -> int:
        """The instruction at an offset, or the next one behind it."""
        number = bisect.bisect_left(self._offsets, offset)
        return self._offsets[number] if number < len(self._offsets) else -1

    def _line(self, offset: int) -> list[Arc]:
        line = self._by_offset[offset].line
        return [] if line is None else [(-self.first_line, line)]

    def _is_event(self, before: int, after: int) -> bool:
        """Whether a line event fires when control passes from one instruction to another."""
        previous, present = self._by_offset[before], self._by_offset[after]
        if present.line is None or present.name in _NEVER_RUN or after == self.begin() and before < after:
            return False
        return after < before or present.begins and present.line != previous.line

    def _edge(self, before: int, after: int) -> Arc | None:
        """The pair of lines that is certain once control passes from one instruction to another; None where there is none.

        Instructions without a line may be shared by several lines, such as the jump at the end of a loop. The pair of lines is then certain on the
        way into these."""
        if not self._is_event(before, after):
            return self._fate(before, after)
        line = self._by_offset[after].line
        start = self._last_line(before)
        return None if line is None or start is None or start == line else (start, line)

    def _fate(self, before: int, after: int) -> Arc | None:
        start = self._last_line(before)
        if start is None or self._last_line(after) is not None:
            return None
        passed = set()
        while after not in passed:
            passed.add(after)
            if self._by_offset[after].name in _RETURNS:
                return start, -self.first_line
            targets = self._by_offset[after].targets
            if len(targets) != 1:
                return None
            if self._is_event(after, targets[0]):
                line = self._by_offset[targets[0]].line
                return None if line is None or line == start else (start, line)
            after = targets[0]
        return None

    def _exit(self, offset: int) -> Arc | None:
        if self._by_offset[offset].name not in _RETURNS:
            return None
        line = self._last_line(offset)
        return None if line is None else (line, -self.first_line)

    def _last_line(self, offset: int) -> int | None:
        """The line of the last event once the instruction has run; None where there may be several."""
        lines = self._last_lines.get(offset, set())
        return next(iter(lines)) if len(lines) == 1 else None

    def _flow(self) -> dict[int, set[int]]:
        """The lines of the last event, after each instruction to which control leads."""
        after: dict[int, set[int]] = {}
        work: list[tuple[int, set[int]]] = []
        for offset in [self.begin(), *sorted(self.handlers)]:
            if offset >= 0:
                line = self._by_offset[offset].line
                work.append((offset, set() if line is None else {line}))
        while work:
            offset, lines = work.pop()
            known = after.get(offset)
            if known is not None and lines <= known:
                continue
            after[offset] = lines | (known or set())
            for target in self._by_offset[offset].targets:
                line = self._by_offset[target].line
                work.append((target, {line} if line is not None and self._is_event(offset, target) else after[offset]))
        return after

    def _branching_lines(self) -> set[int]:
        """The lines that control leaves by several ways."""
        ways: dict[int, set[int]] = {}
        for instruction in self.instructions:
            edges = [self._edge(instruction.offset, target) for target in instruction.targets] + [self._exit(instruction.offset)]
            for edge in edges:
                if edge is not None and instruction.offset in self._last_lines:
                    ways.setdefault(edge[0], set()).add(edge[1])
        return {line for line, ends in ways.items() if len(ends) > 1}


def _instructions(code: CodeType, first_lines: Mapping[int, int]) -> list[Instruction]:
    lines: dict[int, int | None] = {}
    for start, end, line in code.co_lines():
        for offset in range(start, end, 2):
            lines[offset] = None if line is None else first_lines.get(line, line)
    found = [instruction for instruction in dis.get_instructions(code) if instruction.opname != "CACHE"]
    begins = _begins(code, found)
    result = []
    for number, instruction in enumerate(found):
        targets = []
        if instruction.opname not in _NEVER_FALLS_THROUGH and number + 1 < len(found):
            targets.append(found[number + 1].offset)
        jumps = instruction.opcode in dis.hasjrel or instruction.opcode in dis.hasjabs
        if jumps and not instruction.opname.startswith("SETUP_") and instruction.argval not in targets:
            targets.append(instruction.argval)
        offset = instruction.offset
        result.append(Instruction(offset, lines.get(offset), offset in begins, instruction.opname, tuple(targets)))
    return result


def _begins(code: CodeType, found: list[dis.Instruction]) -> set[int]:
    """The instructions at which a line event can be."""
    if sys.version_info < (3, 11):
        return {instruction.offset for instruction in found}  # a jump into the midst of a line, too
    begins = {start for start, _, _ in code.co_lines()}
    if sys.version_info >= (3, 12):
        return begins | {i.argval for i in found if i.opcode in dis.hasjrel or i.opcode in dis.hasjabs} | _handlers(code)
    offset = 0
    for byte in code.co_linetable:  # each location has an entry, whose first byte alone has the highest bit
        if byte & 0x80:
            begins.add(offset)
            offset += 2 * ((byte & 7) + 1)
    return begins


def _handlers(code: CodeType) -> set[int]:
    """The instructions to which exceptions lead."""
    if hasattr(code, "co_exceptiontable"):
        return {entry.target for entry in dis.Bytecode(code).exception_entries}  # type: ignore[attr-defined]
    return {instruction.argval for instruction in dis.get_instructions(code) if instruction.opname == "SETUP_FINALLY"}

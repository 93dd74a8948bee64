"""Marks in Numba's IR: a statement for each arc, put in while Numba translates bytecode.

All front ends of Numba (dispatchers, closures, stencils, overloads, inlined functions) translate by Interpreter.interpret. Arcs within a block stand
before the instruction that begins the line. Arcs between blocks stand at the end or the head of one of the two; where control has other ways out of
the first and into the second, a block of their own holds them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from numba.core import bytecode, interpreter, ir, typeinfer

from .line_arcs import Arc, LineArcs
from .marks import MarkedFunction, function_of
from .sources import measured_source
from .when import call_of_when

_SHIFT: int = getattr(bytecode, "_FIXED_OFFSET", 0)
"""Numba's offsets of instructions begin with an instruction of its own."""


class Mark(ir.Stmt):  # type: ignore[misc]
    """Says that control took an arc."""

    def __init__(self, name: str, function: MarkedFunction, loc: Any) -> None:
        self.mark_name = name
        self.function = function
        self.loc = loc

    def list_vars(self) -> list[Any]:
        return []

    def __str__(self) -> str:
        return f"mark {self.mark_name}"


class _Marker:
    """Puts the marks of a function into the blocks that an Interpreter makes."""

    def __init__(self, translation: Any, function: MarkedFunction, arcs: LineArcs) -> None:
        self.translation = translation
        self.function = function
        self.arcs = arcs
        self.offsets = [instruction.offset for instruction in arcs.instructions]
        self.next = 0
        """The first instruction whose marks are not in the IR yet."""

    def begin_block(self, offset: int) -> None:
        self.next = next((n for n, own in enumerate(self.offsets) if own >= offset - _SHIFT), len(self.offsets))

    def reach(self, offset: int) -> None:
        """Puts in the marks of the instructions up to this one, in its block."""
        head = self.arcs.at(self.translation.current_block_offset - _SHIFT)
        while self.next < len(self.offsets) and self.offsets[self.next] <= offset - _SHIFT:
            own = self.offsets[self.next]
            if own == self.arcs.begin():
                self.put(self.arcs.entry())
            elif own > head:
                self.put(self.arcs.between(self.offsets[self.next - 1], own))
            elif own in self.arcs.handlers:
                self.put(self.arcs.into_handler(own))
            self.put(self.arcs.leaving(own))
            self.next += 1

    def finish_block(self) -> None:
        """Puts in the marks up to the end of a block from which control goes on to the next one."""
        own = self.translation.current_block_offset
        heads = [head for head in self.translation.cfa.blocks if head > own]
        last = self.arcs.last_of_block(own - _SHIFT, min(heads, default=own + 1) - _SHIFT)
        if last is not None:
            self.reach(last + _SHIFT)

    def test(self, inst: Any, kws: dict[str, Any]) -> None:
        """Puts in the test of a condition, whose value an instruction has given or branched by."""
        known = self.function.conditions.tests.get(inst.offset - _SHIFT)
        body = self.translation.current_block.body
        if known is None or not body:
            return
        if known.branches:
            if isinstance(body[-1], ir.Branch):
                end = body.pop()
                self._call_when(inst.offset, end.cond)
                body.append(end)
        elif name := kws.get("res") or kws.get("value"):
            self._call_when(inst.offset, self.translation.get(name))

    def _call_when(self, offset: int, value: Any) -> None:
        function, number = call_of_when(self.function.when_name(offset - _SHIFT), self.translation.loc)
        called = self.translation.store(function, f"$qdcov_when{offset}")
        test = self.translation.store(number, f"$qdcov_test{offset}")
        self.translation.store(ir.Expr.call(called, (value, test), (), self.translation.loc), f"$qdcov_done{offset}")

    def put(self, arcs: list[Arc]) -> None:
        self.translation.current_block.body += self.marks(arcs)

    def marks(self, arcs: Iterable[Arc]) -> list[Mark]:
        return [Mark(self.function.mark_name(arc), self.function, self.translation.loc) for arc in arcs]

    def connect(self) -> None:
        """Puts in the marks of arcs between blocks."""
        blocks = self.translation.blocks
        graph = self.translation.cfa.graph
        heads = sorted(blocks)
        ends: dict[int, int | None] = dict(zip(heads, [*(head - _SHIFT for head in heads[1:]), None]))
        for offset in heads:
            head = self.arcs.at(offset - _SHIFT)
            if offset < _SHIFT or head < 0 or head in self.arcs.handlers:
                continue
            ways: dict[int, list[Arc]] = {}
            for start, _ in graph.predecessors(offset):
                last = self.arcs.last_of_block(start - _SHIFT, ends[start])
                ways[start] = [] if last is None else self.arcs.between(last, head)
            if head == self.arcs.begin() or not ways:
                shared = []
            else:
                shared = [arc for arc in next(iter(ways.values())) if all(arc in arcs for arcs in ways.values())]
            blocks[offset].body[:0] = self.marks(shared)
            for start, arcs in ways.items():
                if own := [arc for arc in arcs if arc not in shared]:
                    self._put_between(start, offset, own)

    def _put_between(self, start: int, end: int, arcs: list[Arc]) -> None:
        blocks = self.translation.blocks
        source = blocks[start]
        terminator = source.terminator
        targets = terminator.get_targets()
        if end not in targets:
            return
        if set(targets) == {end}:
            source.body[-1:-1] = self.marks(arcs)
            return
        label = max(blocks) + 1
        between = ir.Block(scope=source.scope, loc=terminator.loc)
        between.body += self.marks(arcs)
        between.append(ir.Jump(end, terminator.loc))
        blocks[label] = between
        for name in ("truebr", "falsebr"):
            if getattr(terminator, name, None) == end:
                setattr(terminator, name, label)


_markers: dict[int, _Marker] = {}
"""The functions that are being translated, by the id of their Interpreter."""


def hook() -> None:
    """Lets Numba's Interpreter put marks into the functions that are measured."""
    typeinfer.typeinfer_extensions[Mark] = lambda mark, inference: None  # marks have no types
    cls = interpreter.Interpreter
    interpret, dispatch, post_process = cls.interpret, cls._dispatch, cls.post_process
    start_block, end_block = cls._start_new_block, cls._end_current_block

    def marking_interpret(self: Any, code: Any) -> Any:
        marker = _marker_of(self)
        if marker is None:
            return interpret(self, code)
        _markers[id(self)] = marker
        try:
            return interpret(self, code)
        finally:
            _markers.pop(id(self), None)

    def marking_start_block(self: Any, offset: int) -> None:
        start_block(self, offset)
        if (marker := _markers.get(id(self))) is not None:
            marker.begin_block(offset)

    def marking_end_block(self: Any) -> None:
        if (marker := _markers.get(id(self))) is not None and not self.current_block.is_terminated:
            marker.finish_block()
        end_block(self)

    def marking_dispatch(self: Any, inst: Any, kws: Any) -> Any:
        if (marker := _markers.get(id(self))) is not None:
            marker.reach(inst.offset)
        result = dispatch(self, inst, kws)
        if marker is not None:
            marker.test(inst, kws)
        return result

    def marking_post_process(self: Any, peepholes: Any, func_ir: Any) -> Any:
        if (marker := _markers.get(id(self))) is not None:
            marker.connect()
        return post_process(self, peepholes, func_ir)

    cls.interpret = marking_interpret
    cls._start_new_block = marking_start_block
    cls._end_current_block = marking_end_block
    cls._dispatch = marking_dispatch
    cls.post_process = marking_post_process


def _marker_of(translation: Any) -> _Marker | None:
    code = translation.func_id.code
    measured = measured_source(code.co_filename)
    if measured is None:
        return None
    arcs = LineArcs(code, measured.first_lines, measured.choices)
    return _Marker(translation, function_of(code, arcs, measured), arcs)

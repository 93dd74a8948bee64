"""Counters instead of marks, in the text of an LLVM module.

    before                               after
    body:                                body:
      call void @qdcov.mark.f.1()          %qdcov.1.old = load i64, ptr %qdcov.1    ; and 1 added to it
      call void @qdcov.mark.f.2()
      ...                                  ...
      ret i32 0                            call void @qdcov.see(i64 0, i64 %bits)   ; for each 64 marks of the library
                                           ret i32 0

A basic block with marks has one counter, since control that enters a block runs all of it; outside of loops it sets bits of a mask, for LLVM carries
each counter through all blocks. The counters live in registers and leave loops vectorised, which stores do not. Where the function returns, counters
that are not 0 become bits, and only bits that are new are stored.

A branch within a loop that only chooses between values has no counters on its sides: the block before them adds the condition, as a number, to a
counter. One side ran if that is not 0, the other one if it is not the number of runs of the block. So LLVM can still make it a choice without a jump,
which is three times as fast where the condition is random. Where it chooses in several steps, the block behind them takes the marks of the way as a
mask, from a phi."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from . import marks
from .certain_blocks import certain_blocks
from .choices import Choice, choices_of, predecessors
from .decision_words import DecisionWords
from .loops import Graph, innermost_loops
from .module_text import DECLARED, MARK_CALL, WHEN_CALL, has_marks
from .see import WORD_BITS, see

_LABEL = re.compile(r'^([-a-zA-Z$._0-9]+|"[^"]*"):')
_TARGET = re.compile(r'label %([-a-zA-Z$._0-9]+|"[^"]*")')
_BRANCH = re.compile(r'^\s+br i1 (%(?:[-a-zA-Z$._0-9]+|"[^"]*")), label %([-a-zA-Z$._0-9]+|"[^"]*"), label %([-a-zA-Z$._0-9]+|"[^"]*")')
_COMPARED = re.compile(r"^\s+(%\S+) = (fcmp (?:\w+ )*?)(o\w\w|u\w\w)( .*)")
_INVERSE = {"oeq": "une", "one": "ueq", "ogt": "ule", "oge": "ult", "olt": "uge", "ole": "ugt", "ord": "uno"}
_INVERSE |= {inverse: name for name, inverse in _INVERSE.items()}
_EFFECT = re.compile(r"\b(?:store|load|invoke|fence|atomicrmw|cmpxchg)\b|\bcall (?!.*@llvm\.(?:fabs|copysign|sqrt|abs|[su](?:min|max)|min|max)\w*\.)")
_NAME = re.compile(r"qdcov\.(?:mark|when)\.[0-9a-f]+\.[0-9]+")
_MOST_COUNTERS = 32
"""Counters of the loops of a function; with more blocks, these set bits of masks, too."""
_ENTRY = "the block without a label"


class Counted(NamedTuple):
    """A module with counters, and the names of its bits."""

    text: str
    bits: list[str]


def count_marks(text: str, symbol: str, opaque_pointers: bool) -> Counted:
    """Puts counters in the place of the marks of a module. Its global `symbol` points to the state that takes the bits."""
    names = sorted(set(_NAME.findall(text)), key=lambda name: (name.split(".")[2], int(name.split(".")[3])))
    found = [name for name in names if name.startswith(marks.PREFIX)]
    found += dict.fromkeys(way for name in names for way in marks.ways_of(name))
    bits = {name: number for number, name in enumerate(found)}
    text = DECLARED.sub("", text)
    lines: list[str] = []
    body: list[str] | None = None
    for line in text.split("\n"):
        if body is None:
            lines.append(line)
            if line.startswith("define "):
                body = []
        elif line == "}":
            lines += _Function(body, bits, opaque_pointers).lines() if has_marks("\n".join(body)) else body
            lines.append(line)
            body = None
        else:
            body.append(line)
    return Counted("\n".join(lines) + see(symbol, -(-len(found) // WORD_BITS), opaque_pointers), found)


@dataclass
class _Block:
    label: str
    body: list[str] = field(default_factory=list)
    marks: list[int] = field(default_factory=list)
    """The bits of its marks."""
    added: str | None = None
    """The counter to which it adds 1."""
    phis: list[str] = field(default_factory=list)
    """The phis of masks that it has besides its own."""
    first: list[str] = field(default_factory=list)
    """Instructions with masks behind these."""
    condition: tuple[str, str] | None = None
    """The counter to which it adds the condition of its branch or the opposite, and the instruction that gives this."""

    def targets(self) -> list[str]:
        return [target for line in self.body for target in _TARGET.findall(line)]


class _Function:
    """A function of LLVM IR that has marks."""

    def __init__(self, body: list[str], bits: dict[str, int], opaque_pointers: bool) -> None:
        self._pointer = "ptr" if opaque_pointers else "i64*"
        self._counters = 0
        self._words = DecisionWords(bits, self._pointer)
        self._blocks: dict[str, _Block] = {}
        self._n_masks = 0
        self._certain: list[int] = []
        """Marks that are reached in each call."""
        self._masks: dict[int, str] = {}
        """The words that take masks, by the numbers of the words of the library."""
        self._ran: list[tuple[str, str | None, list[int]]] = []
        """Marks that were reached if the number of a counter, less that of another one, is not 0."""
        block = _Block(_ENTRY)
        for line in body:
            if label := _LABEL.match(line):
                block = _Block(label[1])
            if block.label not in self._blocks:
                self._blocks[block.label] = block
            if (when := WHEN_CALL.match(line)) is not None:
                block.body += self._words.test(when[1], when[2])
            elif (mark := MARK_CALL.match(line)) is None:
                block.body.append(line)
            elif bits[mark[1]] not in block.marks:
                block.marks.append(bits[mark[1]])

    def lines(self) -> list[str]:
        """The function with counters."""
        graph = {block.label: [target for target in block.targets() if target in self._blocks] for block in self._blocks.values()}
        self._take_certain(graph)
        loops = innermost_loops(graph)
        before = predecessors(graph)
        for choice in choices_of(graph, loops, self._is_pure):
            self._mask_ways(choice, before)
        self._count_sides(graph, loops, before)
        self._gather(graph, before)
        marked = [block for block in self._blocks.values() if block.marks]
        many = sum(block.label in loops for block in marked) > _MOST_COUNTERS
        for block in marked:
            if block.added is not None or block.label in loops and not many:
                self._ran.append((self._runs_of(block), None, block.marks))
            else:
                for word, mask in _masks_of(block.marks).items():
                    block.first += self._update(self._masks_word(word), "or", str(_signed(mask)), f"{self._mask()}.")
        result, exits = [], 0
        for number, block in enumerate(self._blocks.values()):
            begin = 1 if _LABEL.match(block.body[0]) else 0
            result += block.body[:begin]
            if number == 0:
                result += [line for n in range(self._counters) for line in self._made(f"%qdcov.{n}")]
                result += [line for word in self._masks.values() for line in self._made(word)] + self._words.made()
            phis = next((n for n, line in enumerate(block.body) if n >= begin and " = phi " not in line), begin)
            result += block.body[begin:phis] + block.phis + block.first
            if block.added is not None:
                result += self._update(block.added, "add", "1")
            for line in block.body[phis:]:
                if block.condition is not None and _BRANCH.match(line):
                    counter, chosen = block.condition
                    result.append(f"  {counter}.chosen = {chosen}")
                    result.append(f"  {counter}.side = zext i1 {counter}.chosen to i64")
                    result += self._update(counter, "add", f"{counter}.side")
                if line.startswith("  ret "):
                    result += self._at_return(exits)
                    exits += 1
                result.append(line)
        return result

    def _take_certain(self, graph: Graph) -> None:
        """Takes away the marks that are reached in each call."""
        exits = {block.label for block in self._blocks.values() if any(line.startswith("  ret ") for line in block.body)}
        self._certain = [mark for label in certain_blocks(graph, exits) for mark in self._blocks[label].marks]
        certain = set(self._certain)
        for block in self._blocks.values():
            block.marks = [mark for mark in block.marks if mark not in certain]

    def _is_pure(self, label: str) -> bool:
        return not any(_EFFECT.search(line) for line in self._blocks[label].body)

    def _mask_ways(self, choice: Choice, before: Mapping[str, Sequence[str]]) -> None:
        """Lets the block behind a choice in several steps take the marks on the way to it as masks."""
        reached = [mark for label in choice.blocks for mark in self._blocks[label].marks]
        if _ENTRY in before[choice.end]:  # a block that has no name for a phi
            return
        inside = {choice.head, *choice.blocks}
        # Each way begins at the head, and leads to the end.
        shared = [self._blocks[choice.head]] + [self._blocks[choice.end]] * inside.issuperset(before[choice.end])
        for word in sorted({mark // WORD_BITS for mark in reached}):
            name = self._masks_word(word)
            behind = {choice.head: str(_signed(_masks_of([mark for block in shared for mark in block.marks]).get(word, 0)))}
            for label in [*choice.blocks, choice.end]:
                block = self._blocks[label]
                values = [(behind.get(b, "0"), b) for b in before[label]]
                mask = values[0][0]
                if len({value for value, _ in values}) > 1:
                    mask = self._mask()
                    block.phis.append(f"  {mask} = phi i64 " + ", ".join(f"[ {value}, %{b} ]" for value, b in values))
                if label == choice.end:
                    block.first += self._update(name, "or", mask, f"{self._mask()}.")
                else:
                    behind[label] = self._with_bits(block, mask, _masks_of(block.marks).get(word, 0))
            for block in shared:
                block.marks = [mark for mark in block.marks if mark // WORD_BITS != word]
        for label in choice.blocks:
            self._blocks[label].marks = []

    def _count_sides(self, graph: Graph, loops: Mapping[str, int], before: Mapping[str, Sequence[str]]) -> None:
        """Counts the two sides of each branch within a loop that chooses between values by its condition."""
        for block in self._blocks.values():
            branch = next((found for line in block.body if (found := _BRANCH.match(line))), None)
            if branch is None or block.label not in loops or branch[2] == branch[3]:
                continue
            sides = [self._blocks[branch[2]], self._blocks[branch[3]]]
            pure = [side for side in sides if len(before[side.label]) == 1 and self._is_pure(side.label)]
            ends = {graph[side.label][0] if side in pure and len(graph[side.label]) == 1 else side.label for side in sides}
            marked = [side for side in pure if side.marks]
            if len(ends) != 1 or not marked:
                continue
            counter = self._counter()
            opposite = _opposite(block.body, branch[1])
            block.condition = (counter, opposite or f"xor i1 {branch[1]}, {str(sides[0] not in marked).lower()}")
            counted = sides[1] if opposite else marked[0]
            for side in marked:
                self._ran.append((counter, None, side.marks) if side is counted else (self._runs_of(block), counter, side.marks))
                side.marks = []

    def _gather(self, graph: Graph, before: Mapping[str, Sequence[str]]) -> None:
        """Gives the marks of a block to those around it that count anyway: all blocks behind it, to which nothing else leads, or all before it."""
        for down in (True, False):
            for label in _from_the_entry(graph):
                block = self._blocks[label]
                others = graph[label] if down else before.get(label, [])
                ways = before if down else graph
                counting = [self._blocks[other] for other in others if ways[other] == [label] and other != label and self._counts(other)]
                if block.marks and block.added is None and others and len(counting) == len(others):
                    for other in counting:
                        other.marks += [mark for mark in block.marks if mark not in other.marks]
                    block.marks = []

    def _counts(self, label: str) -> bool:
        block = self._blocks[label]
        return bool(block.marks) or block.added is not None

    def _runs_of(self, block: _Block) -> str:
        if block.added is None:
            block.added = self._counter()
        return block.added

    def _counter(self) -> str:
        self._counters += 1
        return f"%qdcov.{self._counters - 1}"

    def _made(self, word: str) -> list[str]:
        return [f"  {word} = alloca i64", f"  store i64 0, {self._pointer} {word}"]

    def _masks_word(self, word: int) -> str:
        return self._masks.setdefault(word, f"%qdcov.masks{word}")

    def _mask(self) -> str:
        self._n_masks += 1
        return f"%qdcov.mask{self._n_masks}"

    def _with_bits(self, block: _Block, mask: str, bits: int) -> str:
        """A mask with more bits."""
        if not bits:
            return mask
        if not mask.startswith("%"):
            return str(_signed(int(mask) | bits))
        result = self._mask()
        block.first.append(f"  {result} = or i64 {mask}, {_signed(bits)}")
        return result

    def _update(self, word: str, operation: str, value: str, prefix: str = "") -> list[str]:
        own = prefix or f"{word}."
        return [
            f"  {own}old = load i64, {self._pointer} {word}",
            f"  {own}new = {operation} i64 {own}old, {value}",
            f"  store i64 {own}new, {self._pointer} {word}",
        ]

    def _at_return(self, exit_number: int) -> list[str]:
        """Makes bits of the counters, and shows them."""
        name = f"%qdcov.at{exit_number}"
        lines = [f"  {name}.{n} = load i64, {self._pointer} %qdcov.{n}" for n in range(self._counters)]
        words = {word: [str(_signed(mask))] for word, mask in _masks_of(self._certain).items()}
        for number, (counter, less, reached) in enumerate(self._ran):
            ran = f"{name}.ran{number}"
            other = "0" if less is None else f"{name}.{less.removeprefix('%qdcov.')}"
            lines.append(f"  {ran} = icmp ne i64 {name}.{counter.removeprefix('%qdcov.')}, {other}")
            for word, mask in _masks_of(reached).items():
                lines.append(f"  {ran}.w{word} = select i1 {ran}, i64 {_signed(mask)}, i64 0")
                words.setdefault(word, []).append(f"{ran}.w{word}")
        for word, masks in self._masks.items():
            lines.append(f"  {name}.masks{word} = load i64, {self._pointer} {masks}")
            words.setdefault(word, []).append(f"{name}.masks{word}")
        for word, value_lines, value in self._words.seen(name):
            lines += value_lines
            words.setdefault(word, []).append(value)
        for word, values in sorted(words.items()):
            total = values[0]
            for step, value in enumerate(values[1:]):
                lines.append(f"  {name}.or{word}.{step} = or i64 {total}, {value}")
                total = f"{name}.or{word}.{step}"
            lines.append(f"  call void @qdcov.see(i64 {word}, i64 {total})")
        return lines


def _from_the_entry(graph: Graph) -> list[str]:
    """The blocks to which control can come, each behind one that leads to it."""
    found: dict[str, None] = {}
    work = [next(iter(graph))]
    while work:
        label = work.pop()
        if label not in found:
            found[label] = None
            work += graph[label]
    return list(found)


def _masks_of(marks_reached: list[int]) -> dict[int, int]:
    """The bits of marks by the words of the library."""
    masks: dict[int, int] = {}
    for mark in marks_reached:
        masks[mark // WORD_BITS] = masks.get(mark // WORD_BITS, 0) | 1 << mark % WORD_BITS
    return masks


def _signed(mask: int) -> int:
    return mask - (1 << WORD_BITS) if mask >> (WORD_BITS - 1) else mask


def _opposite(body: list[str], condition: str) -> str:
    """The comparison of floating-point numbers that is true where a condition is not; empty where that is no such comparison.

    With a second use of the condition itself, code for x86 without AVX-512 would branch where it chooses between values by a mask."""
    for line in body:
        if (found := _COMPARED.match(line)) is not None and found[1] == condition:
            return f"{found[2]}{_INVERSE[found[3]]}{found[4]}"
    return ""

"""Choices in loops: parts of a control flow graph that only decide between values, in one step or in several.

    head:   br %a, one, two         control goes on at `end` on each way from `head`, and each way has a mask of the marks on it
    one:    br end
    two:    br %b, three, four
    three:  br end
    four:   br end
    end:    phi

LLVM makes such a part a choice of values without a jump. Counters in its blocks would keep it from that, while a phi of masks is one value more that
is chosen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from .loops import Graph


class Choice(NamedTuple):
    """The blocks between `head` and `end`, each behind those that lead to it. Control comes to them from these alone."""

    head: str
    blocks: list[str]
    end: str


def choices_of(graph: Graph, loops: Mapping[str, int], is_pure: Callable[[str], bool]) -> list[Choice]:
    """The choices within loops that take several steps; of two that share a block, the larger one."""
    before = predecessors(graph)
    found = [choice for head in loops if (choice := _choice(graph, before, head, is_pure)) is not None]
    taken: set[str] = set()
    result = []
    for choice in sorted(found, key=lambda choice: -len(choice.blocks)):
        if taken.isdisjoint(own := {choice.head, *choice.blocks}):
            taken |= own
            result.append(choice)
    return result


def predecessors(graph: Graph) -> dict[str, list[str]]:
    """The blocks that lead to each block, once for each way."""
    before: dict[str, list[str]] = {}
    for block, targets in graph.items():
        for target in targets:
            before.setdefault(target, []).append(block)
    return before


def _choice(graph: Graph, before: Mapping[str, Sequence[str]], head: str, is_pure: Callable[[str], bool]) -> Choice | None:
    blocks: list[str] = []
    ends = dict.fromkeys(graph[head])
    steps = 0
    if len(ends) < 2:
        return None
    while len(ends) > 1:
        inner = next((end for end in ends if end != head and is_pure(end) and all(b == head or b in blocks for b in before[end])), None)
        if inner is None or not graph[inner] or len(set(graph[inner])) < len(graph[inner]):
            return None
        steps += len(graph[inner]) > 1
        blocks.append(inner)
        del ends[inner]
        ends.update(dict.fromkeys(graph[inner]))
    return Choice(head, blocks, next(iter(ends))) if steps else None

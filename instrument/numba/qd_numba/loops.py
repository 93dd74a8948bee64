"""Loops of a control flow graph: the innermost one of each block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Graph = Mapping[str, Sequence[str]]
"""The successors of each block."""


def innermost_loops(graph: Graph) -> dict[str, int]:
    """The number of the innermost loop of each block that is in one.

    A loop is a set of blocks that lead to each other. Without the ways into its head, the loops within it are left."""
    result: dict[str, int] = {}
    work = [set(graph)]
    number = 0
    while work:
        blocks = work.pop()
        for component in _components(graph, blocks):
            if len(component) == 1 and not any(after in component for block in component for after in graph[block]):
                continue
            number += 1
            result.update(dict.fromkeys(component, number))
            heads = {after for block in blocks - component for after in graph[block] if after in component} or {min(component)}
            work.append(component - heads)
    return result


def _components(graph: Graph, blocks: set[str]) -> list[set[str]]:
    """Strongly connected components, by Tarjan's algorithm: https://doi.org/10.1137/0201010"""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    open_blocks: set[str] = set()
    found = []
    for root in blocks:
        if root in order:
            continue
        work = [(root, iter(graph[root]))]
        while work:
            block, successors = work[-1]
            if block not in order:
                order[block] = low[block] = len(order)
                stack.append(block)
                open_blocks.add(block)
            after = next((a for a in successors if a in blocks and (a not in order or a in open_blocks)), None)
            if after is not None and after not in order:
                work.append((after, iter(graph[after])))
                continue
            if after is not None:
                low[block] = min(low[block], order[after])
                continue
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[block])
            if low[block] == order[block]:
                component = set()
                while block not in component:
                    component.add(last := stack.pop())
                    open_blocks.discard(last)
                found.append(component)
    return found

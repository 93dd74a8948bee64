"""Blocks that are certain: control passes each of them before a function returns, whichever way it takes."""

from __future__ import annotations

from collections.abc import Set

from .loops import Graph


def certain_blocks(graph: Graph, exits: Set[str]) -> list[str]:
    """The blocks on all ways from the first block to the exits; none where no exit is reached.

    They lie on any one way. A block of this is not certain where control leaves the way before it and comes back behind it, or to another exit."""
    way = _any_way(graph, exits)
    places = {label: number for number, label in enumerate(way)}
    passed = set(way)
    found, furthest = [], 0
    for number, label in enumerate(way):
        if number >= furthest:
            found.append(label)
        work = [label]
        while work:
            for after in graph[work.pop()]:
                if after in places:
                    furthest = max(furthest, places[after])
                elif after in exits:
                    furthest = len(way)
                elif after not in passed:
                    passed.add(after)
                    work.append(after)
    return found


def _any_way(graph: Graph, exits: Set[str]) -> list[str]:
    entry = next(iter(graph))
    before = {entry: entry}
    work = [entry]
    for label in work:
        if label in exits:
            way = [label]
            while label != entry:
                label = before[label]
                way.append(label)
            return way[::-1]
        for after in graph[label]:
            if after not in before:
                before[after] = label
                work.append(after)
    return []

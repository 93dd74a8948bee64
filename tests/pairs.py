"""All pairs of parameters' values (pairwise testing): few cases of tests with many parameters, whose full product would take long."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any


def pairs(*values: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Cases, tuples with a value of each parameter: every two values of two parameters are together in a case. The same cases in each run."""
    places = range(len(values))
    missing = {
        ((a, i), (b, j)): None  # a dict keeps the order
        for a, b in itertools.combinations(places, 2)
        for i, j in itertools.product(range(len(values[a])), range(len(values[b])))
    }
    used = [[0] * len(options) for options in values]
    cases = []
    while missing:
        first = next(iter(missing))
        chosen = dict(first)
        for place in sorted(set(places) - set(chosen), key=lambda place: -len(values[place])):
            new = [sum(_pair((place, i), other) in missing for other in chosen.items()) for i in range(len(values[place]))]
            chosen[place] = min(range(len(new)), key=lambda i: (-new[i], used[place][i]))
        for pair in itertools.combinations(sorted(chosen.items()), 2):
            missing.pop(pair, None)
        for place, i in chosen.items():
            used[place][i] += 1
        cases.append(tuple(values[place][chosen[place]] for place in places))
    return cases


def _pair(one: tuple[int, int], other: tuple[int, int]) -> tuple[tuple[int, int], tuple[int, int]]:
    return (one, other) if one < other else (other, one)

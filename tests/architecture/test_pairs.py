"""Cases with all pairs of values: each pair is there, and the cases are few."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from pairs import pairs


@pytest.mark.parametrize(
    "values",
    [
        ("ab", "cd"),
        ("ab", "cd", "ef"),
        ("abcdefg", "hijk", "lmnopq", "rst"),
        ("abc", "d", "efgh", "ij", "kl"),
        (range(14), range(3), range(6), range(4)),
    ],
)
def test_every_pair_is_in_a_case(values: Sequence[Sequence[object]]) -> None:
    cases = pairs(*values)
    for a, b in itertools.combinations(range(len(values)), 2):
        assert {(case[a], case[b]) for case in cases} == set(itertools.product(values[a], values[b]))
    sizes = sorted(map(len, values))
    assert len(set(cases)) == len(cases) <= 1.5 * sizes[-1] * sizes[-2]
    assert pairs(*values) == cases

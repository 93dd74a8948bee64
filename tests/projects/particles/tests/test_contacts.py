"""Balls that overlap are pushed apart, however short the list of pairs is at first."""

import numpy as np
import pytest

from particles.contacts import MAX_PASSES, Contacts

RADIUS = 0.03


def balls(n: int) -> np.ndarray:
    axis = 0.3 + 0.05 * np.arange(n)
    return np.stack(np.meshgrid(axis, axis, indexing="ij"), axis=-1).reshape(-1, 2).astype(np.float32)


@pytest.mark.parametrize(("room", "yields"), [(1024, 0), (8, 4), (1, 7)])
def test_the_list_grows_until_all_pairs_fit(room: int, yields: int) -> None:
    contacts = Contacts(balls(5), RADIUS, room)
    assert contacts.overlap() == pytest.approx(0.01, abs=1e-5)
    passes = contacts.separate()
    assert 1 < passes < MAX_PASSES
    assert contacts.overlap() < 2e-4
    assert contacts.count[None] == 72 and contacts.yields == yields


def test_balls_that_do_not_touch_stay_where_they_are() -> None:
    x = np.array([[0.2, 0.2], [0.5, 0.5], [0.8, 0.2]], dtype=np.float32)
    contacts = Contacts(x, RADIUS, room=1)
    assert contacts.separate() == 1
    np.testing.assert_array_equal(contacts.x.to_numpy(), x)
    assert contacts.yields == 0 and contacts.overlap() == 0


def test_it_gives_up_after_some_passes() -> None:
    contacts = Contacts(np.full((3, 2), 0.5, dtype=np.float32) + np.float32([[0, 0], [1e-3, 0], [0, 1e-3]]), 0.4)
    assert contacts.separate(tolerance=-1.0) == MAX_PASSES

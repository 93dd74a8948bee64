"""The disk that is placed by gradients. These tests need derivatives, which arch=qd.python does not compute."""

import numpy as np
import pytest

from particles.placing import BLOCK, DT, GRAVITY, RADIUS, STEPS, STIFFNESS, Placing, main


def landing(center):
    """The average place where the drops end, by numpy in double precision."""
    x = BLOCK.lattice(0.01).astype(float)
    v = np.zeros_like(x)
    for _ in range(STEPS):
        offset = x - center
        distance = np.sqrt((offset**2).sum(axis=1, keepdims=True) + 1e-6)
        v += DT * (np.array([0.0, GRAVITY]) + np.where(distance < RADIUS, STIFFNESS * (RADIUS - distance) / distance * offset, 0.0))
        x += DT * v
    return x[:, 0].mean()


def test_slope_is_that_of_differences():
    center, target, step = np.array([0.47, 0.4]), 0.6, 1e-5
    placing = Placing(tuple(center))
    slope = placing.slope(target)
    assert placing.loss[None] == pytest.approx((landing(center) - target) ** 2, rel=1e-3)
    for axis in (0, 1):
        below, above = ((landing(center + sign * step * np.eye(2)[axis]) - target) ** 2 for sign in (-1, 1))
        assert slope[axis] == pytest.approx((above - below) / (2 * step), rel=1e-2)


@pytest.mark.parametrize("start", [(0.48, 0.4), (0.53, 0.45)])
@pytest.mark.parametrize("target", [0.25, 0.55, 0.8])
def test_drops_end_around_the_target(start, target):
    placing = Placing(start)
    assert 1 < placing.place(target) < 20
    assert placing.landing[None] == pytest.approx(target, abs=2e-3)
    assert landing(placing.center.to_numpy()) == pytest.approx(target, abs=5e-3)


def test_a_disk_that_no_drop_touches_stays():
    placing = Placing((0.2, 0.4))
    with pytest.raises(ValueError, match="no drop touches the disk at 0.200, 0.400"):
        placing.place(0.8)


def test_rounds_have_an_end():
    with pytest.raises(ValueError, match=r"the drops end around 0.*after 2 rounds, and not around 0.8"):
        Placing((0.48, 0.4)).place(0.8, rounds=2)


def test_program(capsys):
    assert main(["0.3"]) == 0
    assert "the drops end around 0.30" in capsys.readouterr().out
    assert main(["0.99"]) == 2
    assert capsys.readouterr().err.startswith("particles: ")

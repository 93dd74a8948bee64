import numpy as np
import pytest

from particles.materials import JELLY, WATER
from particles.scene import CUBES, DAM, Block, Scene


def test_lattice_fills_the_block():
    block = Block("jelly", (0.2, 0.4), (0.6, 0.5))
    points = block.lattice(0.05)
    assert len(points) == 8 * 2
    assert points.min(axis=0) == pytest.approx([0.225, 0.425])
    assert points.max(axis=0) == pytest.approx([0.575, 0.475])
    assert block.area == pytest.approx(0.04)


def test_small_block_has_one_particle():
    assert len(Block("water", (0.5, 0.5), (0.51, 0.51)).lattice(0.1)) == 1


@pytest.mark.parametrize("lower, upper", [((0.5, 0.5), (0.4, 0.6)), ((0.5, 0.5), (0.6, 1.2)), ((-0.1, 0.5), (0.6, 0.6))])
def test_blocks_are_in_the_box(lower, upper):
    with pytest.raises(ValueError, match="empty or not in the unit square"):
        Block("water", lower, upper)


def test_sample():
    scene = Scene((Block("water", (0.2, 0.2), (0.4, 0.4)), Block("jelly", (0.5, 0.5), (0.6, 0.6), (1.0, -2.0))))
    x, v, kinds = scene.sample(0.05)
    assert x.dtype == v.dtype == np.float32
    assert (kinds == WATER).sum() == 16
    assert (kinds == JELLY).sum() == 4
    assert (v[kinds == WATER] == 0).all()
    assert (v[kinds == JELLY] == [1, -2]).all()


def test_jitter_is_small_and_always_the_same():
    plain = DAM.sample(0.02)[0]
    once = DAM.sample(0.02, jitter=0.3)[0]
    again = DAM.sample(0.02, jitter=0.3)[0]
    assert (once == again).all()
    assert 0 < np.abs(once - plain).max() <= 0.3 * 0.02 + 1e-6


def test_cubes_have_all_materials():
    assert {block.material for block in CUBES.blocks} == {"water", "jelly", "snow"}
